import type { ErrorCode } from '#contract/errors.ts';
import type { PricedLine, SailingToPrice } from './fare-book.ts';
import { apportion, getContainedTax, scaleHalfEven } from './money.ts';
import { getTaxKey, getTaxParts, joinTaxParts, type TaxPart, toTaxation } from './taxes.ts';

/** A promo code as used by pricing. */
export type Promo = {
  code: string;
  kind: 'percent_bp' | 'amount';
  /** Basis points, or minor units off the whole order. */
  value: number;
  /** Route codes it is valid for; null: all. */
  routeCodes: readonly string[] | null;
};

export type PromoTerms = Promo & {
  /** First and last day of purchase, `YYYY-MM-DD` on the operator's calendar. */
  startsOn: string | null;
  endsOn: string | null;
  maxRedemptions: number | null;
  redeemed: number;
  active: boolean;
};

/** Why a code cannot be used on this day; null if it can. */
export function checkPromo(promo: PromoTerms, today: string): ErrorCode | null {
  if (!promo.active) return 'promo_invalid';
  if (promo.startsOn !== null && today < promo.startsOn) return 'promo_invalid';
  if (promo.endsOn !== null && today > promo.endsOn) return 'promo_invalid';
  if (promo.maxRedemptions !== null && promo.redeemed >= promo.maxRedemptions) return 'promo_used_up';
  return null;
}

/**
 * The discount of a code: one negative line per eligible leg and taxation, so that the tax decreases with the price.
 * Empty if no leg is eligible. Never more than the fares.
 * @param step each discount is a multiple of this, as payment card charges are; in minor units
 */
export function calculateDiscountLines(
  lines: readonly PricedLine[],
  sailings: readonly SailingToPrice[],
  promo: Promo,
  step = 1,
): PricedLine[] {
  const groups = groupLines(lines, sailings, promo.routeCodes);
  const weights = groups.map((group) => group.amount);
  const available = weights.reduce((sum, weight) => sum + weight, 0);
  const discounts =
    promo.kind === 'percent_bp'
      ? weights.map((weight) => step * scaleHalfEven(weight, Math.min(promo.value, 10_000), 10_000 * step))
      : apportion(Math.floor(Math.min(promo.value, available) / step), weights).map((part) => step * part);
  return groups.map((group, index) => {
    const discount = discounts[index] ?? 0;
    const amount = 0 - discount;
    return {
      leg: group.leg,
      sailingId: group.sailingId,
      kind: 'discount',
      typeCode: null,
      item: 'promo_code',
      description: promo.code,
      quantity: 1,
      unitAmount: amount,
      amount,
      ...toTaxation(discountParts(group.parts, discount)),
    };
  });
}

type Group = Pick<PricedLine, 'leg' | 'sailingId' | 'amount'> & { taxKey: string; parts: TaxPart[] };

/** Takes a discount off the parts of a price in proportion to them. */
function discountParts(parts: readonly TaxPart[], discount: number): TaxPart[] {
  const grosses = apportion(
    discount,
    parts.map(({ gross }) => gross),
  );
  return parts.map((part, index) => {
    const gross = grosses[index] ?? 0;
    // Limited to the group's remaining tax, so that rounding line by line never makes it negative.
    const tax = getContainedTax(part.gross - gross, part.taxBp) - part.tax;
    return { ...part, gross: 0 - gross, tax: Math.max(0 - gross, Math.min(tax, gross)) };
  });
}

function groupLines(
  lines: readonly PricedLine[],
  sailings: readonly SailingToPrice[],
  routeCodes: readonly string[] | null,
): Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const sailing = sailings.find((each) => each.leg === line.leg);
    if (!sailing || (routeCodes && !routeCodes.includes(sailing.route.code))) continue;
    const { leg, sailingId, amount } = line;
    const [taxKey, parts] = [getTaxKey(line), getTaxParts(line)];
    const group = groups.find((each) => each.leg === leg && each.taxKey === taxKey);
    if (group) {
      group.amount += amount;
      group.parts = joinTaxParts([...group.parts, ...parts]);
    } else groups.push({ leg, sailingId, amount, taxKey, parts });
  }
  return groups;
}
