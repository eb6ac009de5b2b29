import { eq } from 'drizzle-orm';
import type { OrderOptions, WayOptions } from '#contract/rebooking/schemas.ts';
import { getWay, listLegsOfWay } from '#domain/orders/legs.ts';
import { getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { SailingOfferRow } from '../database/schema/sailing-offers.ts';
import { holds } from '../database/schema/sales.ts';
import { inSnapshot } from '../database/transactions.ts';
import { presentLeg } from '../orders/presenter.ts';
import type { OrderRecord } from '../orders/queries.ts';
import { type BookedWay, readBookedWays } from '../sailings/offers/affected-ways.ts';
import { findChoices } from '../sailings/offers/find-choices.ts';
import { createJourneyFinder, type Journey, type JourneyFinder } from '../sailings/offers/find-journeys.ts';
import { getExpectedTimes } from '../sailings/presenter.ts';
import { findTimetable, type TimetableRecord } from '../sailings/queries.ts';

/** How many other journeys are shown. */
const SHOWN = 20;

/** A way with its offer, as far as its party may still choose. */
export type Choice = { offer: SailingOfferRow; booked: BookedWay };

/** The choices of an order. Unused tickets of boats that have departed leave none. */
export async function readChoices(
  db: Database,
  orderId: string,
  now: Date,
): Promise<{ choices: Choice[]; ways: BookedWay[] }> {
  const offers = await findChoices(db, orderId, now);
  if (offers.length === 0) return { choices: [], ways: [] };
  const ways = await readBookedWays(db, [orderId]);
  const choices = offers.flatMap((offer) => {
    const booked = ways.find(({ way }) => way === offer.way);
    return booked && isAhead(booked, now) ? [{ offer, booked }] : [];
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
  return finder.list(booked, {
    after:
      !isOut && isFixed && last
        ? Math.max(now.getTime(), getExpectedTimes(last).arrivesAt - 1)
        : now.getTime(),
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
  const ways = await inSnapshot(db, async (tx) => {
    const { choices, ways: all } = await readChoices(tx, order.id, now);
    if (choices.length === 0) return [];
    const finder = await createJourneyFinder(tx, now);
    const presented: WayOptions[] = [];
    for (const choice of choices) {
      const others = await listOtherJourneys(finder, choice.booked, { ways: all, now });
      const protection = await readProtection(tx, choice.offer, now);
      const refund = sumPaid(({ leg }) => getWay(leg) === choice.offer.way);
      presented.push(presentWay(record, { choice, others, protection, refund, now }));
    }
    return presented;
  });
  return {
    version: order.version,
    ways,
    refund: sumPaid(() => true),
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
  { choice: { offer }, others, protection, refund, now }: Presented,
): WayOptions {
  const { way, reason, deadline, ifUnanswered, status } = offer;
  const present = (journey: readonly TimetableRecord[]) => {
    const names = listLegsOfWay(way, journey.length);
    return journey.map((sailing, index) => presentLeg({ leg: names[index] ?? way, sailing }, record, now));
  };
  const boats = record.legs.filter(({ leg }) => getWay(leg) === way).map(({ sailing }) => sailing);
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
