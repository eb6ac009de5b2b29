import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { addDays } from '../time/days.ts';
import { getDayStart, getLocalDay } from '../time/port-time.ts';

/* Instants in milliseconds since 1970. A pass ends when the last day on which travel can begin is over. */

/** `before`: its present end; null: none, or a new pass. */
type Use = { before: number | null; now: number; zone: string };

/**
 * The end of a pass after it is bought or renewed: the later of its present end and that of the new trips. A pass that
 * begins with its first use has none until then; once it has begun, a renewal in time begins at once.
 */
export function findEndAfterPurchase(terms: PassTerms, { before, now, zone }: Use): number | null {
  const isRunning = before !== null && before > now;
  if (terms.valid_from === 'first_use' && !isRunning) return null;
  const end = getEnd(terms, now, zone);
  return end === null ? null : Math.max(end, before ?? 0);
}

/** The end of a pass after a trip of it is used. */
export function findEndAfterUse(terms: PassTerms, { before, now, zone }: Use): number | null {
  return before ?? (terms.valid_from === 'first_use' ? getEnd(terms, now, zone) : null);
}

/** The last valid day of a pass that ends at this instant. */
export function getLastDay(end: number, zone: string): string {
  return getLocalDay(end - 1, zone);
}

/** The end of a pass that begins now; null: without an end. */
function getEnd({ valid_days: days }: PassTerms, now: number, zone: string): number | null {
  return days === null ? null : getDayStart(addDays(getLocalDay(now, zone), days + 1), zone);
}
