import { type SQL, sql } from 'drizzle-orm';

/**
 * A relation of values, each as `jsonb`, for statements of any number of rows. The planner assumes ten of them, so it
 * looks up the rows of large tables by index and keeps its plan; for `jsonb_array_elements` it would assume a hundred
 * and scan whole tables, and for a list of parameters it would plan every length.
 */
export function jsonElements(values: readonly unknown[]): SQL {
  return sql`unnest(array(select jsonb_array_elements(${JSON.stringify(values)}::jsonb)))`;
}
