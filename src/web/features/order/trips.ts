import { readLocalDay } from '#domain/format/dates.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, OrderSummary } from '#web/platform/api/types.ts';
import { formatDay, formatDuration, formatShortDay, localDay, minutesBetween } from '../site/local-time.ts';
import { expectedArrival } from './expected-times.ts';

/** The fields that orders and order summaries share. */
type Booked = Pick<OrderSummary, 'reference' | 'status' | 'displayStatus' | 'legs'>;
export type UpcomingLeg<Order extends Booked = Booked> = { order: Order; leg: Leg };

/** The next crossing of all orders with tickets. */
export function findNextTrip<Order extends Booked>(
  orders: readonly Order[],
  now: number,
): UpcomingLeg<Order> | null {
  const trips = orders
    .filter(({ status }) => status === 'confirmed' || status === 'partly_canceled')
    .flatMap((order) => {
      const leg = findNextLeg(order.legs, now);
      return leg === null ? [] : [{ order, leg }];
    });
  return trips.toSorted((a, b) => Date.parse(a.leg.departsAt) - Date.parse(b.leg.departsAt))[0] ?? null;
}

/** "Today, Fri, Jun 5", "Tomorrow, …" or "Fri, June 5, 2026", on the clock of the port of departure. */
export function formatDepartureDay(leg: Leg, now: number): string {
  const day = localDay(leg.departsLocal);
  if (departsOnDayOf(leg, now)) return t('Today, {day}', { day: formatShortDay(day) });
  if (departsOnDayOf(leg, now + DAY_MS)) return t('Tomorrow, {day}', { day: formatShortDay(day) });
  return formatDay(day);
}

/** Whether a crossing departs on the day of an instant in milliseconds, on the clock of the port of departure. */
export function departsOnDayOf({ departsLocal, departsZone }: Leg, instant: number): boolean {
  return localDay(departsLocal) === readLocalDay(instant, departsZone);
}

/** "in 42 min"; nothing while it is more than a day away. */
export function formatTimeLeft(instant: string, now: number): string | null {
  const minutes = minutesBetween(new Date(now).toISOString(), instant);
  if (minutes > DAY_MS / 60_000) return null;
  return minutes <= 0 ? t('closed') : t('in {duration}', { duration: formatDuration(minutes) });
}

const DAY_MS = 24 * 60 * 60_000;

/** The first crossing that has not arrived yet; `now` in milliseconds. */
export function findNextLeg(legs: readonly Leg[], now: number): Leg | null {
  const ahead = legs.filter((leg) => expectedArrival(leg) > now);
  return ahead.toSorted((a, b) => Date.parse(a.departsAt) - Date.parse(b.departsAt))[0] ?? null;
}

/** Whether all crossings have arrived: the order has no code to show any more, and prints as a receipt. */
export function isPast({ legs }: { legs: readonly Pick<Leg, 'status'>[] }): boolean {
  return legs.length > 0 && legs.every(({ status }) => status === 'arrived');
}
