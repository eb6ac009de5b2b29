import { HEIGHT, type MapPort, type PlacedPort, placePorts, WIDTH } from './map-sketch.ts';
import styles from './route-map.module.css';

export type RouteMapProps = {
  ports: readonly MapPort[];
  /** Pairs of ports by id, in either direction. */
  ways: readonly (readonly [string, string])[];
  /** The way that is travelled, from and to. */
  chosen: readonly [string, string] | null;
};

/** A sketch for the eye; who does not see it has the ports' names in the choice beside it. */
export function RouteMap({ ports, ways, chosen }: RouteMapProps) {
  const ends: readonly string[] = chosen ?? [];
  const placed = placePorts(ports, ends);
  const find = (id: string | undefined) => placed.find((port) => port.id === id);
  const [from, to] = [find(ends[0]), find(ends[1])];
  return (
    <svg className={styles.map} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {ways.map(([a, b]) => (
        <Way key={`${a} ${b}`} className={styles.way} from={find(a)} to={find(b)} />
      ))}
      <Way className={styles.chosen} from={from} to={to} />
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
      <path className={styles.north} d={`M${WIDTH - 12} 30V10M${WIDTH - 17} 16L${WIDTH - 12} 9l5 7`} />
      <text className={styles.northText} x={WIDTH - 12} y={44} textAnchor="middle">
        N
      </text>
    </svg>
  );
}

type WayProps = {
  className: string | undefined;
  from: PlacedPort | undefined;
  to: PlacedPort | undefined;
};

function Way({ className, from, to }: WayProps) {
  if (from === undefined || to === undefined) return null;
  return <path className={className} d={`M${from.x} ${from.y}L${to.x} ${to.y}`} />;
}
