import { createProjection, HEIGHT, WIDTH } from './map-sketch.ts';

/** A position as GeoJSON writes it: longitude, latitude. */
export type Position = readonly [number, number];

/** Rings around land, and lines that are no rings. */
export type Coastline = { rings: readonly (readonly Position[])[]; lines: readonly (readonly Position[])[] };

/** SVG paths in the units of the map: land as areas, and coasts that are drawn as lines. */
export type DrawnCoastline = { land: string; shores: string };

type Point = { x: number; y: number };

/** How far outside the drawing its shapes end, so that no edge of theirs is seen. */
const MARGIN = 8;
/** How far a simplified line may be from the original, in units of the drawing. */
const TOLERANCE = 0.6;
/** Points nearer to each other than this are one. */
const NEAR = 0.2;
/** A square of this many units is hardly seen. */
const SMALLEST_AREA = 5;
const MOST_POINTS = 500;
/** Of one line. */
const MOST_EXAMINED = 10_000;

/**
 * Draws the part of a coastline that lies on the map of some ports, with as few points as it takes to look the same; at
 * most `MOST_POINTS`.
 */
export function drawCoastline(
  { rings, lines }: Coastline,
  ports: readonly { lat: number; lon: number }[],
): DrawnCoastline {
  const project = createProjection(ports);
  const toPoints = (positions: readonly Position[]) =>
    joinNear(positions.map(([lon, lat]) => project({ lat, lon })));
  let areas = rings.map((ring) => clip(toPoints(ring))).filter((ring) => getArea(ring) >= SMALLEST_AREA);
  let shores: readonly (readonly Point[])[] = lines.flatMap((line) => splitAtEdges(toPoints(line)));
  for (let tolerance = TOLERANCE; ; tolerance *= 1.5) {
    areas = areas.map((ring) => simplifyRing(ring, tolerance)).filter((ring) => ring.length > 2);
    shores = shores.map((line) => simplify(line, tolerance));
    if ([...areas, ...shores].flat().length <= MOST_POINTS)
      return { land: areas.map(toPath).join(''), shores: shores.map(toLine).join('') };
  }
}

function toPath(points: readonly Point[]): string {
  return `${toLine(points)}Z`;
}

function toLine(points: readonly Point[]): string {
  return `M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join('L')}`;
}

/** Coastlines may have a point every few meters. Of very long lines only as many points are kept as can be examined. */
function joinNear(points: readonly Point[]): Point[] {
  const joined: Point[] = [];
  const step = Math.ceil(points.length / MOST_EXAMINED);
  for (const [index, point] of points.entries()) {
    if (index % step > 0) continue;
    const last = joined.at(-1);
    if (last === undefined || Math.hypot(point.x - last.x, point.y - last.y) >= NEAR) joined.push(point);
  }
  return joined;
}

/** The edges of the drawing: which side of each is inside, and where a line crosses it. */
const EDGES = [
  { axis: 'x', at: -MARGIN, sign: 1 },
  { axis: 'x', at: WIDTH + MARGIN, sign: -1 },
  { axis: 'y', at: -MARGIN, sign: 1 },
  { axis: 'y', at: HEIGHT + MARGIN, sign: -1 },
] as const;
type Edge = (typeof EDGES)[number];

function isInside(point: Point, { axis, at, sign }: Edge): boolean {
  return (point[axis] - at) * sign >= 0;
}

/** The part of a ring inside the drawing, after Sutherland and Hodgman. */
function clip(ring: readonly Point[]): readonly Point[] {
  return EDGES.reduce<readonly Point[]>((points, edge) => {
    return points.flatMap((point, index) => {
      const before = points.at(index - 1) ?? point;
      const crossing = isInside(point, edge) === isInside(before, edge) ? [] : [cross(before, point, edge)];
      return isInside(point, edge) ? [...crossing, point] : crossing;
    });
  }, ring);
}

function cross(from: Point, to: Point, { axis, at }: Edge): Point {
  const share = (at - from[axis]) / (to[axis] - from[axis]);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** The parts of a line that are inside the drawing, each with the point before and after it. */
function splitAtEdges(line: readonly Point[]): Point[][] {
  const isSeen = (point: Point | undefined) =>
    point !== undefined && EDGES.every((edge) => isInside(point, edge));
  const parts: Point[][] = [];
  for (const [index, point] of line.entries()) {
    const isPart = isSeen(point) || isSeen(line[index - 1]) || isSeen(line[index + 1]);
    if (!isPart) parts.push([]);
    else if (parts.length === 0) parts.push([point]);
    else parts.at(-1)?.push(point);
  }
  return parts.filter((part) => part.length > 1);
}

/** A ring has no ends to keep, so it is simplified as two lines between its first point and the one farthest from it. */
function simplifyRing(ring: readonly Point[], tolerance: number): readonly Point[] {
  const [first] = ring;
  if (first === undefined) return [];
  const { at: farthest } = findLargest(ring, (point) => Math.hypot(point.x - first.x, point.y - first.y));
  const [there, back] = [ring.slice(0, farthest + 1), [...ring.slice(farthest), first]];
  return [...simplify(there, tolerance).slice(0, -1), ...simplify(back, tolerance).slice(0, -1)];
}

/** Leaves out the points of a line that are near the line without them, after Douglas and Peucker. */
function simplify(line: readonly Point[], tolerance: number): readonly Point[] {
  const kept = new Set([0, line.length - 1]);
  const stretches: [number, number][] = [[0, line.length - 1]];
  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const [start, end] = stretch;
    const [from, to] = [line[start], line[end]];
    if (from === undefined || to === undefined) continue;
    const between = line.slice(start + 1, end);
    const { at, size } = findLargest(between, (point) => getDistance(point, from, to));
    if (size <= tolerance) continue;
    const middle = start + 1 + at;
    kept.add(middle);
    stretches.push([start, middle], [middle, end]);
  }
  return line.filter((_, index) => kept.has(index));
}

/** From a point to the line between two others, or to one of them if they are at the same place. */
function getDistance(point: Point, from: Point, to: Point): number {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return Math.hypot(point.x - from.x, point.y - from.y);
  const area = (to.x - from.x) * (from.y - point.y) - (from.x - point.x) * (to.y - from.y);
  return Math.abs(area) / length;
}

function findLargest(
  points: readonly Point[],
  measure: (point: Point) => number,
): { at: number; size: number } {
  let largest = { at: 0, size: 0 };
  for (const [at, point] of points.entries()) {
    const size = measure(point);
    if (size > largest.size) largest = { at, size };
  }
  return largest;
}

function getArea(ring: readonly Point[]): number {
  const doubled = ring.reduce((sum, { x, y }, index) => {
    const next = ring[(index + 1) % ring.length] ?? { x, y };
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(doubled) / 2;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
