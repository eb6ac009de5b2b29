import { useState } from 'react';
import { RouteMap } from '#web/ui/data/route-map.tsx';
import { findRoute, leavingFrom, originIds } from './trip.ts';
import styles from './trip-map.module.css';
import type { TripMapProps } from './trip-map.tsx';

/** The first port pressed is where the trip starts, the next one where it goes. */
export function TripSketch({ catalogue, trip, onChange }: TripMapProps) {
  const [hasStart, setHasStart] = useState(false);
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
  const origins = originIds(catalogue);
  const isDestination = (id: string) => hasStart && findRoute(catalogue, trip.from, id) !== null;
  const nameOf = (id: string) => ports.find((port) => port.id === id)?.name ?? '';

  function actionOf(id: string): string | null {
    if (isDestination(id)) return `To ${nameOf(id)}`;
    return origins.includes(id) ? `From ${nameOf(id)}` : null;
  }

  function choose(id: string) {
    setHasStart(!isDestination(id));
    onChange(isDestination(id) ? { to: id } : leavingFrom(catalogue, trip, id));
  }

  return (
    <>
      <p className={styles.hint} aria-live="polite">
        {hasStart
          ? `From ${nameOf(trip.from)}. Now tap where you are going.`
          : 'Tap where you start, then where you are going.'}
      </p>
      <RouteMap
        ports={ports.flatMap(({ id, name, lat, lon }) =>
          lat === null || lon === null || !served.has(id) ? [] : [{ id, name, lat, lon }],
        )}
        ways={[...ways.values()]}
        chosen={findRoute(catalogue, trip.from, trip.to) === null ? null : [trip.from, trip.to]}
        actionOf={actionOf}
        onPress={choose}
      />
    </>
  );
}
