import type { StaffJourneys } from '#contract/desk/changes/schemas.ts';
import type { Direction } from '#domain/orders/legs.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { readProtection } from '#server/orders/rebook/choices.ts';
import { presentJourney } from '#server/orders/rebook/options.ts';
import { readBookedJourneys } from '#server/sailings/offers/booked-journeys.ts';
import { findChoices } from '#server/sailings/offers/find-choices.ts';
import { createJourneyFinder } from '#server/sailings/offers/find-journeys.ts';
import { findZone, type TimetableRecord } from '#server/sailings/queries.ts';

/**
 * The other journeys of a day on which the party of an order's journey fits, until the boat departs.
 * @param input day: at the port of departure; null: the booked one, or today if that is past
 * @throws {ApiError} change_not_allowed if the order has no such journey, or if its first boat has departed
 */
export async function listJourneys(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: OrderRecord,
  { direction, day, language }: { direction: Direction; day: string | null; language: string },
): Promise<StaffJourneys> {
  const now = clock.now();
  return inSnapshot(db, async (tx) => {
    const all = await readBookedJourneys(tx, [record.order.id], now);
    const booked = all.find((journey) => journey.direction === direction);
    const [first] = booked?.boats ?? [];
    if (!booked || !first || booked.departed.length > 0) throw new ApiError('change_not_allowed');
    const finder = await createJourneyFinder(tx, now, 'ramp');
    const { feed } = finder.catalogue;
    const zone = findZone(finder.catalogue, first.originPortId);
    const today = getLocalDay(now.getTime(), zone);
    const bookedDay = getLocalDay(first.departsAt.getTime(), zone);
    const shown = day ?? (bookedDay > today ? bookedDay : today);
    const offers = await findChoices(tx, { orderId: record.order.id, now });
    const offer = offers.find((each) => each.direction === direction);
    const limits = { after: now.getTime(), arrivesUntil: Number.POSITIVE_INFINITY };
    // Sailings after midnight may belong to the service day before, and other zones have another day.
    const around = { from: addDays(shown, -1), to: addDays(shown, 1) };
    const kept = offer ? await readProtection(tx, { offer, now }) : null;
    const journeys = listOfDay(shown, [
      ...(await finder.list(booked, limits, around)),
      ...(kept ? [kept.journey] : []),
    ]);
    return {
      ...{ day: shown, first_day: today, last_day: feed.windowUntil > today ? feed.windowUntil : today },
      journeys: journeys.map((journey) => presentJourney(record, { booked, journey, now, language })),
      has_choice: offer !== undefined,
      as_of: now.toISOString(),
    };
  });
}

/** The journeys that depart on a day, each once, by departure. Those that are kept for the order may be on the list too. */
function listOfDay(day: string, journeys: readonly (readonly TimetableRecord[])[]) {
  const ofDay = journeys.filter(
    ([boat]) => boat && getLocalDay(boat.departsAt.getTime(), boat.origin.timeZone) === day,
  );
  const byBoats = new Map(ofDay.map((journey) => [journey.map(({ id }) => id).join(), journey]));
  const departs = ([boat]: readonly TimetableRecord[]) => boat?.departsAt.getTime() ?? 0;
  return [...byBoats.values()].toSorted((a, b) => departs(a) - departs(b));
}
