import { isDeepStrictEqual } from 'node:util';
import type { ChangedWay } from '#contract/orders/change/schemas.ts';
import { checkPromo, type Promo } from '#domain/fares/discounts.ts';
import type { FareBook, PricedLine, SailingToPrice } from '#domain/fares/fare-book.ts';
import { priceParty } from '#domain/fares/fares.ts';
import { getWay, listLegsOfWay } from '#domain/orders/legs.ts';
import { isFareLine } from '#domain/refunds/paid-amounts.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { PriceFacts } from '#server/sailings/price-facts.ts';
import { createFareBook } from '#server/sailings/search.ts';
import { listActiveLines } from '../crossings/replace-ways.ts';
import type { SoldOrder } from '../plan-cancellation.ts';

/** A way with its lines at today's fares. */
export type PricedWay = ChangedWay & { sailings: SailingToPrice[]; lines: PricedLine[] };

/**
 * Prices ways in the order's fare class. Its promo code counts if it is still valid today; of an amount off the whole
 * order, what the other ways have not used.
 * @throws {ApiError} the code of the rule that refuses a way
 */
export function priceWays(
  sold: Pick<SoldOrder, 'order' | 'lines'>,
  { ways, facts, today }: { ways: readonly ChangedWay[]; facts: PriceFacts; today: string },
): PricedWay[] {
  const book = createFareBook(facts.catalogue);
  let promo = findPromo(facts.promo, today);
  if (promo) promo = withoutUsed(promo, listKeptLines(sold, ways));
  return ways.map((way, index) => {
    const sailings = listSailingsToPrice(way, facts);
    const { passengers, vehicle, bicycles } = way;
    const party = { passengers, vehicle, bicycles };
    const input = { sailings, party, fareClass: sold.order.fareClassCode, book };
    const lines = priceWay(input, { promo, index });
    if (promo) promo = withoutUsed(promo, lines);
    return { ...way, sailings, lines };
  });
}

/** Whether a way keeps its people, bicycles and vehicle. */
export function hasSameParty(
  { order, lines }: Pick<SoldOrder, 'order' | 'lines'>,
  { way, lines: wanted, vehicle }: PricedWay,
): boolean {
  const current = listActiveLines({ lines }, [way]);
  const known = current.find(({ kind }) => kind === 'vehicle');
  const own = known ? (known.vehicle ?? order.vehicle) : null;
  const onFirstBoat = (all: readonly Item[]) => countItems(all.filter(({ leg }) => leg === way));
  return isDeepStrictEqual(own, vehicle) && isDeepStrictEqual(onFirstBoat(current), onFirstBoat(wanted));
}

export function sumAmounts(lines: readonly { amount: number }[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

type Item = Pick<PricedLine, 'leg' | 'kind' | 'typeCode' | 'quantity'>;

function countItems(lines: readonly Item[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, typeCode, quantity } of lines.filter(isFareLine)) {
    const key = [kind, typeCode].join(' ');
    counts[key] = (counts[key] ?? 0) + quantity;
  }
  return counts;
}

/** Its use was counted at the purchase, so a code that is used up still applies. */
function findPromo(promo: PriceFacts['promo'], today: string): Promo | null {
  return promo && checkPromo({ ...promo, maxRedemptions: null }, today) === null ? promo : null;
}

function listKeptLines({ lines }: Pick<SoldOrder, 'lines'>, ways: readonly ChangedWay[]) {
  return lines.filter(
    ({ leg, status }) => status === 'active' && !ways.some(({ way }) => way === getWay(leg)),
  );
}

function withoutUsed(promo: Promo, lines: readonly Pick<PricedLine, 'kind' | 'amount'>[]): Promo | null {
  if (promo.kind !== 'amount') return promo;
  const used = lines.filter(({ kind }) => kind === 'discount').reduce((sum, { amount }) => sum - amount, 0);
  return used < promo.value ? { ...promo, value: promo.value - used } : null;
}

function listSailingsToPrice(
  { way, sailing_ids: ids }: ChangedWay,
  { sailings }: PriceFacts,
): SailingToPrice[] {
  return listLegsOfWay(way, ids.length).flatMap((leg, index) => {
    const sailing = sailings.find(({ id }) => id === ids[index]);
    if (!sailing) return [];
    const { id: sailingId, serviceDate, route, vessel } = sailing;
    return [{ leg, sailingId, serviceDate, route, vessel }];
  });
}

type WayToPrice = Pick<PricedWay, 'sailings'> & {
  party: Pick<ChangedWay, 'passengers' | 'vehicle' | 'bicycles'>;
  fareClass: string;
  book: FareBook;
};

function priceWay(input: WayToPrice, { promo, index }: { promo: Promo | null; index: number }): PricedLine[] {
  const priced = priceParty({ ...input, promo });
  if (priced.ok) return priced.lines;
  // The code is for other routes.
  if (priced.code === 'promo_invalid' && promo) return priceWay(input, { promo: null, index });
  const { code, field, message } = priced;
  throw new ApiError(code, {
    ...(field ? { field: `ways.${index}.${field}` } : {}),
    ...(message ? { message } : {}),
  });
}
