export type BalancePoint = {
  /** Milliseconds since the epoch. */
  at: number;
  /** In minor units, from this moment on. */
  balance: number;
  /** Marked with a dot. */
  isTopUp?: boolean | undefined;
};

export type BalanceScale = {
  /** Equally far apart, lowest first; all of the line lies between the first and the last. */
  ticks: readonly number[];
  start: number;
  end: number;
};

/** The drawing's units, stretched to the room there is. */
export const WIDTH = 600;
export const HEIGHT = 100;

/**
 * Where the axes begin and end: round amounts around all balances, with nothing among them, and time from the first
 * point to `until`, or to the last point when that is later.
 * @param points at least one, oldest first
 */
export function findScale(points: readonly BalancePoint[], until: number): BalanceScale {
  let low = 0;
  let high = 0;
  for (const { balance } of points) {
    low = Math.min(low, balance);
    high = Math.max(high, balance);
  }
  const step = roundStep((high - low) / STEPS);
  const bottom = Math.floor(low / step);
  const top = Math.max(Math.ceil(high / step), bottom + 1);
  const ticks = Array.from({ length: top - bottom + 1 }, (_, index) => (bottom + index) * step);
  const start = points[0]?.at ?? until;
  return { ticks, start, end: Math.max(until, points.at(-1)?.at ?? until, start + 1) };
}

/** The balance as a stepped line. */
export function linePath(points: readonly BalancePoint[], scale: BalanceScale): string {
  let path = '';
  for (const { x, y } of thin(points, scale)) path += path === '' ? `M${x} ${y}` : `H${x}V${y}`;
  return `${path}H${WIDTH}`;
}

/** A point for each top-up, drawn as a zero-length line with round ends, so that stretching the drawing keeps it a dot. */
export function topUpsPath(points: readonly BalancePoint[], scale: BalanceScale): string {
  const dots = points.filter(({ isTopUp }) => isTopUp).map((point) => place(point, scale));
  return [...new Set(dots.map(({ x, y }) => `M${x} ${y}h0`))].join('');
}

export function findHeight(balance: number, { ticks }: BalanceScale): number {
  const bottom = ticks[0] ?? 0;
  const top = ticks.at(-1) ?? 1;
  return Math.round(10 * HEIGHT * (1 - (balance - bottom) / (top - bottom))) / 10;
}

type Place = { x: number; y: number };

/** Of many points in one column of the drawing, only the first, the extremes and the last are visible. */
function thin(points: readonly BalancePoint[], scale: BalanceScale): Place[] {
  const visible: Place[] = [];
  let column: Place[] = [];
  for (const point of points) {
    const at = place(point, scale);
    if (column[0] !== undefined && column[0].x !== at.x) {
      visible.push(...outline(column));
      column = [];
    }
    column.push(at);
  }
  return [...visible, ...outline(column)];
}

function outline(column: Place[]): Place[] {
  if (column.length <= 4) return column;
  const heights = column.map(({ y }) => y);
  const shown = new Set([
    0,
    heights.indexOf(Math.min(...heights)),
    heights.indexOf(Math.max(...heights)),
    column.length - 1,
  ]);
  return column.filter((_, index) => shown.has(index));
}

function place({ at, balance }: BalancePoint, scale: BalanceScale): Place {
  const x = Math.round((WIDTH * (at - scale.start)) / (scale.end - scale.start));
  return { x, y: findHeight(balance, scale) };
}

const STEPS = 3;

/** The next of 1, 2, 5, 10, 20, 50… that is as large; a whole number, as amounts are. */
function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const digit = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  return digit * power;
}
