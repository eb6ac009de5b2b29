import { apportion, getContainedTax } from './money.ts';

/** What tax rules tell apart. `fee`: of changes and cancellations. */
export const TAX_PRODUCTS = ['passenger', 'vehicle', 'bicycle', 'fee'] as const;
export type TaxProduct = (typeof TAX_PRODUCTS)[number];

/** A share of a price and the tax rate of this share, both in basis points. `name`: the operator's, may be empty. */
export type TaxShare = { shareBp: number; taxBp: number; name: string };

/** A share of an amount in minor units. `tax` is contained in `gross`; both are negative for a discount. */
export type TaxPart = TaxShare & { gross: number; tax: number };

/** The tax of an amount. `taxParts`: null: all of it at `taxBp`; otherwise `taxBp` is the average of their rates. */
export type Taxation = { taxBp: number; tax: number; taxParts: TaxPart[] | null };
export type TaxedAmount = Taxation & { amount: number };

/** A share of the prices of a product on a route. First and last service day, `YYYY-MM-DD`. */
export type TaxRule = TaxShare & {
  routeId: string;
  product: TaxProduct;
  validFrom: string | null;
  validUntil: string | null;
  priority: number;
};

const WHOLE_BP = 10_000;

/** One rate for a whole price. */
export function taxAllAt(taxBp: number): TaxShare[] {
  return [{ shareBp: WHOLE_BP, taxBp, name: '' }];
}

/**
 * The shares of a product's prices on a service day: the rules with the highest priority among those valid then.
 * Null if there are none.
 */
export function findTaxShares(
  rules: readonly TaxRule[],
  { routeId, product, day }: { routeId: string; product: TaxProduct; day: string },
): TaxShare[] | null {
  const valid = rules.filter(
    (rule) =>
      rule.routeId === routeId &&
      rule.product === product &&
      (rule.validFrom === null || rule.validFrom <= day) &&
      (rule.validUntil === null || rule.validUntil >= day),
  );
  if (valid.length === 0) return null;
  const highest = Math.max(...valid.map(({ priority }) => priority));
  return valid
    .filter(({ priority }) => priority === highest)
    .map(({ shareBp, taxBp, name }) => ({ shareBp, taxBp, name }));
}

/** Splits an amount into shares that add up to it exactly, with the tax of each rounded once. */
export function splitTax(amount: number, shares: readonly TaxShare[]): TaxPart[] {
  const grosses = apportionSigned(
    amount,
    shares.map(({ shareBp }) => shareBp),
  );
  return shares.map(({ shareBp, taxBp, name }, index) => {
    const gross = grosses[index] ?? 0;
    return { shareBp, taxBp, name, gross, tax: getContainedTax(gross, taxBp) };
  });
}

/** The columns of a line with these parts. */
export function toTaxation(parts: readonly TaxPart[]): Taxation {
  const tax = parts.reduce((sum, part) => sum + part.tax, 0);
  const [first, second] = parts;
  const isPlain = first?.name === '' && !second;
  return { taxBp: getAverageRate(parts), tax, taxParts: isPlain ? null : [...parts] };
}

/** The parts of a line's amount; one for a line at a single rate. */
export function getTaxParts({ amount, taxBp, tax, taxParts }: TaxedAmount): TaxPart[] {
  return taxParts ?? taxAllAt(taxBp).map((share) => ({ ...share, gross: amount, tax }));
}

/** Equal for lines with the same shares at the same rates. */
export function getTaxKey({ taxBp, taxParts }: Pick<Taxation, 'taxBp' | 'taxParts'>): string {
  const shares = taxParts ?? taxAllAt(taxBp);
  return JSON.stringify(shares.map(({ shareBp, taxBp: rate, name }) => [shareBp, rate, name]));
}

/** What a part of a line's amount takes of its tax parts, in proportion and rounded towards zero. */
export function takeTaxParts(line: TaxedAmount, amount: number): TaxPart[] {
  const parts = getTaxParts(line);
  const grosses = apportionSigned(
    amount,
    parts.map(({ gross }) => Math.abs(gross)),
  );
  return parts.map((part, index) => {
    const gross = grosses[index] ?? 0;
    return { ...part, gross, tax: part.gross === 0 ? 0 : Math.trunc((part.tax * gross) / part.gross) };
  });
}

/** What is left of a line's tax parts without those taken from them. */
export function leaveTaxParts(line: TaxedAmount, taken: readonly TaxPart[]): TaxPart[] {
  return getTaxParts(line).map((part, index) => ({
    ...part,
    gross: part.gross - (taken[index]?.gross ?? 0),
    tax: part.tax - (taken[index]?.tax ?? 0),
  }));
}

/** Adds up parts by rate. If they were split differently, the shares are those of the sum. */
export function joinTaxParts(parts: readonly TaxPart[]): TaxPart[] {
  const groups = [...Map.groupBy(parts, ({ taxBp, name }) => `${taxBp} ${name}`).values()];
  const joined = groups.flatMap(([first, ...rest]) =>
    first ? [rest.reduce((sum, { gross, tax }) => addTo(sum, { gross, tax }), first)] : [],
  );
  const isSplitAlike = groups.every((group) => group.every(({ shareBp }) => shareBp === group[0]?.shareBp));
  if (isSplitAlike && joined.reduce((sum, { shareBp }) => sum + shareBp, 0) === WHOLE_BP) return joined;
  const shares = apportion(
    WHOLE_BP,
    joined.map(({ gross }) => Math.abs(gross)),
  );
  return joined.map((part, index) => ({ ...part, shareBp: shares[index] ?? 0 }));
}

function addTo(part: TaxPart, { gross, tax }: Pick<TaxPart, 'gross' | 'tax'>): TaxPart {
  return { ...part, gross: part.gross + gross, tax: part.tax + tax };
}

/** The rate at which the whole price would contain the same tax. */
function getAverageRate(shares: readonly TaxShare[]): number {
  const contained = shares.reduce(
    (sum, { shareBp, taxBp }) => sum + (shareBp * taxBp) / (WHOLE_BP + taxBp),
    0,
  );
  return Math.round((WHOLE_BP * contained) / (WHOLE_BP - contained));
}

function apportionSigned(amount: number, weights: readonly number[]): number[] {
  return amount < 0 ? apportion(-amount, weights).map((part) => 0 - part) : apportion(amount, weights);
}
