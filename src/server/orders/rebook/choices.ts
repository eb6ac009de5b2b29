import { eq } from 'drizzle-orm';
import { sortInsteadOf } from '#domain/orders/offered-boats.ts';
import { findOfferedOpenTicket } from '#domain/orders/open-tickets.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Database } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import type { RebookingOfferRow } from '#server/database/schema/rebooking-offers.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import {
  type BookedJourney,
  findEarliestBoarding,
  hasLeft,
  missesConnection,
  readBookedJourneys,
} from '#server/sailings/offers/booked-journeys.ts';
import { findChoices } from '#server/sailings/offers/find-choices.ts';
import {
  DAYS_AHEAD,
  type Journey,
  type JourneyFinder,
  type JourneyLimits,
} from '#server/sailings/offers/find-journeys.ts';
import { findTimetable, loadCatalogue, type TimetableRecord } from '#server/sailings/queries.ts';

/** A journey with its offer, as far as its party may still choose. */
export type Choice = { offer: RebookingOfferRow; booked: BookedJourney };

/** What decides which journeys a choice has. `journeys`: all of the order. */
type ChoiceContext = { order: Pick<OrderRow, 'farePolicy'>; journeys: readonly BookedJourney[]; now: Date };

/** The choices of an order, for the boats that have not departed, or that their party cannot reach any more. */
export async function readChoices(
  db: Database,
  { orderId, now }: { orderId: string; now: Date },
): Promise<{ choices: Choice[]; journeys: BookedJourney[] }> {
  const offers = await findChoices(db, { orderId, now });
  if (offers.length === 0) return { choices: [], journeys: [] };
  const journeys = await readBookedJourneys(db, [orderId], now);
  const catalogue = await loadCatalogue(db);
  const choices: Choice[] = [];
  for (const offer of offers) {
    const isOpenTicket = offer.openTicketAt !== null;
    // The party of an open ticket was not on the first boat of its connection.
    const bookedJourneys = isOpenTicket
      ? await readBookedJourneys(db, [orderId], offer.insertedAt)
      : journeys;
    const booked = bookedJourneys.find(({ direction }) => direction === offer.direction);
    if (!booked) continue;
    const isMissed = booked.departed.length > 0 && missesConnection(booked, catalogue);
    if (isOpenTicket || isMissed || isAhead(booked, now)) choices.push({ offer, booked });
  }
  return { choices: choices.toSorted((a, b) => (a.offer.direction > b.offer.direction ? -1 : 1)), journeys };
}

function isAhead({ boats: [first] }: BookedJourney, now: Date): boolean {
  return first !== undefined && !hasLeft(first, now);
}

/** The end of the open ticket that the party may choose now; null if it may not, as on a connection it has begun. */
export function findOpenTicketEnd(
  finder: Pick<JourneyFinder, 'catalogue'>,
  { offer, booked }: Choice,
  { farePolicy }: Pick<OrderRow, 'farePolicy'>,
): Date | null {
  if (booked.departed.length > 0) return null;
  const departsAt = booked.boats[0]?.departsAt.getTime() ?? 0;
  const departure = { departsAt, zone: findZone(finder, booked) };
  const choice = { ...offer, deadline: offer.deadline.getTime() };
  const end = findOfferedOpenTicket(choice, farePolicy, departure);
  return end === null ? null : new Date(end);
}

function findZone(
  { catalogue }: Pick<JourneyFinder, 'catalogue'>,
  { boats: [first] }: BookedJourney,
): string {
  return catalogue.ports.find(({ id }) => id === first?.originPortId)?.timeZone ?? catalogue.feed.timeZone;
}

/** Calendar days at the port of departure, both inclusive. */
export type TravelDays = { first: string; last: string };

