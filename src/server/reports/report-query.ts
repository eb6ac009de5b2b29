import { type SQL, sql } from 'drizzle-orm';
import type { ReportColumn } from '#contract/reports/columns.ts';
import type { Database } from '../database/database.ts';
import { queryRows } from '../database/database.ts';

/** Calendar days in the operator's zone, both inclusive. `now`: for reports of what has happened by then. */
export type Period = { from: string; until: string; zone: string; now: Date };

/** The rows of a report: one value per column. */
export type ReportRows = { columns: readonly ReportColumn[]; rows: (string | number)[][] };

/** The conditions and instants of a period. Instants are half-open. */
export function describePeriod({ from, until, zone }: Omit<Period, 'now'>) {
  const start = sql`(${from}::date::timestamp at time zone ${zone})`;
  const end = sql`((${until}::date + 1)::timestamp at time zone ${zone})`;
  return {
    start,
    end,
    /** Whether an instant is in the period. */
    isIn: (instant: SQL) => sql`(${instant} >= ${start} and ${instant} < ${end})`,
    toDay: (instant: SQL) => sql`(${instant} at time zone ${zone})::date`,
    toMonth: (instant: SQL) => sql`to_char(${instant} at time zone ${zone}, 'YYYY-MM')`,
  };
}

/**
 * Runs a query with one column per column of the report.
 * @param columns in this order; the query names its columns like them
 */
export async function queryReport(
  db: Database,
  columns: readonly ReportColumn[],
  query: SQL,
): Promise<ReportRows> {
  const rows = await queryRows<Record<string, string | number | null>>(db, query);
  return { columns, rows: rows.map((row) => columns.map((column) => row[column] ?? '')) };
}

/** A sum as a JavaScript number. Sums of minor units are safe integers. */
export function sumOf(value: SQL, condition?: SQL): SQL {
  return condition
    ? sql`coalesce(sum(${value}) filter (where ${condition}), 0)::float8`
    : sql`coalesce(sum(${value}), 0)::float8`;
}
