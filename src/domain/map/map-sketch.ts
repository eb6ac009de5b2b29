import { type Box, overlaps } from './boxes.ts';

export type MapPort = { id: string; name: string; lat: number; lon: number };

export type PlacedPort = MapPort & {
  x: number;
  y: number;
  /** The place of its name; null without room for it. */
  label: { x: number; y: number; anchor: 'start' | 'middle' | 'end' } | null;
};

/** The drawing's own units; on the narrowest phone one of them is about a pixel. */
export const WIDTH = 320;
export const HEIGHT = 220;
const FONT_SIZE = 14;

/**
 * Puts ports on a map whose north is up. A degree of longitude is as long as it is at the middle latitude, so near
 * ports lie to each other as they do at sea.
 * @param important ids of the ports whose names must be there, before all others
 */
export function placePorts(ports: readonly MapPort[], important: readonly string[]): PlacedPort[] {
  const project = createProjection(ports);
  const places = ports.map((port) => ({ ...port, ...project(port) }));
  const dots = places.map(({ x, y }) => boxAround(x, y, DOT));
  const taken = [...dots];
  const labels = new Map<string, PlacedPort['label']>();
  const rank = ({ id }: MapPort) => (important.includes(id) ? 0 : 1);
  for (const place of places.toSorted((a, b) => rank(a) - rank(b))) {
    const own = dots[places.indexOf(place)];
    const free = listLabels(place).find(
      ({ box }) => isInside(box) && taken.every((other) => other === own || !overlaps(box, other)),
    );
    if (free !== undefined) taken.push(free.box);
    labels.set(place.id, free?.label ?? null);
  }
  return places.map((place) => ({ ...place, label: labels.get(place.id) ?? null }));
}

/** The size of the largest squares around all ports that do not overlap. */
export function largestSquares(ports: readonly PlacedPort[]): number {
  const distances = ports.flatMap((a, index) =>
    ports.slice(index + 1).map((b) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))),
  );
  return Math.min(WIDTH, ...distances);
}

/** The place of a boat that has a share of the way from one port to another behind it. */
export function placeBetween(from: Point, to: Point, share: number): Point {
  return { x: round(from.x + (to.x - from.x) * share), y: round(from.y + (to.y - from.y) * share) };
}

type Place = { lat: number; lon: number };
type Point = { x: number; y: number };

/**
 * How places are drawn on the map of some ports: as large as the drawing allows with room for the ports' names, and
 * centered.
 */
export function createProjection(ports: readonly Place[]): (place: Place) => Point {
  const lats = ports.map(({ lat }) => lat);
  const shrink = Math.cos((((Math.min(...lats) + Math.max(...lats)) / 2) * Math.PI) / 180);
  const middle = ports[0]?.lon ?? 0;
  const flatten = ({ lat, lon }: Place): Point => {
    // The shorter way, which may cross the date line.
    const east = lon - middle;
    return { x: (east - 360 * Math.round(east / 360)) * shrink, y: -lat };
  };
  const points = ports.map(flatten);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [north, south] = [Math.min(...ys), Math.max(...ys)];
  const room = { width: WIDTH - 2 * SIDE, height: HEIGHT - 2 * EDGE };
  const scale = Math.min(room.width / (east - west || TINY), room.height / (south - north || TINY));
  return (place) => {
    const { x, y } = flatten(place);
    return {
      x: round(WIDTH / 2 + (x - (west + east) / 2) * scale),
      y: round(HEIGHT / 2 + (y - (north + south) / 2) * scale),
    };
  };
}

/** Beside the dot where there is room, else above or below it. */
function listLabels({
  x,
  y,
  name,
}: Point & MapPort): { label: NonNullable<PlacedPort['label']>; box: Box }[] {
  const width = name.length * FONT_SIZE * LETTER;
  const half = FONT_SIZE / 2;
  const at = (middle: number, left: number) => ({
    left,
    right: left + width,
    top: middle - half,
    bottom: middle + half,
  });
  const baseline = FONT_SIZE * 0.35;
  const away = DOT + FONT_SIZE;
  return [
    { label: { x: x + GAP, y: y + baseline, anchor: 'start' as const }, box: at(y, x + GAP) },
    { label: { x: x - GAP, y: y + baseline, anchor: 'end' as const }, box: at(y, x - GAP - width) },
    { label: { x, y: y - away + baseline, anchor: 'middle' as const }, box: at(y - away, x - width / 2) },
    { label: { x, y: y + away + baseline, anchor: 'middle' as const }, box: at(y + away, x - width / 2) },
  ].map(({ label, box }) => ({ label: { ...label, x: round(label.x), y: round(label.y) }, box }));
}

function boxAround(x: number, y: number, size: number): Box {
  return { left: x - size, right: x + size, top: y - size, bottom: y + size };
}

function isInside({ left, right, top, bottom }: Box): boolean {
  return left >= 0 && right <= WIDTH && top >= 0 && bottom <= HEIGHT;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const DOT = 7;
const GAP = 12;
const SIDE = 40;
const EDGE = 20;
/** An upper estimate of the average width of a letter, in font sizes. */
const LETTER = 0.58;
/** Ports at one place, or one above the other. */
const TINY = 1e-6;
