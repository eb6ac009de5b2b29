import type { FarePolicy } from '#contract/catalogue/schemas.ts';

export type RefundTier = FarePolicy['cancel'][number];

/** The refunded share of a paid amount. */
export type RefundTerms = {
  /** Basis points of the amount paid, before the fee is deducted. */
  refundBp: number;
  fee: number;
  /** `order`: once per order, however many tickets are canceled and when. */
  feePer: 'order' | 'ticket';
};

/** Applies when the operator is the cause. */
export const FULL_REFUND: RefundTerms = { refundBp: 10_000, fee: 0, feePer: 'order' };

/** The tiers that give something back, earliest deadline first. */
export function listRefundTiers(tiers: FarePolicy['cancel']): RefundTier[] {
  return tiers
    .filter((tier) => tier.refund_bp > 0)
    .toSorted((a, b) => b.until_minutes_before - a.until_minutes_before);
}

/**
 * The last instant at which a rule applies, in milliseconds since 1970. Counted in elapsed minutes, so that a clock
 * change before the departure does not move it.
 */
export function getDeadline(minutesBefore: number, departsAt: number): number {
  return departsAt - Math.max(0, minutesBefore) * 60_000;
}

export function isBeforeDeadline(
  minutesBefore: number,
  { departsAt, now }: { departsAt: number; now: number },
): boolean {
  return now <= getDeadline(minutesBefore, departsAt);
}

/**
 * The terms on which tickets of a sailing are refunded now; null if the fare gives nothing back any more.
 * @param departsAt scheduled departure, milliseconds since 1970
 */
export function findRefundTerms(
  tiers: FarePolicy['cancel'],
  departsAt: number,
  now: number,
): RefundTerms | null {
  const tier = listRefundTiers(tiers).find((each) =>
    isBeforeDeadline(each.until_minutes_before, { departsAt, now }),
  );
  return tier ? { refundBp: tier.refund_bp, fee: tier.fee, feePer: tier.fee_per ?? 'order' } : null;
}
