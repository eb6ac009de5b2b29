import { scaleHalfEven } from '../fares/money.ts';

/** Of a journey, in minor units: tickets that a change removes, and those it adds in their place. */
export type RemovedTickets = {
  /** Paid for the removed tickets. */
  paid: number;
  /** What their cancellation would give back. */
  refund: number;
  /** The part of `paid - refund` that is a cancellation fee. */
  fee: number;
  /** The price of the tickets that the journey gets in addition. */
  added: number;
};

/**
 * What the fare keeps of removed tickets. Their value pays for added ones in full; only what is left of it goes back on
 * the terms of a cancellation, otherwise a change would give back more than canceling the same tickets.
 * @returns `fee`: the part of the amount that is a cancellation fee
 */
export function calculateForfeit({ paid, refund, fee, added }: RemovedTickets): {
  amount: number;
  fee: number;
} {
  const left = Math.max(0, paid - added);
  if (left === 0) return { amount: 0, fee: 0 };
  return { amount: scaleHalfEven(paid - refund, left, paid), fee: scaleHalfEven(fee, left, paid) };
}
