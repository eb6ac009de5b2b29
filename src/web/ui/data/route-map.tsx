import {
  HEIGHT,
  largestSquares,
  type MapPort,
  type PlacedPort,
  placeBetween,
  placePorts,
  WIDTH,
} from '#domain/map/map-sketch.ts';
import { t } from '#web/language/texts.ts';
import styles from './route-map.module.css';

type RouteMapProps = {
  ports: readonly MapPort[];
  /** Pairs of ports by id, in either direction. */
  journeys: readonly (readonly [string, string])[];
  /** The chosen trip, from and to. */
  chosen: readonly [string, string] | null;
  /** SVG paths in the units of the map: land as areas, and coasts that are lines. */
  coastline?: { land: string; shores: string } | null;
  boats?: readonly BoatOnMap[];
  /** What pressing a port does, such as "From Port Madrona"; null if nothing. */
  describeAction: (id: string) => string | null;
  onPress: (id: string) => void;
};

/** A boat between two ports by id, with the share of the crossing that it has behind it. */
export type BoatOnMap = { id: string; from: string; to: string; share: number };

/** In units of the drawing: 24 pixels on a screen of 320 pixels. */
const SMALLEST_TARGET = 30;
const LARGEST_TARGET = '2.75rem';

/** A sketch of ports, each with a button over it. Ports too close for two buttons have none. */
export function RouteMap(props: RouteMapProps) {
  const { ports, journeys, chosen, coastline = null, boats = [], describeAction, onPress } = props;
  const ends: readonly string[] = chosen ?? [];
  const placed = placePorts(ports, ends);
  const find = (id: string | undefined) => placed.find((port) => port.id === id);
  const [from, to] = [find(ends[0]), find(ends[1])];
  const size = largestSquares(placed);
  return (
    <div className={styles.frame}>
      <svg className={styles.map} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {coastline && (
          <>
            <path className={styles.land} d={coastline.land} />
            <path className={styles.shore} d={coastline.shores} />
          </>
        )}
        {journeys.map(([a, b]) => (
          <Crossing key={`${a} ${b}`} className={styles.crossing} from={find(a)} to={find(b)} />
        ))}
        <Crossing className={styles.chosen} from={from} to={to} />
        {placed.map((port) => (
          <g key={port.id} className={ends.includes(port.id) ? styles.end : styles.port}>
            <circle
              className={port === to ? styles.goal : undefined}
              cx={port.x}
              cy={port.y}
              r={ends.includes(port.id) ? 6 : 4}
            />
            {port.label && (
              <text x={port.label.x} y={port.label.y} textAnchor={port.label.anchor}>
                {port.name}
              </text>
            )}
          </g>
        ))}
        {boats.map((boat) => (
          <Boat key={boat.id} from={find(boat.from)} to={find(boat.to)} share={boat.share} />
        ))}
        <path className={styles.north} d={`M${WIDTH - 12} 30V10M${WIDTH - 17} 16L${WIDTH - 12} 9l5 7`} />
        <text className={styles.northText} x={WIDTH - 12} y={44} textAnchor="middle">
          {/* Translators: marks the north of a map. */}
          {t('N')}
        </text>
      </svg>
      {size >= SMALLEST_TARGET &&
        placed.map(({ id, x, y }) => {
          const action = describeAction(id);
          return (
            action !== null && (
              <button
                key={id}
                type="button"
                className={styles.target}
                aria-label={action}
                style={{
                  left: `${(x / WIDTH) * 100}%`,
                  top: `${(y / HEIGHT) * 100}%`,
                  width: `min(${(size / WIDTH) * 100}%, ${LARGEST_TARGET})`,
                }}
                onClick={() => onPress(id)}
              />
            )
          );
        })}
    </div>
  );
}

type CrossingProps = {
  className: string | undefined;
  from?: PlacedPort | undefined;
  to?: PlacedPort | undefined;
};

function Crossing({ className, from, to }: CrossingProps) {
  if (from === undefined || to === undefined) return null;
  return <path className={className} d={`M${from.x} ${from.y}L${to.x} ${to.y}`} />;
}

function Boat({ from, to, share }: Omit<CrossingProps, 'className'> & { share: number }) {
  if (from === undefined || to === undefined) return null;
  const { x, y } = placeBetween(from, to, share);
  return <circle className={styles.boat} cx={x} cy={y} r={6} />;
}
