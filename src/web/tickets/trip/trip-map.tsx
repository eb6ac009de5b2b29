import { type ComponentType, lazy, Suspense } from 'react';
import { useIdle } from '#web/platform/use-idle.ts';
import styles from './trip-map.module.css';
import type { TripMapProps } from './trip-sketch.tsx';

/** The map is optional, so a chunk that cannot be loaded is not reported. */
const Sketch = lazy(() =>
  import('./trip-sketch.tsx').then(
    ({ TripSketch }): { default: ComponentType<TripMapProps> } => ({ default: TripSketch }),
    () => ({ default: () => null }),
  ),
);

/**
 * Reserves its height from the start. The drawing loads when the page is idle, because in the page it would not fit into
 * the first round trip.
 */
export function TripMap(props: TripMapProps) {
  const isIdle = useIdle();
  if (props.catalogue.ports.filter(({ lat, lon }) => lat !== null && lon !== null).length < 2) return null;
  return (
    <div className={styles.map} data-place={props.place}>
      {isIdle && (
        <Suspense>
          <Sketch {...props} />
        </Suspense>
      )}
    </div>
  );
}
