import type { BreakageRule } from '#contract/settings/schemas.ts';
import { scaleHalfEven } from '../fares/money.ts';

/** A pass with its replacements. Amounts in minor units; trips of all purchases. */
export type PassValue = {
  isOver: boolean;
  /** Paid for the pass. */
  paid: number;
  /** What its trips have paid, less what was given back and what they paid beyond its value. */
  spent: number;
  boughtTrips: number;
  /** Without those that were used before a purchase and not bought until then, such as trips of an imported pass. */
  usedTrips: number;
  unusedTrips: number;
};
type Breakage = { trips: number; amount: number };

/**
 * What of a pass has become revenue without being used (IFRS 15, B44 to B47). When it has ended, that is the rest of what was
 * paid for it, so that it is worth nothing any more. Before, by the proportional rule, the expected rest in proportion to the
 * trips expected to be used.
 * @param percent of trips that are expected never to be used
 */
export function getBreakage(
  pass: PassValue,
  { rule, percent }: { rule: BreakageRule; percent: number },
): Breakage {
  if (pass.isOver) return { trips: pass.unusedTrips, amount: pass.paid - pass.spent };
  const expectedUses = Math.round(pass.boughtTrips * (100 - percent));
  if (rule !== 'proportional' || expectedUses <= 0) return { trips: 0, amount: 0 };
  const expected = scaleHalfEven(pass.paid, Math.round(percent * 100), 10_000);
  const uses = Math.min(Math.max(0, pass.usedTrips) * 100, expectedUses);
  return { trips: 0, amount: scaleHalfEven(expected, uses, expectedUses) };
}
