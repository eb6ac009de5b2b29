import type { Row } from '#server/csv/table.ts';
import type { Gtfs } from './gtfs.ts';
import type { PlannedRoute } from './network.ts';
import type { OperatorFiles } from './operator-files.ts';

/** What the files of prices and passes refer to. */
export type ParsedFeed = { gtfs: Gtfs; operator: OperatorFiles; routes: readonly PlannedRoute[] };

/** The column `route_ids`; empty: every line. */
export function readRouteIds(row: Row, { routes }: Pick<Gtfs, 'routes'>): string[] {
  const ids = listWords(row, 'route_ids');
  for (const id of ids) {
    if (!routes.has(id)) row.problem('route_ids', `There is no ferry route ${id}.`);
  }
  return ids;
}

export function listWords(row: Row, column: string): string[] {
  return row.text(column).split(/\s+/).filter(Boolean);
}
