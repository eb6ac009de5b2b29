import type { AskedAssistance } from '#contract/orders/buy/schemas.ts';
import { type Assistance, asksForNothingNew, keepAssistance } from '#domain/orders/assistance.ts';
import { translateTexts } from '#messages/translations.ts';
import { type DescribedAssistance, describeAssistance } from '#sentences/assistance.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Context } from '../context.ts';
import type { OrderLineRow, OrderRow, TicketRow } from '../database/schema/sales.ts';
import { ApiError } from '../http/api-error.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import type { OrderRecord } from './queries.ts';

/**
 * The assistance to store of what a buyer asks for; null for none.
 * @param travelers their number in the order
 * @param before what was asked for until now. The crew has known that since then
 * @throws {ApiError} invalid_input if the operator takes no requests online, or a traveler is missing or listed twice
 */
export async function readAssistance(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  asked: AskedAssistance = [],
  { travelers, before = null }: { travelers: number; before?: Assistance | null },
): Promise<Assistance | null> {
  if (asked.length === 0) return null;
  const noticeHours = (await loadCatalogue(db)).feed.assistanceNoticeHours;
  if (noticeHours === null) throw invalidAssistance('assistance_by_phone');
  const numbers = new Set(asked.map(({ traveler }) => traveler));
  if (numbers.size < asked.length || Math.max(...numbers) > travelers) {
    throw invalidAssistance('traveler_repeated');
  }
  if (before && asksForNothingNew(asked, before)) return { ...before, travelers: asked };
  return { askedAt: clock.now().getTime(), noticeHours, travelers: asked };
}

function invalidAssistance(reason: 'assistance_by_phone' | 'traveler_repeated'): ApiError {
  return new ApiError('invalid_input', { field: 'assistance', reason });
}

/** The assistance of an order in words. Only for its owner: it reveals a person's health. */
export function presentAssistance(
  {
    order,
    lines: sold,
    legs,
    tickets,
    names,
  }: Pick<OrderRecord, 'order' | 'lines' | 'legs' | 'tickets' | 'names'>,
  language: string,
): DescribedAssistance | null {
  const t = textsIn(language);
  const lines = sold.map((line) => names.translateLine(line, language));
  return describeAssistance(t, language, {
    ...order,
    tickets: tickets.map((ticket) => ({
      ...ticket,
      title: titleTicket(t, ticket, { lines, plate: order.plate }),
      issuedAt: ticket.issuedAt.getTime(),
    })),
    legs: legs.map(({ leg, sailing: { departsAt, origin } }) => ({
      ...{ leg, port: translateTexts(origin, language).name },
      departsAt: departsAt.getTime(),
    })),
  });
}

type Sold = {
  order: Pick<OrderRow, 'assistance'>;
  tickets: readonly TicketRow[];
  lines: readonly OrderLineRow[];
};

/**
 * The assistance of the travelers who still travel: whose number has a ticket for the same type of passenger before and
 * after. A number may pass to another person.
 */
export function assistanceOfTravelers(
  { order: { assistance }, ...before }: Sold,
  after: Pick<Sold, 'tickets' | 'lines'>,
): Assistance | null {
  return keepAssistance(assistance, (traveler) => {
    const types = listTypes(after, traveler);
    return listTypes(before, traveler).some((type) => types.includes(type));
  });
}

function listTypes({ tickets, lines }: Pick<Sold, 'tickets' | 'lines'>, traveler: number) {
  return tickets
    .filter(
      ({ kind, partyIndex, status }) => kind === 'passenger' && partyIndex === traveler && isSold(status),
    )
    .map(({ lineId }) => lines.find(({ id }) => id === lineId)?.typeCode);
}

function isSold(status: TicketRow['status']): boolean {
  return status !== 'replaced' && status !== 'canceled';
}
