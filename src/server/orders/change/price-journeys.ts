import { isDeepStrictEqual } from 'node:util';
import type { ChangedJourney } from '#contract/orders/change/schemas.ts';
import { checkPromo, type Promo } from '#domain/fares/discounts.ts';
import type { FareBook, PricedLine, SailingToPrice } from '#domain/fares/fare-book.ts';
import { priceParty } from '#domain/fares/fares.ts';
import { getDirection, listLegsOfJourney } from '#domain/orders/legs.ts';
import { isFareLine } from '#domain/refunds/paid-amounts.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { PriceInputs } from '#server/sailings/price-inputs.ts';
import { createFareBook } from '#server/sailings/search.ts';
import { listActiveLines } from '../crossings/replace-journeys.ts';
import type { StoredOrder } from '../queries.ts';

/** A journey with its lines at today's fares. */
export type PricedJourney = ChangedJourney & { sailings: SailingToPrice[]; lines: PricedLine[] };

/**
 * Prices journeys in the order's fare class. Its promo code counts if it is still valid today; a
 * code for an amount off the whole order gives what the other journeys have not used.
 * @param input maxParty: most people of a journey; undefined: as the public may buy
 * @throws {ApiError} the code of the rule that refuses a journey
 */
export function priceJourneys(
  sold: Pick<StoredOrder, 'order' | 'lines'>,
  {
    journeys,
    priceInputs,
    today,
    maxParty,
  }: {
    journeys: readonly ChangedJourney[];
    priceInputs: PriceInputs;
    today: string;
    maxParty: number | undefined;
  },
): PricedJourney[] {
  const book = createFareBook(priceInputs.catalogue, maxParty);
  let promo = findPromo(priceInputs.promo, today);
  if (promo) promo = withoutUsed(promo, listKeptLines(sold, journeys));
  return journeys.map((journey, index) => {
    const sailings = listSailingsToPrice(journey, priceInputs);
    const { passengers, vehicle, bicycles } = journey;
    const party = { passengers, vehicle, bicycles };
    const input = { sailings, party, fareClass: sold.order.fareClassCode, book };
    const lines = priceJourney(input, { promo, index });
    if (promo) promo = withoutUsed(promo, lines);
    return { ...journey, sailings, lines };
  });
}

/** Whether a journey keeps its people, bicycles and vehicle. */
export function hasSameParty(
  { order, lines }: Pick<StoredOrder, 'order' | 'lines'>,
  { direction, lines: newLines, vehicle }: PricedJourney,
): boolean {
  const current = listActiveLines({ lines }, [direction]);
  const vehicleLine = current.find(({ kind }) => kind === 'vehicle');
  const own = vehicleLine ? (vehicleLine.vehicle ?? order.vehicle) : null;
  const onFirstBoat = (all: readonly Item[]) => countItems(all.filter(({ leg }) => leg === direction));
  return isDeepStrictEqual(own, vehicle) && isDeepStrictEqual(onFirstBoat(current), onFirstBoat(newLines));
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
function findPromo(promo: PriceInputs['promo'], today: string): Promo | null {
  return promo && checkPromo({ ...promo, maxRedemptions: null }, today) === null ? promo : null;
}

function listKeptLines({ lines }: Pick<StoredOrder, 'lines'>, journeys: readonly ChangedJourney[]) {
  return lines.filter(
    ({ leg, status }) =>
      status === 'active' && !journeys.some(({ direction }) => direction === getDirection(leg)),
  );
}

function withoutUsed(promo: Promo, lines: readonly Pick<PricedLine, 'kind' | 'amount'>[]): Promo | null {
  if (promo.kind !== 'amount') return promo;
  const used = lines.filter(({ kind }) => kind === 'discount').reduce((sum, { amount }) => sum - amount, 0);
  return used < promo.value ? { ...promo, value: promo.value - used } : null;
}

function listSailingsToPrice(
  { direction, sailing_ids: ids }: ChangedJourney,
  { sailings }: PriceInputs,
): SailingToPrice[] {
  return listLegsOfJourney(direction, ids.length).flatMap((leg, index) => {
    const sailing = sailings.find(({ id }) => id === ids[index]);
    if (!sailing) return [];
    const { id: sailingId, serviceDate, route, vessel } = sailing;
    return [{ leg, sailingId, serviceDate, route, vessel }];
  });
}

type JourneyToPrice = Pick<PricedJourney, 'sailings'> & {
  party: Pick<ChangedJourney, 'passengers' | 'vehicle' | 'bicycles'>;
  fareClass: string;
  book: FareBook;
};

function priceJourney(
  input: JourneyToPrice,
  { promo, index }: { promo: Promo | null; index: number },
): PricedLine[] {
  const priced = priceParty({ ...input, promo });
  if (priced.ok) return priced.lines;
  // The code is for other routes.
  if (priced.code === 'promo_invalid' && promo) return priceJourney(input, { promo: null, index });
  const { code, field } = priced;
  throw new ApiError(code, {
    ...(field ? { field: `journeys.${index}.${field}` } : {}),
  });
}
