import { isDeepStrictEqual } from 'node:util';
import { GROUP_LIMIT } from '#contract/limits.ts';
import type { QuoteChange } from '#contract/orders/change/schemas.ts';
import type { ChangeLine } from '#domain/changes/change-line.ts';
import { type ChangeSums, settleDifference, splitWaived } from '#domain/changes/settle-difference.ts';
import { calculateDiscountLines } from '#domain/fares/discounts.ts';
import { compareLegs, getDirection } from '#domain/orders/legs.ts';
import { isFareLine } from '#domain/refunds/paid-amounts.ts';
import { listRefundablePayments } from '#domain/refunds/split-refund.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { SalePoint } from '#server/capacity/sale-conditions.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { ApiError } from '#server/http/api-error.ts';
import { loadPriceInputs, type PriceInputs } from '#server/sailings/price-inputs.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { requirePlate } from '../buy/plate.ts';
import { calculateTakes, requireConnected, requireNotDeparted, requireOnSale } from '../buy/pricing.ts';
import { listActiveLines } from '../crossings/replace-journeys.ts';
import type { StoredOrder } from '../queries.ts';
import { carryCoveredJourney } from './carry-pass.ts';
import { sumForfeits } from './forfeits.ts';
import { numberJourneys } from './number-journeys.ts';
import { type ChangeableOrder, requireChangeable } from './plan.ts';
import { hasSameParty, type PricedJourney, priceJourneys, sumAmounts } from './price-journeys.ts';

/** A change with its lines at today's fares. */
export type PricedChange = {
  lines: ChangeLine[];
  /** Discounts for the waived part of the price. A quote shows them as the sum `waived`. */
  waivedLines: ChangeLine[];
  sums: ChangeSums;
  /** The part of what is forfeited that is a cancellation fee. */
  cancellationFee: number;
  /** By number in the party; null if the names stay as they are. */
  travelerNames: string[] | null;
  /** The order's promo code no longer applies. */
  isPromoLost: boolean;
};

/**
 * `isFree`: without a fee, also where the fare's rules do not allow it
 * `salePoint`: where the new boats must be on sale; staff move orders until the boat departs
 */
export type ChangeTerms = { isFree: boolean; salePoint: SalePoint };

export const BUYERS_TERMS: ChangeTerms = { isFree: false, salePoint: 'online' };

/**
 * Prices a change of an order.
 * @throws {ApiError} change_not_allowed, check_in_closed, not_found, plate_required, or the code of the rule that refuses
 * the sailings or the party
 */
export async function priceChange(
  context: Pick<Context, 'db' | 'clock'>,
  {
    sold,
    request,
    terms: { isFree, salePoint },
  }: { sold: ChangeableOrder; request: QuoteChange; terms: ChangeTerms },
): Promise<PricedChange> {
  const now = context.clock.now();
  const changed = request.journeys.toSorted((a, b) => compareLegs(a.direction, b.direction));
  const journeys = changed.map(({ direction }) => direction);
  const fee = requireChangeable(sold, { journeys, now, isFree });
  const ids = changed.flatMap(({ sailing_ids: own }) => own);
  const priceInputs = await loadPriceInputs(context.db, { sailingIds: ids, promoCode: sold.order.promoCode });
  const plate = request.plate ?? sold.order.plate;
  const settings = await loadWebSettings(context);
  for (const { vehicle } of changed) await requirePlate(context.db, { vehicle, plate }, settings);
  if (salePoint === 'ramp') requireNotDeparted(priceInputs.sailings);
  else requireOnSale(priceInputs.sailings, now);
  const today = getLocalDay(now.getTime(), priceInputs.catalogue.feed.timeZone);
  const maxParty = salePoint === 'ramp' ? GROUP_LIMIT : undefined;
  const priced = priceJourneys(sold, { journeys: changed, priceInputs, today, maxParty });
  requireWholeTrip(sold, { priced, priceInputs });
  requireDifferent(sold, { priced, plate });
  const { carried, bought } = await separateCovered(context.db, sold, { priced, priceInputs, plate });
  const price = sumAmounts(carried) + sumAmounts(bought.flatMap(({ lines }) => lines));
  const forfeits = sumForfeits(sold, { journeys: bought, now });
  const sums = settleDifference(
    { price, fee, carried: sumCarried(sold, journeys), forfeited: forfeits.amount },
    { currency: sold.order.currency, available: sumAvailable(sold) },
  );
  const { numbers, travelerNames } = numberJourneys(sold, bought);
  const lines = [
    ...carried,
    ...bought.flatMap((journey, index) =>
      toChangeLines(journey, { numbers: numbers[index] ?? [], priceInputs, plate }),
    ),
  ].toSorted((a, b) => compareLegs(a.leg, b.leg));
  return {
    lines,
    waivedLines: listWaivedLines(bought, splitWaived(sums).discount),
    sums,
    cancellationFee: forfeits.fee,
    travelerNames,
    isPromoLost: sold.order.promoCode !== null && !lines.some(({ kind }) => kind === 'discount'),
  };
}

