/** What passengers are told about the delay of their sailing. */
export type DelayNotice = 'late' | 'on_time';

type DelayState = {
  /** The delay that passengers were last told, in minutes; 0: none. */
  told: number;
  /** The delay now, in minutes. */
  delay: number;
};

/**
 * Whether passengers must be told the delay of their sailing: one of `from` minutes or more, a difference of as much to
 * what they were told, and that the sailing is on time again.
 */
export function findDelayNotice({ told, delay }: DelayState, from: number): DelayNotice | null {
  if (delay === 0) return told > 0 ? 'on_time' : null;
  return Math.abs(delay - told) >= from ? 'late' : null;
}
