import type { Row } from '#server/csv/table.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';
import { describeSkipped, type GtfsStop, getPortId } from './gtfs-types.ts';

/** Minutes to change boats by port; null: changes are not possible. */
export type Transfers = ReadonlyMap<string, number | null>;

const NOT_POSSIBLE = '3';

/** Reads transfers within ports. The slowest of several platforms counts. */
export function readTransfers(
  source: FeedInput,
  { stops, skipped }: { stops: ReadonlyMap<string, GtfsStop>; skipped: string[] },
): Transfers {
  const transfers = new Map<string, number | null>();
  const unused: string[] = [];
  for (const row of readFeedTable(source, 'transfers.txt')) {
    const from = row.text('from_stop_id');
    const to = row.text('to_stop_id');
    for (const [column, id] of [['from_stop_id', from] as const, ['to_stop_id', to] as const]) {
      if (id !== '' && !stops.has(id)) row.problem(column, `There is no stop ${id} in stops.txt.`);
    }
    const portId = getPortId(stops, from);
    if (from === '' || portId !== getPortId(stops, to) || isForOneLine(row)) {
      unused.push(`line ${row.line}`);
      continue;
    }
    const minutes = readMinutes(row);
    const longest = transfers.get(portId);
    if (minutes === undefined || longest === null) continue;
    transfers.set(portId, minutes === null ? null : Math.max(minutes, longest ?? 0));
  }
  if (unused.length > 0) {
    skipped.push(describeSkipped(unused, 'transfers.txt, not used: transfers between ports or of one line'));
  }
  return transfers;
}

function isForOneLine(row: Row): boolean {
  return LINE_COLUMNS.some((column) => row.text(column) !== '');
}

const LINE_COLUMNS = ['from_route_id', 'to_route_id', 'from_trip_id', 'to_trip_id'];

/** Undefined if the row states no minutes. */
function readMinutes(row: Row): number | null | undefined {
  if (row.text('transfer_type') === NOT_POSSIBLE) return null;
  const seconds = row.int('min_transfer_time');
  return seconds === null ? undefined : Math.ceil(seconds / 60);
}
