import { useState } from 'react';
import { t } from '#web/language/texts.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import { classes } from '#web/ui/classes.ts';
import { RouteMap } from '#web/ui/data/route-map.tsx';
import { useIsWide } from '#web/ui/layout/use-is-wide.ts';
import { BoatsInWords } from './boats-in-words.tsx';
import styles from './trip-map.module.css';
import {
  canTravel,
  changeOrigin,
  findPortName,
  findRoute,
  originIds,
  type TripSearch,
} from './trip-search.ts';
import { useBoats } from './use-boats.ts';

export type TripMapProps = {
  catalogue: Catalogue;
  trip: TripSearch;
  onChange: (fields: Partial<TripSearch>) => void;
  /** Below the heading, where only narrow screens show it, or beside the form, where wide ones do. */
  place: 'heading' | 'aside';
};

/** The map of the ports, once on each page: nothing in the place that this screen does not show. */
export function TripSketch({ place, ...props }: TripMapProps) {
  return useIsWide() === (place === 'aside') ? <PortChoice {...props} /> : null;
}

/** The first port pressed becomes the origin, the next one the destination. */
function PortChoice({ catalogue, trip, onChange }: Omit<TripMapProps, 'place'>) {
  const [hasStart, setHasStart] = useState(false);
  const { ports, routes } = catalogue;
  const { status, boats } = useBoats();
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
    if (isDestination(id)) return t('To {port}', { port: findName(id) });
    return origins.includes(id) ? t('From {port}', { port: findName(id) }) : null;
  }

  function choose(id: string) {
    setHasStart(!isDestination(id));
    onChange(isDestination(id) ? { to: id } : changeOrigin(catalogue, trip, id));
  }

  return (
    <>
      <RouteMap
        ports={ports.flatMap(({ id, name, lat, lon }) =>
          lat === null || lon === null || !served.has(id) ? [] : [{ id, name, lat, lon }],
        )}
        journeys={[...journeys.values()]}
        chosen={findRoute(catalogue, trip.from, trip.to) === null ? null : [trip.from, trip.to]}
        describeAction={describeAction}
        coastline={status?.coastline ?? null}
        boats={boats.map(({ id, boat, share }) => ({
          id,
          share,
          from: boat.originPortId,
          to: boat.destinationPortId,
        }))}
        onPress={choose}
      />
      <div className={classes('note', styles.text)}>
        <p aria-live="polite">
          {hasStart
            ? t('From {port}. Now tap where you are going.', { port: findName(trip.from) })
            : t('Tap where you start, then where you are going.')}
        </p>
        {status && <BoatsInWords boats={boats.map(({ boat }) => boat)} catalogue={catalogue} />}
      </div>
    </>
  );
}
