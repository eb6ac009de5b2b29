/** Middle of several runs, with how far they lay apart. */
export type Figure = { median: number; min: number; max: number };

export function figureOf(values: readonly number[]): Figure {
  if (values.length === 0) throw new Error('Nothing was measured.');
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), min: quantile(sorted, 0), max: quantile(sorted, 1) };
}

/** A percentile of ascending values, interpolated between two of them. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function showFigure({ median, min, max }: Figure, digits = 0): string {
  return `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
}

/** The last value of each list, by its name. */
export function showLast(lists: Record<string, readonly number[]>): string {
  return Object.entries(lists)
    .map(([name, values]) => `${name} ${values.at(-1)?.toFixed(0)}`)
    .join(', ');
}