/** The days on which the party may travel: a week after the booked one, and as long as it may choose. */
export function findTravelDays(
  finder: Pick<JourneyFinder, 'catalogue'>,
  choice: Choice,
  { order, journeys, now }: ChoiceContext,
): TravelDays | null {
  const zone = findZone(finder, choice.booked);
  const { after, arrivesUntil } = findLimits(finder, choice.booked, { journeys, now });
  const until = findOpenTicketEnd(finder, choice, order) ?? choice.offer.deadline;
  const booked = getLocalDay(choice.booked.boats[0]?.departsAt.getTime() ?? 0, zone);
  const ends = [addDays(booked, DAYS_AHEAD), getLocalDay(until.getTime(), zone)];
  const latest = ends.reduce((a, b) => (a > b ? a : b));
  const back = arrivesUntil === null ? latest : getLocalDay(arrivesUntil, zone);
  const days = { first: getLocalDay(after, zone), last: back < latest ? back : latest };
  return days.first <= days.last ? days : null;
}

/** Leaves time for the other journey, unless it is canceled too. `arrivesUntil` null: at any time. */
function findLimits(
  { catalogue }: Pick<JourneyFinder, 'catalogue'>,
  booked: BookedJourney,
  { journeys, now }: Pick<ChoiceContext, 'journeys' | 'now'>,
): { after: number; arrivesUntil: number | null } {
  const other = journeys.find(({ direction }) => direction !== booked.direction);
  const isFixed = other?.boats.every(({ status }) => status !== 'canceled') ?? false;
  const [first] = other?.boats ?? [];
  const last = other?.boats.at(-1);
  const isOut = booked.direction === 'out';
  const arrives = !isOut && isFixed && last ? getExpectedTimes(last).arrivesAt - 1 : 0;
  return {
    after: Math.max(now.getTime(), arrives, findEarliestBoarding(booked, catalogue) - 1),
    arrivesUntil: isOut && isFixed && first ? first.departsAt.getTime() : null,
  };
}

/**
 * The alternatives to a booked journey that have room for its whole party and leave time for the order's other journey.
 * @param day one of the travel days, by departure; without it those of a week around the booked day, the best first
 */
export async function listOtherJourneys(
  finder: JourneyFinder,
  choice: Choice,
  choiceContext: ChoiceContext & { day?: string },
): Promise<Journey[]> {
  const { booked } = choice;
  const days = findTravelDays(finder, choice, choiceContext);
  const { after, arrivesUntil } = findLimits(finder, booked, choiceContext);
  const limits: JourneyLimits = { after, arrivesUntil: arrivesUntil ?? Number.POSITIVE_INFINITY };
  if (days === null) return [];
  const bookedAt = booked.boats[0]?.departsAt.getTime() ?? 0;
  const bookedDay = getLocalDay(bookedAt, findZone(finder, booked));
  const middle = bookedDay > days.first ? bookedDay : days.first;
  const from = choiceContext.day ?? addDays(middle, -DAYS_AHEAD);
  const to = choiceContext.day ?? addDays(middle, DAYS_AHEAD);
  // Sailings after midnight may belong to the service day before, and other zones have another day.
  const candidates = await finder.list(booked, limits, { from: addDays(from, -1), to: addDays(to, 1) });
  const allowed = candidates.filter((journey) => {
    const { day } = findDeparture(journey);
    return day >= from && day <= to && day >= days.first && day <= days.last;
  });
  if (choiceContext.day !== undefined) return allowed;
  return sortInsteadOf({ day: bookedDay, departsAt: bookedAt }, allowed, findDeparture);
}

/** The day of a journey at its port, and when it is expected to leave. */
function findDeparture([first]: Journey): { day: string; departsAt: number } {
  if (!first) throw new Error('A journey has at least one boat.');
  const day = getLocalDay(first.departsAt.getTime(), first.origin.timeZone);
  return { day, departsAt: getExpectedTimes(first).departsAt };
}

/** The journey on which an offer keeps places, as long as it does. */
export async function readProtection(
  db: Database,
  { offer, now }: { offer: RebookingOfferRow; now: Date },
): Promise<{ journey: TimetableRecord[]; until: Date } | null> {
  const { holdId, protectedSailingIds, status } = offer;
  if (holdId === null || protectedSailingIds === null || status !== 'open') return null;
  const [hold] = await db.select().from(holds).where(eq(holds.id, holdId));
  if (hold?.status !== 'active' || hold.expiresAt <= now) return null;
  const protectedSailings = await findTimetable(db, protectedSailingIds);
  const journey = protectedSailingIds.flatMap((id) => protectedSailings.find((each) => each.id === id) ?? []);
  return { journey, until: hold.expiresAt };
}
