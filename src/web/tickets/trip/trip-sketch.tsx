import type { Catalogue } from '#web/platform/api/types.ts';
import { RouteMap } from '#web/ui/route-map.tsx';
import { findRoute, type Trip } from './trip.ts';

export function TripSketch({ catalogue, trip }: { catalogue: Catalogue; trip: Trip }) {
  const { ports, routes } = catalogue;
  const served = new Set(
    routes.flatMap(({ originPortId, destinationPortId }) => [originPortId, destinationPortId]),
  );
  const ways = new Map(
    routes.map(({ originPortId, destinationPortId }) => {
      const [a, b] = [originPortId, destinationPortId].sort();
      return [`${a} ${b}`, [a ?? '', b ?? ''] as const];
    }),
  );
  return (
    <RouteMap
      ports={ports.flatMap(({ id, name, lat, lon }) =>
        lat === null || lon === null || !served.has(id) ? [] : [{ id, name, lat, lon }],
      )}
      ways={[...ways.values()]}
      chosen={findRoute(catalogue, trip.from, trip.to) === null ? null : [trip.from, trip.to]}
    />
  );
}
