import { type Placeholder, type SQL, sql } from 'drizzle-orm';

/**
 * A relation of the elements of a JSON array, each as `jsonb`, for statements of any number of rows. The planner assumes
 * ten of them, so it looks up the rows of large tables by index and keeps its plan; for `jsonb_array_elements` it would
 * assume a hundred and scan whole tables, and for a list of parameters it would plan every length.
 */
export function jsonElements(json: string | Placeholder): SQL {
  return sql`unnest(array(select jsonb_array_elements(${json}::jsonb)))`;
}
