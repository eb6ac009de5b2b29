import { IdSchema } from '#contract/common.ts';
import type { OrderStatus } from '#contract/orders/statuses.ts';
import { countParty } from '#domain/fares/party.ts';
import { getTripOutcome } from '#domain/orders/trip-outcome.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { type Message, message } from '#messages/translate.ts';
import { describeParty } from '#sentences/party.ts';
import { TRIP_OUTCOMES } from '#sentences/trip-outcomes.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { escapeHtml } from '../core/markup.ts';
import { findTravelDocument, type TravelDocument, type TravelLeg } from '../documents/travel-document.ts';
import { describeCancellation, describeTimes, formatDate } from '../documents/travel-text.ts';
import { type Asset, sendPrivate } from './assets.ts';
import { ORDER_SUMMARY } from './page.ts';
import { shownTimeHtml } from './site/shown-time.ts';

/** After this the page is sent without the summary. */
const WAIT_MS = 250;
/** Limits database load, so that many page loads do not delay purchases. */
const MAX_CONCURRENT = 8;

const STATUS: Record<OrderStatus, Message> = {
  held: message('Waiting for payment'),
  awaiting_payment: message('Waiting for payment'),
  confirmed: message('Confirmed'),
  partly_canceled: message('Partly canceled'),
  canceled: message('Canceled|an order'),
  expired: message('Not completed'),
  completed: message('Completed'),
};

/** Whether a path of the ticket host is the confirmation page of an order. */
export function isOrderPage(pathname: string): boolean {
  return /^\/orders\/[^/]+\/confirmation\/?$/.test(pathname);
}

/** Sends the confirmation page of an order with the order's essentials. */
type SendOrderPage = (
  request: Request,
  page: { asset: Pick<Asset, 'plain'>; headers: Record<string, string> },
) => Promise<Response>;

/**
 * Creates the function that adds an order's essentials to its confirmation page, for browsers that cannot run the app:
 * route, date, times, passengers, and until arrival each ticket's boarding code. They are omitted for an unknown order and
 * if the database is slow, busy or unavailable; all these responses look the same.
 */
export function createOrderPages(context: Pick<Context, 'db' | 'log' | 'clock'>): SendOrderPage {
  let running = 0;

  async function findSummary(orderId: string): Promise<string> {
    running += 1;
    try {
      const document = await findTravelDocument(context.db, orderId);
      return document === null ? '' : summaryHtml(document, context.clock.now());
    } catch (error) {
      context.log.error('order summary failed', describeError(error));
      return '';
    } finally {
      running -= 1;
    }
  }

  return async (request, { asset, headers }) => {
    const [, , id = ''] = new URL(request.url).pathname.split('/');
    const isLookedUp = running < MAX_CONCURRENT && IdSchema.safeParse(id).success;
    const summary = isLookedUp ? await Promise.race([findSummary(id), wait(WAIT_MS)]) : '';
    const html = new TextDecoder().decode(asset.plain).replace(ORDER_SUMMARY, () => summary);
    return sendPrivate(request, html, headers);
  };
}

function summaryHtml(document: TravelDocument, now: Date): string {
  const { order, legs, lines } = document;
  const t = textsIn(order.locale);
  const party = countParty(lines.filter(({ leg }) => leg === 'out'));
  return [
    `<section><h2>${escapeHtml(t('Order {reference}', order))}</h2>`,
    `<p>${describeStatus(document, now)} · ${describeParty(t, party)}</p>`,
    ...legs.map((leg) => legHtml(leg, document, now)),
    '</section>',
  ].join('');
}

function describeStatus({ order, legs, tickets }: TravelDocument, now: Date): string {
  const t = textsIn(order.locale);
  const isBooked = order.status === 'confirmed' || order.status === 'partly_canceled';
  if (!isBooked || !legs.every((leg) => isOver(leg, now))) return t(STATUS[order.status]);
  const outcome = getTripOutcome(tickets.map(({ status }) => status));
  return t(TRIP_OUTCOMES[outcome]);
}

function isOver(leg: TravelLeg, now: Date): boolean {
  return !leg.isCanceled && getExpectedTimes(leg).arrivesAt <= now.getTime();
}

function legHtml(leg: TravelLeg, { order, tickets }: TravelDocument, now: Date): string {
  const { origin, destination, departsAt } = leg;
  const t = textsIn(order.locale);
  const { departs, arrives, lateness } = describeTimes(leg, order.locale);
  const ports = { origin: origin.name, destination: destination.name };
  const times = { departure: shownTimeHtml(t, departs), arrival: shownTimeHtml(t, arrives) };
  const own = isOver(leg, now) ? [] : tickets.filter((ticket) => ticket.leg === leg.leg);
  const canceled = describeCancellation(leg, order.locale);
  return [
    `<h3>${escapeHtml(t('{origin} to {destination}', ports))}</h3>`,
    `<p>${escapeHtml(formatDate(departsAt, origin.timeZone, order.locale))}<br />`,
    `${t('Departs {departure}, arrives {arrival}', times)}</p>`,
    canceled ? `<p><strong>${escapeHtml(canceled)}</strong></p>` : '',
    lateness === null ? '' : `<p><strong>${lateness}</strong></p>`,
    own.length > 0
      ? `<p>${t('Say these codes at the gate:')}</p><ul>${own.map(ticketHtml).join('')}</ul>`
      : '',
  ].join('');
}

function ticketHtml({ title, boardingCode }: TravelDocument['tickets'][number]): string {
  return `<li>${escapeHtml(title)}: <strong>${escapeHtml(boardingCode)}</strong></li>`;
}

function wait(milliseconds: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, '').unref());
}
