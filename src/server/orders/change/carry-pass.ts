import { inArray } from 'drizzle-orm';
import type { ChangeLine } from '#domain/changes/change-line.ts';
import type { Direction } from '#domain/orders/legs.ts';
import { isJourneyCovered, isSamePassTrip, sumCoverage } from '#domain/passes/coverage.ts';
import type { Database } from '#server/database/database.ts';
import type { PaymentRow } from '#server/database/schema/sales.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { PriceInputs } from '#server/sailings/price-inputs.ts';
import type { TimetableRecord } from '#server/sailings/queries.ts';
import { carryJourney } from '../crossings/move-journey.ts';
import { listActiveLines } from '../crossings/replace-journeys.ts';
import type { StoredOrder } from '../queries.ts';
import { hasSameParty, type PricedJourney, sumAmounts } from './price-journeys.ts';

/**
 * The lines of a journey that trips of a pass paid for, on other sailings. The trips move with the same party, at the amounts
 * they paid, because a trip cannot be divided.
 * @returns null if no trip paid for the journey
 * @throws {ApiError} change_not_allowed if the party changes, the pass does not pay for the sailings, or what money paid
 * for costs more there
 */
export async function carryCoveredJourney(
  db: Database,
  sold: StoredOrder,
  { journey, plate, priceInputs }: { journey: PricedJourney; plate: string | null; priceInputs: PriceInputs },
): Promise<ChangeLine[] | null> {
  const paidByTrips = sold.payments.filter(
    ({ status, coverage }) =>
      status === 'succeeded' && coverage?.some((trip) => trip.direction === journey.direction),
  );
  if (paidByTrips.length === 0) return null;
  const old = listActiveLines(sold, [journey.direction]);
  if (old.length === 0) throw new ApiError('change_not_allowed', { reason: 'pass_trips_returned' });
  if (!hasSameParty(sold, journey)) {
    throw new ApiError('change_not_allowed', { reason: 'pass_other_party' });
  }
  const sailings = journey.sailings.flatMap(
    ({ sailingId }) => priceInputs.sailings.find(({ id }) => id === sailingId) ?? [],
  );
  if (!(await isCovered(db, { paidByTrips, sailings }))) {
    throw new ApiError('change_not_allowed', { reason: 'pass_other_sailing' });
  }
  if (
    sumAmounts(old) > sumCovered(sold, paidByTrips, journey.direction) &&
    sumAmounts(journey.lines) > sumAmounts(old)
  ) {
    throw new ApiError('change_not_allowed', { reason: 'pass_higher_price' });
  }
  const carried = await carryJourney(db, sold, { direction: journey.direction, sailings });
  return carried.map((line) => (line.kind === 'vehicle' ? { ...line, plate } : line));
}

/** Whether each pass that paid also pays for these boats. */
async function isCovered(
  db: Database,
  { paidByTrips, sailings }: { paidByTrips: readonly PaymentRow[]; sailings: readonly TimetableRecord[] },
): Promise<boolean> {
  const cards = await db
    .select({ pass: tripCards.pass, expiresAt: tripCards.expiresAt })
    .from(tripCards)
    .where(
      inArray(
        tripCards.id,
        paidByTrips.flatMap(({ tripCardId }) => tripCardId ?? []),
      ),
    );
  const boats = sailings.map(({ route, departsAt }) => ({
    line: route.gtfsRouteId,
    departsAt: departsAt.getTime(),
  }));
  return cards.every(
    ({ pass, expiresAt }) =>
      pass !== null && isJourneyCovered(boats, { terms: pass, expiresAt: expiresAt?.getTime() ?? null }),
  );
}

/** What the trips that did not go back to their passes paid for a journey. */
function sumCovered(
  { refunds }: StoredOrder,
  paidByTrips: readonly PaymentRow[],
  direction: Direction,
): number {
  const left = paidByTrips.flatMap(({ id, coverage }) => {
    const returned = refunds.flatMap(({ paymentId, trips }) => (paymentId === id ? (trips ?? []) : []));
    return (coverage ?? []).filter(
      (trip) => trip.direction === direction && !returned.some((other) => isSamePassTrip(other, trip)),
    );
  });
  return sumCoverage(left);
}
