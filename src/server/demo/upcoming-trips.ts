import { and, eq } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { dayStart, localDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import type { CustomerRow } from '../customers/queries.ts';
import { orderLines, orders } from '../database/schema/sales.ts';
import { sailings } from '../database/schema/timetable.ts';
import { buyTrip, findSailingToday, HOUR_MS } from './buy-trip.ts';

const DAY_MS = 24 * HOUR_MS;

/**
 * Ensures that the demo customer has upcoming trips: a return trip with a car next week if they have no upcoming trip at
 * all, and a trip on foot later today, or on the next sailing if none is left today.
 */
export async function ensureUpcomingTrips(context: Context, customer: CustomerRow): Promise<void> {
  const now = context.clock.now().getTime();
  const buyer = { contact: customer, customerId: customer.id };
  const departures = await findDepartures(context, customer.id);
  if (!departures.some((departsAt) => departsAt > now)) {
    const withCar = {
      out: 'MAD-HER',
      back: { route: 'HER-MAD', hoursLater: 2 * 24 },
      passengers: { adult: 2 },
      carCm: 450,
    };
    await buyTrip(context, buyer, withCar, new Date(now + 7 * DAY_MS));
  }
  const next = await findSailingToday(context);
  const soon = next ? dayStart(addDays(localDay(now, next.zone), 1), next.zone) : now + DAY_MS;
  if (departures.some((departsAt) => departsAt > now && departsAt < soon)) return;
  const onFoot = { out: next?.route ?? 'MAD-HER', passengers: { adult: 2 } };
  await buyTrip(context, buyer, onFoot, next?.departsAt ?? new Date(now + HOUR_MS));
}

/** The departure times of the customer's confirmed trips. */
async function findDepartures({ db }: Pick<Context, 'db'>, customerId: string): Promise<number[]> {
  const rows = await db
    .selectDistinct({ departsAt: sailings.departsAt })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders.id))
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .where(
      and(eq(orders.customerId, customerId), eq(orders.status, 'confirmed'), eq(orderLines.status, 'active')),
    );
  return rows.map(({ departsAt }) => departsAt.getTime());
}
