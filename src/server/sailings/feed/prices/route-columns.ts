import type { Row } from '#server/csv/table.ts';
import type { Gtfs } from '../gtfs.ts';
import { getPortId } from '../gtfs-types.ts';
import type { PlannedRoute } from '../network.ts';
import type { OperatorFiles } from '../operator-files.ts';

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

/** The columns `valid_from` and `valid_until`: first and last service day. */
export function readValidity(row: Row): { validFrom: string | null; validUntil: string | null } {
  const validFrom = row.day('valid_from');
  const validUntil = row.day('valid_until');
  if (validFrom && validUntil && validUntil < validFrom) row.problem('valid_until', 'Before valid_from.');
  return { validFrom, validUntil };
}

/** A fare for every route does not mean that each of them carries vehicles. */
export function isCarried(kind: 'passenger' | 'vehicle' | 'bicycle', route: PlannedRoute): boolean {
  if (kind === 'vehicle') return route.carriesVehicles;
  return kind === 'bicycle' ? route.carriesBicycles : true;
}

/** The port pairs that a row of fares or taxes is for. */
export function findPricedRoutes(row: Row, { gtfs, routes }: ParsedFeed): PlannedRoute[] {
  const gtfsRouteId = row.text('route_id');
  if (gtfsRouteId !== '' && !gtfs.routes.has(gtfsRouteId)) {
    row.problem('route_id', `There is no ferry route ${gtfsRouteId}.`);
    return [];
  }
  const isFrom = portFilter(row, gtfs, 'origin');
  const isTo = portFilter(row, gtfs, 'destination');
  return routes.filter(
    (route) =>
      (gtfsRouteId === '' || gtfsRouteId === route.gtfsRouteId) &&
      isFrom(route.origin) &&
      isTo(route.destination),
  );
}

/** Whether a fare applies to a port, by its stop and its zone. */
function portFilter(row: Row, { stops }: Gtfs, end: 'origin' | 'destination'): (portId: string) => boolean {
  const stopId = row.text(`${end}_stop_id`);
  const zone = row.text(`${end}_zone`);
  if (stopId !== '' && !stops.has(stopId)) row.problem(`${end}_stop_id`, `There is no stop ${stopId}.`);
  const inZone = zone === '' ? null : findPortsInZone(stops, zone);
  if (inZone?.size === 0) row.problem(`${end}_zone`, `No stop is in the zone ${zone}.`);
  return (portId) => (stopId === '' || getPortId(stops, stopId) === portId) && (inZone?.has(portId) ?? true);
}

function findPortsInZone(stops: Gtfs['stops'], zone: string): ReadonlySet<string> {
  const inZone = [...stops.values()].filter(({ zoneId }) => zoneId === zone);
  return new Set(inZone.map(({ id }) => getPortId(stops, id)));
}
