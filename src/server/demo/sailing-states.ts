import { and, eq, inArray, sql } from 'drizzle-orm';
import { countFreeOnline } from '#domain/sailings/availability.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { orderLines, orders } from '../database/schema/sales.ts';
import { mails } from '../database/schema/system.ts';
import { sailings, voyages } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import type { CustomerRow } from '../identity/customers.ts';
import { applyExceptions } from '../sailings/exceptions/apply-exceptions.ts';
import { addException, type NewException } from '../sailings/exceptions/store-exceptions.ts';
import { findSailings, loadCatalogue } from '../sailings/queries.ts';
import { buyPlaces, markMailsSent } from './buy-trip.ts';

/** The buyer of the places that fill sailings. The domain is reserved for examples, so no real customer has it. */
export const GROUP = { name: 'Heron Island School', email: 'groups@harborline.example', phone: '' };

/** Trips of the demo feed from Port Madrona to Heron Island, by departure. Only one of each list runs on a day. */
const TRIPS = {
  canceled: ['madrona-heron-weekday-1220', 'madrona-heron-weekend-1220'],
  full: ['madrona-heron-daily-1310'],
  nearlyFull: ['madrona-heron-daily-1630'],
  late: ['madrona-heron-weekday-1720', 'madrona-heron-weekend-1720'],
  /** A quarter of its vessel's places is sold only at the booth. */
  soldOutOnline: ['madrona-heron-daily-1810'],
};
const PLACES_LEFT = 4;
const MAX_PARTY = 9;
const DELAY_MINUTES = 25;

type SailingRow = typeof sailings.$inferSelect;

/**
 * Makes one of tomorrow's sailings full, one nearly full, one sold out online, one late and one canceled. The demo
 * customer travels on the late one and, once, on a canceled one. Safe to repeat. If the timetable stays when the demo
 * is removed, the late and the canceled sailing stay unchanged.
 */
export async function ensureSailingStates(context: Context, customer: CustomerRow): Promise<void> {
  const tomorrow = await findTomorrow(context);
  await fill(context, tomorrow.full, 0);
  await fill(context, tomorrow.nearlyFull, PLACES_LEFT);
  await fill(context, tomorrow.soldOutOnline, 0);
  // Keeps the group's mails out of the inbox.
  await markMailsSent(context, eq(sql`lower(${mails.toAddress})`, GROUP.email));
  await makeLate(context, tomorrow.late, customer);
  await cancel(context, tomorrow.canceled, customer);
}

/** The sailings of `TRIPS` on the demo operator's next day. */
async function findTomorrow({ db, clock }: Context) {
  const { feed } = await loadCatalogue(db);
  const tomorrow = addDays(getLocalDay(clock.now().getTime(), feed.timeZone), 1);
  const rows = await db
    .select({ sailing: sailings, tripKey: voyages.gtfsTripKey })
    .from(sailings)
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .where(
      and(eq(sailings.serviceDate, tomorrow), inArray(voyages.gtfsTripKey, Object.values(TRIPS).flat())),
    );
  const find = (tripKeys: readonly string[]) =>
    rows.find(({ tripKey }) => tripKeys.some((key) => key === tripKey))?.sailing;
  return {
    canceled: find(TRIPS.canceled),
    full: find(TRIPS.full),
    nearlyFull: find(TRIPS.nearlyFull),
    late: find(TRIPS.late),
    soldOutOnline: find(TRIPS.soldOutOnline),
  };
}

/** Buys the places sold online except for a few, in parties of the largest size. */
async function fill(context: Context, sailing: SailingRow | undefined, placesLeft: number): Promise<void> {
  if (!sailing) return;
  const free = (await countFreePlaces(context, sailing.id)) - placesLeft;
  for (let bought = 0; bought < free; bought += MAX_PARTY) {
    const party = Math.min(MAX_PARTY, free - bought);
    await buyPlaces(context, { buyer: { contact: GROUP, customerId: null }, sailing, adults: party });
  }
}

async function countFreePlaces({ db }: Context, sailingId: string): Promise<number> {
  const [sailing] = await findSailings(db, [sailingId]);
  const places = sailing?.capacity.find(({ resource }) => resource === 'passenger');
  return places ? countFreeOnline(places) : 0;
}

async function makeLate(
  context: Context,
  sailing: SailingRow | undefined,
  customer: CustomerRow,
): Promise<void> {
  if (sailing?.status !== 'scheduled' || sailing.delayMinutes > 0) return;
  if (!(await hasOrder(context, customer, sailing))) {
    await buyPlaces(context, { buyer: { contact: customer, customerId: customer.id }, sailing, adults: 2 });
  }
  await record(context, sailing, {
    kind: 'delayed',
    minutes: DELAY_MINUTES,
    text: 'Leaves about 5:45 PM after an engine check. Check-in closes at the usual time.',
  });
}

/** Stores an exception for a sailing's voyage and puts it into effect. */
async function record(
  context: Context,
  { voyageId, serviceDate }: SailingRow,
  exception: Pick<NewException, 'kind' | 'minutes' | 'text'>,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await addException(tx, context, {
      source: 'staff',
      fromDay: serviceDate,
      untilDay: serviceDate,
      voyageId,
      ...exception,
    });
    await applyExceptions(tx, context, { from: serviceDate, until: serviceDate });
  });
}

async function hasOrder({ db }: Context, customer: CustomerRow, sailing: SailingRow): Promise<boolean> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .where(and(eq(orders.customerId, customer.id), eq(orderLines.sailingId, sailing.id)))
    .limit(1);
  return rows.length > 0;
}

async function cancel(
  context: Context,
  sailing: SailingRow | undefined,
  customer: CustomerRow,
): Promise<void> {
  if (sailing?.status !== 'scheduled') return;
  const isAffected = and(eq(orders.customerId, customer.id), eq(orders.needsAttention, 'sailing_canceled'));
  if ((await context.db.$count(orders, isAffected)) === 0)
    await buyPlaces(context, { buyer: { contact: customer, customerId: customer.id }, sailing, adults: 1 });
  await record(context, sailing, {
    kind: 'canceled',
    minutes: 0,
    text: 'Canceled because of strong wind. The next boats run as planned.',
  });
}
