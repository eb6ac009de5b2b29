import { useState } from 'react';
import type { Catalogue } from '#web/platform/api/types.ts';
import { classes } from '#web/ui/classes.ts';
import { RouteMap } from '#web/ui/data/route-map.tsx';
import styles from './trip-map.module.css';
import {
  canTravel,
  changeOrigin,
  findPortName,
  findRoute,
  originIds,
  type TripSearch,
} from './trip-search.ts';

export type TripMapProps = {
  catalogue: Catalogue;
  trip: TripSearch;
  onChange: (fields: Partial<TripSearch>) => void;
};

/** The first port pressed becomes the origin, the next one the destination. */
export function TripSketch({ catalogue, trip, onChange }: TripMapProps) {
  const [hasStart, setHasStart] = useState(false);
  const { ports, routes } = catalogue;
  const served = new Set(
    routes.flatMap(({ originPortId, destinationPortId }) => [originPortId, destinationPortId]),
  );
  const journeys = new Map(
    routes.map(({ originPortId, destinationPortId }) => {
      const [a, b] = [originPortId, destinationPortId].sort();
      return [`${a} ${b}`, [a ?? '', b ?? ''] as const];
    }),
  );
  const origins = originIds(catalogue);
  const isDestination = (id: string) => hasStart && canTravel(catalogue, trip.from, id);
  const findName = (id: string) => findPortName(catalogue, id);

  function describeAction(id: string): string | null {
    if (isDestination(id)) return `To ${findName(id)}`;
    return origins.includes(id) ? `From ${findName(id)}` : null;
  }

  function choose(id: string) {
    setHasStart(!isDestination(id));
    onChange(isDestination(id) ? { to: id } : changeOrigin(catalogue, trip, id));
  }

  return (
    <>
      <p className={classes('note', styles.hint)} aria-live="polite">
        {hasStart
          ? `From ${findName(trip.from)}. Now tap where you are going.`
          : 'Tap where you start, then where you are going.'}
      </p>
      <RouteMap
        ports={ports.flatMap(({ id, name, lat, lon }) =>
          lat === null || lon === null || !served.has(id) ? [] : [{ id, name, lat, lon }],
        )}
        journeys={[...journeys.values()]}
        chosen={findRoute(catalogue, trip.from, trip.to) === null ? null : [trip.from, trip.to]}
        describeAction={describeAction}
        onPress={choose}
      />
    </>
  );
}
