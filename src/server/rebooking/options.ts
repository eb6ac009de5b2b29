import { eq } from 'drizzle-orm';
import type { OrderOptions, WayOptions } from '#contract/rebooking/schemas.ts';
import { getWay } from '#domain/orders/legs.ts';
import { getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { SailingOfferRow } from '../database/schema/sailing-offers.ts';
import { holds } from '../database/schema/sales.ts';
import { inSnapshot } from '../database/transactions.ts';
import { presentLeg } from '../orders/presenter.ts';
import type { OrderRecord } from '../orders/queries.ts';
import {
  type BookedWay,
  findEarliestBoarding,
  listKeptLegs,
  listLegsOfJourney,
  missesConnection,
  readBookedWays,
} from '../sailings/offers/affected-ways.ts';
import { findChoices } from '../sailings/offers/find-choices.ts';
import { createJourneyFinder, type Journey, type JourneyFinder } from '../sailings/offers/find-journeys.ts';
import { getExpectedTimes } from '../sailings/presenter.ts';
import { findTimetable, loadCatalogue, type TimetableRecord } from '../sailings/queries.ts';

/** How many other journeys are shown. */
const SHOWN = 20;

/** A way with its offer, as far as its party may still choose. */
export type Choice = { offer: SailingOfferRow; booked: BookedWay };

/** The choices of an order, for the boats that have not departed, or that their party cannot reach any more. */
export async function readChoices(
  db: Database,
  orderId: string,
  now: Date,
): Promise<{ choices: Choice[]; ways: BookedWay[] }> {
  const offers = await findChoices(db, orderId, now);
  if (offers.length === 0) return { choices: [], ways: [] };
  const ways = await readBookedWays(db, [orderId], now);
  const catalogue = await loadCatalogue(db);
  const choices = offers.flatMap((offer) => {
    const booked = ways.find(({ way }) => way === offer.way);
    if (!booked) return [];
    const isMissed = booked.departed.length > 0 && missesConnection(booked, catalogue);
    return isMissed || isAhead(booked, now) ? [{ offer, booked }] : [];
  });
  return { choices: choices.toSorted((a, b) => (a.offer.way > b.offer.way ? -1 : 1)), ways };
}

function isAhead({ boats: [first] }: BookedWay, now: Date): boolean {
  return first !== undefined && (first.status === 'cancelled' || first.departsAt > now);
}

/** The other journeys of a way on which its whole party fits, and which leave time for its other way. */
export function listOtherJourneys(
  finder: JourneyFinder,
  booked: BookedWay,
  { ways, now }: { ways: readonly BookedWay[]; now: Date },
): Promise<Journey[]> {
  const other = ways.find(({ way }) => way !== booked.way);
  const isFixed = other?.boats.every(({ status }) => status !== 'cancelled');
  const [first] = other?.boats ?? [];
  const last = other?.boats.at(-1);
  const isOut = booked.way === 'out';
  const arrives = !isOut && isFixed && last ? getExpectedTimes(last).arrivesAt : 0;
  return finder.list(booked, {
    after: Math.max(now.getTime(), arrives - 1, findEarliestBoarding(booked, finder.catalogue) - 1),
    arrivesUntil: isOut && isFixed && first ? first.departsAt.getTime() : Number.POSITIVE_INFINITY,
  });
}

/** The journey on which an offer keeps places, as long as it does. */
export async function readProtection(
  db: Database,
  { holdId, protectedSailingIds, status }: SailingOfferRow,
  now: Date,
): Promise<{ journey: TimetableRecord[]; until: Date } | null> {
  if (holdId === null || protectedSailingIds === null || status !== 'open') return null;
  const [hold] = await db.select().from(holds).where(eq(holds.id, holdId));
  if (hold?.status !== 'active' || hold.expiresAt <= now) return null;
  const found = await findTimetable(db, protectedSailingIds);
  const journey = protectedSailingIds.flatMap((id) => found.find((each) => each.id === id) ?? []);
  return { journey, until: hold.expiresAt };
}

/** What the party of an order may choose now. */
export async function readOptions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: OrderRecord,
): Promise<OrderOptions> {
  const now = clock.now();
  const { order, lines } = record;
  const active = lines.filter(({ status }) => status === 'active');
  const paid = getPaidAmounts(active, order.currency);
  const sumPaid = (isWanted: (line: (typeof lines)[number]) => boolean) =>
    active
      .filter(isWanted)
      .flatMap(({ id }) => paid.get(id) ?? [])
      .reduce((sum, amount) => sum + amount, 0);
  const { ways, kept } = await inSnapshot(db, async (tx) => {
    const { choices, ways: all } = await readChoices(tx, order.id, now);
    if (choices.length === 0) return { ways: [], kept: [] };
    const finder = await createJourneyFinder(tx, now);
    const presented: WayOptions[] = [];
    for (const choice of choices) {
      const others = await listOtherJourneys(finder, choice.booked, { ways: all, now });
      const protection = await readProtection(tx, choice.offer, now);
      const ownKept = listKeptLegs(choice.offer, choice.booked);
      const refund = sumPaid(({ leg }) => getWay(leg) === choice.offer.way && !ownKept.includes(leg));
      presented.push(presentWay(record, { choice, others, protection, refund, now }));
    }
    return { ways: presented, kept: choices.flatMap(({ offer, booked }) => listKeptLegs(offer, booked)) };
  });
  return {
    version: order.version,
    ways,
    refund: sumPaid(({ leg }) => !kept.includes(leg)),
    currency: order.currency,
    later_same_day: order.farePolicy.no_show === 'travel_next_same_day',
    as_of: now.toISOString(),
  };
}

type Presented = {
  choice: Choice;
  others: readonly Journey[];
  protection: Awaited<ReturnType<typeof readProtection>>;
  refund: number;
  now: Date;
};

function presentWay(
  record: OrderRecord,
  { choice: { offer, booked }, others, protection, refund, now }: Presented,
): WayOptions {
  const { way, reason, deadline, ifUnanswered, status } = offer;
  const present = (journey: readonly TimetableRecord[]) => {
    const names = listLegsOfJourney(booked, journey);
    return journey.map((sailing, index) => presentLeg({ leg: names[index] ?? way, sailing }, record, now));
  };
  const kept = listKeptLegs(offer, booked);
  const boats = record.legs
    .filter(({ leg }) => getWay(leg) === way && !kept.includes(leg))
    .map(({ sailing }) => sailing);
  const zone = boats[0]?.origin.timeZone ?? 'UTC';
  const isKept = (journey: Journey) =>
    protection !== null && journey.every(({ id }, index) => protection.journey[index]?.id === id);
  return {
    way,
    reason,
    status: status === 'moved' ? 'moved' : 'open',
    booked: present(boats),
    protected: protection && {
      journey: present(protection.journey),
      until: protection.until.toISOString(),
      until_local: formatLocalTime(protection.until.getTime(), zone),
    },
    others: others
      .filter((journey) => !isKept(journey))
      .slice(0, SHOWN)
      .map(present),
    deadline: deadline.toISOString(),
    deadline_local: formatLocalTime(deadline.getTime(), zone),
    if_unanswered: ifUnanswered,
    refund,
  };
}
