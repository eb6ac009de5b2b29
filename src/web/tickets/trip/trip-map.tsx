import { type ComponentType, lazy, Suspense } from 'react';
import type { Catalogue } from '#web/platform/api/types.ts';
import { useIdle } from '#web/platform/use-idle.ts';
import type { Trip } from './trip.ts';
import styles from './trip-map.module.css';

export type TripMapProps = { catalogue: Catalogue; trip: Trip; onChange: (change: Partial<Trip>) => void };

/** The room for it is there from the start; the drawing comes when the page has nothing better to do. */
export function TripMap(props: TripMapProps) {
  const isIdle = useIdle();
  if (props.catalogue.ports.filter(({ lat, lon }) => lat !== null && lon !== null).length < 2) return null;
  return (
    <div className={styles.map}>
      {isIdle && (
        <Suspense>
          <Sketch {...props} />
        </Suspense>
      )}
    </div>
  );
}

const Sketch = lazy(async () => ({ default: await importSketch() }));

/** Without it nothing is missing: that it cannot be fetched is nobody's trouble. */
async function importSketch(): Promise<ComponentType<TripMapProps>> {
  try {
    return (await import('./trip-sketch.tsx')).TripSketch;
  } catch {
    return () => null;
  }
}
