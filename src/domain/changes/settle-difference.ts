import { getChargeRules } from '../trip-cards/card-charges.ts';

/** What a change costs, in minor units. */
export type ChangeSums = {
  /** Of the new tickets. */
  price: number;
  fee: number;
  /** What was paid for the replaced tickets. */
  carried: number;
  /** The cancellation fee for removed tickets. */
  forfeited: number;
  /** The part of the difference that is too small to charge. */
  waived: number;
  /** price + fee + forfeited − carried − waived: to pay if positive, given back if negative. */
  difference: number;
};

/**
 * The difference of a change as a payment card can be charged or refunded. Less than the smallest charge is waived; a
 * refund never exceeds `available`.
 * @param available the remainder of the order's payments
 */
export function settleDifference(
  { price, fee, carried, forfeited }: Omit<ChangeSums, 'waived' | 'difference'>,
  { currency, available }: { currency: string; available: number },
): ChangeSums {
  const { smallest, step } = getChargeRules(currency);
  const due = price + fee + forfeited - carried;
  const sums = { price, fee, carried, forfeited };
  if (due > 0) {
    const payable = due < smallest ? 0 : due - (due % step);
    return { ...sums, waived: due - payable, difference: payable };
  }
  const refund = Math.min(-due, available);
  return { ...sums, waived: 0, difference: 0 - (refund - (refund % step)) };
}

/** The waived amount reduces the fee first, then the price of the new tickets. */
export function splitWaived({ fee, waived }: Pick<ChangeSums, 'fee' | 'waived'>): {
  fee: number;
  discount: number;
} {
  const ofFee = Math.min(fee, waived);
  return { fee: fee - ofFee, discount: waived - ofFee };
}
