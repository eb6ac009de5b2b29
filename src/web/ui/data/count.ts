export type CountLimits = { min?: number | undefined; max?: number | undefined };

/** Keeps the number within the limits that are given. */
export function clampCount(count: number, { min, max }: CountLimits): number {
  return Math.max(min ?? Number.NEGATIVE_INFINITY, Math.min(max ?? Number.POSITIVE_INFINITY, count));
}

/** Only the digits of what was typed. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The number that was typed, within the limits; null when there is no digit in it. */
export function parseCount(text: string, limits: CountLimits): number | null {
  const digits = digitsOf(text);
  return digits === '' ? null : clampCount(Number(digits), limits);
}
