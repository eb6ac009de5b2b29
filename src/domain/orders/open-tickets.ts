import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { addDays } from '../time/days.ts';
import { getDayStart, getLocalDay } from '../time/port-time.ts';

/** A canceled departure: milliseconds since 1970, and the port's zone. */
type Departure = { departsAt: number; zone: string };

/**
 * The end of an open ticket: the last minute of the last day that the fare allows, on the clock of the port of departure.
 * @returns milliseconds since 1970; null if the fare has no open tickets
 */
export function getOpenTicketEnd(
  { open_ticket_days: days }: Pick<FarePolicy, 'open_ticket_days'>,
  { departsAt, zone }: Departure,
): number | null {
  if (days === undefined) return null;
  const dayAfter = addDays(getLocalDay(departsAt, zone), days + 1);
  return getDayStart(dayAfter, zone) - MINUTE_MS;
}

const MINUTE_MS = 60_000;

/** The choice of a journey that does not run as bought. `openTicketAt`: set once an open ticket is kept. */
type Choice = { reason: string; status: string; openTicketAt: object | null; deadline: number };

/**
 * The end of the open ticket that the buyer may choose instead of another sailing.
 * @returns milliseconds since 1970; null if the fare has no open tickets, the sailing runs, the buyer has chosen, or the
 * choice lasts as long anyway
 */
export function findOfferedOpenTicket(
  { reason, status, openTicketAt, deadline }: Choice,
  policy: Pick<FarePolicy, 'open_ticket_days'>,
  departure: Departure,
): number | null {
  if (reason !== 'sailing_canceled' || status !== 'open' || openTicketAt !== null) return null;
  const end = getOpenTicketEnd(policy, departure);
  return end !== null && end > deadline ? end : null;
}
