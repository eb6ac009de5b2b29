import type { LINE_KINDS } from '#contract/orders/buy/schemas.ts';
import { apportion } from '../fares/money.ts';
import { getTaxKey, type Taxation } from '../fares/taxes.ts';
import { getChargeRules } from '../trip-cards/card-charges.ts';

/** An active line of an order. */
export type BoughtLine = Pick<Taxation, 'taxBp' | 'taxParts'> & {
  id: string;
  leg: string;
  kind: (typeof LINE_KINDS)[number];
  quantity: number;
  unitAmount: number;
  /** quantity × unitAmount, negative for a discount. */
  amount: number;
};

/**
 * What was paid for each ticket of each fare line, after discounts and fees. Those apply to the lines of their leg and
 * taxation and are split in proportion to the fares, in amounts that a payment card can be refunded; the sum over all
 * tickets is the sum over all lines.
 * @returns one amount per ticket, by line id; none for discounts and fees
 */
export function getPaidAmounts(lines: readonly BoughtLine[], currency: string): Map<string, number[]> {
  const { step } = getChargeRules(currency);
  const paid = new Map<string, number[]>();
  for (const group of groupLines(lines)) {
    const fares = group.filter(isFareLine);
    const weights = fares.flatMap(({ quantity, unitAmount }) =>
      Array.from({ length: quantity }, () => unitAmount),
    );
    const shares = splitAdjustment(sumAmounts(group.filter((line) => !isFareLine(line))), weights, step);
    let next = 0;
    for (const { id, quantity, unitAmount } of fares) {
      paid.set(
        id,
        shares.slice(next, next + quantity).map((share) => unitAmount + share),
      );
      next += quantity;
    }
  }
  return paid;
}

/** Whether a line has tickets; discounts and fees change the price of others. */
export function isFareLine({ kind }: Pick<BoughtLine, 'kind'>): boolean {
  return kind !== 'discount' && kind !== 'fee';
}

function groupLines(lines: readonly BoughtLine[]): BoughtLine[][] {
  return [...Map.groupBy(lines, (line) => `${line.leg} ${getTaxKey(line)}`).values()];
}

/** @param amount negative for discounts */
function splitAdjustment(amount: number, weights: readonly number[], step: number): number[] {
  const unit = Math.sign(amount) * (amount % step === 0 ? step : 1);
  const shares = apportion(unit === 0 ? 0 : amount / unit, weights);
  return shares.map((share) => (share === 0 ? 0 : share * unit));
}

function sumAmounts(lines: readonly BoughtLine[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}