/** The lines of journeys that trips of a pass paid for, and the journeys at today's fares. */
async function separateCovered(
  db: Database,
  sold: StoredOrder,
  {
    priced,
    ...priceInputs
  }: { priced: readonly PricedJourney[]; priceInputs: PriceInputs; plate: string | null },
): Promise<{ carried: ChangeLine[]; bought: PricedJourney[] }> {
  const carried: ChangeLine[] = [];
  const bought: PricedJourney[] = [];
  for (const journey of priced) {
    const lines = await carryCoveredJourney(db, sold, { journey, ...priceInputs });
    if (lines) carried.push(...lines);
    else bought.push(journey);
  }
  return { carried, bought };
}

function sumCarried(sold: StoredOrder, journeys: Parameters<typeof listActiveLines>[1]): number {
  return sumAmounts(listActiveLines(sold, journeys));
}

function sumAvailable({ payments, refunds }: StoredOrder): number {
  return listRefundablePayments(payments, refunds).reduce((sum, { left }) => sum + left, 0);
}

/** @throws {ApiError} return_before_outward, connection_missed */
function requireWholeTrip(
  sold: ChangeableOrder,
  { priced, priceInputs }: { priced: readonly PricedJourney[]; priceInputs: PriceInputs },
): void {
  const isKept = (leg: ChangeLine['leg']) =>
    !priced.some(({ direction }) => direction === getDirection(leg)) &&
    sold.lines.some((line) => line.leg === leg && line.status === 'active');
  const changed = priced.flatMap(({ sailings }) =>
    sailings.flatMap(({ leg, sailingId }) => {
      const sailing = priceInputs.sailings.find(({ id }) => id === sailingId);
      return sailing ? [{ leg, sailing }] : [];
    }),
  );
  const all = [...sold.legs.filter(({ leg }) => isKept(leg)), ...changed];
  requireConnected(all.toSorted((a, b) => compareLegs(a.leg, b.leg)));
}

/** @throws {ApiError} invalid_input if nothing would change */
function requireDifferent(
  sold: StoredOrder,
  { priced, plate }: { priced: readonly PricedJourney[]; plate: string | null },
): void {
  const isSame = priced.every((journey) => {
    const current = listActiveLines(sold, [journey.direction]);
    const vehicleLine = current.find(({ kind }) => kind === 'vehicle');
    const ownPlate = vehicleLine ? (vehicleLine.plate ?? sold.order.plate) : plate;
    return ownPlate === plate && hasSameParty(sold, journey) && hasSameBoats(current, journey);
  });
  if (!isSame) return;
  throw new ApiError('invalid_input', {
    field: 'journeys',
    reason: 'nothing_changed',
  });
}

function hasSameBoats(lines: readonly BoatLine[], journey: PricedJourney): boolean {
  const mapBoats = (all: readonly BoatLine[]) => new Map(all.map(({ leg, sailingId }) => [leg, sailingId]));
  return isDeepStrictEqual(mapBoats(lines), mapBoats(journey.lines));
}

type BoatLine = Pick<ChangeLine, 'leg' | 'sailingId'>;

/** Every leg of a journey has the same tickets in the same order. */
function toChangeLines(
  { lines, vehicle }: PricedJourney,
  {
    numbers,
    priceInputs,
    plate,
  }: { numbers: readonly number[]; priceInputs: PriceInputs; plate: string | null },
): ChangeLine[] {
  const next = new Map<string, number>();
  return lines.map((line) => {
    const start = next.get(line.leg) ?? 0;
    const count = isFareLine(line) ? line.quantity : 0;
    next.set(line.leg, start + count);
    const isVehicle = line.kind === 'vehicle';
    return {
      ...line,
      takes: calculateTakes(
        line,
        { vehicle },
        priceInputs.catalogue,
        priceInputs.sailings.find(({ id }) => id === line.sailingId),
      ),
      partyIndexes: numbers.slice(start, start + count),
      vehicle: isVehicle ? vehicle : null,
      plate: isVehicle ? plate : null,
    };
  });
}

/** The waived part of the price, over the journeys and tax rates in proportion. */
function listWaivedLines(priced: readonly PricedJourney[], discount: number): ChangeLine[] {
  if (discount === 0) return [];
  return calculateDiscountLines(
    priced.flatMap(({ lines }) => lines),
    priced.flatMap(({ sailings }) => sailings),
    { code: '', kind: 'amount', value: discount, routeCodes: null },
  )
    .filter(({ amount }) => amount !== 0)
    .map((line) => ({
      ...line,
      item: 'waived_difference' as const,
      description: '',
      ...{ takes: [], partyIndexes: [], vehicle: null, plate: null },
    }));
}
