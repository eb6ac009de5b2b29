import type { LegName } from '#contract/orders/buy/legs.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { formatMoney } from '#domain/format/money.ts';
import { isOnwardLeg } from '#domain/orders/legs.ts';
import { isTakenByStaff } from '#domain/refunds/refund-method.ts';
import { countMinutes } from '#domain/time/port-time.ts';
import type { Translate } from '#messages/translate.ts';
import type { ShownTime } from '#sentences/crossing-times.ts';
import { describeLegOfLine } from '#sentences/legs.ts';
import { describeLine } from '#sentences/order-lines.ts';
import { describeCard } from '#sentences/payment-cards.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { textsIn } from '#server/core/texts.ts';
import type {
  DocumentCancellation,
  MovedMoney,
  TravelDocument,
  TravelLeg,
} from '#server/documents/travel-document.ts';
import type { TravelPort } from '#server/documents/travel-legs.ts';
import {
  describeCancellation,
  describeOtherDay,
  describeRoute,
  describeTimes,
  describeVia,
  formatDate,
  formatTimeWithZone,
} from '#server/documents/travel-text.ts';
import { button, codeCid, definitions, heading, link, type MailBlock, text } from '../mail-content.ts';
import type { Payable } from '../read-payable.ts';

export type TemplateInput = {
  /** Writes in the order's language. */
  t: Translate;
  document: TravelDocument;
  settings: WebSettings;
  /** Configured origin of the ticket host; links never use the request's host. */
  origin: string;
  /** The cancellation that the mail is about. */
  cancellationId?: string | null;
  /** The change that it is about. */
  changeId?: string | null;
  /** What its reader has to pay; nothing in most mails. */
  payable?: Payable;
};

/** How a mail begins; desks also sell without a name. */
export function greet(t: Translate, { contactName: name }: TravelDocument['order']): string {
  return name.trim() === '' ? t('Hello,') : t('Hello {name},', { name });
}

/** Date, times, boat and terminal of a leg, and its tickets if they are wanted. */
export function legParts(
  leg: TravelLeg,
  { order, tickets, legs }: TravelDocument,
  withTickets: boolean,
): MailBlock[] {
  const { locale } = order;
  const t = textsIn(locale);
  const own = tickets.filter((ticket) => ticket.leg === leg.leg);
  const { departs, arrives, lateness } = describeTimes(leg, locale);
  const findDay = (zone: string, { instant }: ShownTime) => {
    return describeOtherDay(leg, { instant, zone }, locale);
  };
  return [
    heading(describeRoute(leg)),
    ...alertParts(t, leg, { lateness, locale }),
    ...changeParts(t, leg, legs),
    definitions(
      [t('Date'), formatDate(leg.departsAt, leg.origin.timeZone, locale)],
      [
        t('Departs'),
        {
          time: departs,
          rest: describeRest(t, findDay(leg.origin.timeZone, departs), describePlace(leg.origin)),
        },
      ],
      [t('Check in by'), formatTimeWithZone(leg.checkInClosesAt, leg.origin.timeZone, locale)],
      [
        t('Arrives'),
        {
          time: arrives,
          rest: describeRest(t, findDay(leg.destination.timeZone, arrives), leg.destination.name),
        },
      ],
      [t('Boat'), [leg.vesselName, describeVia(leg, locale)].filter(Boolean).join(', ')],
    ),
    ...accessibilityParts(leg),
    ...mapParts(t, leg.origin),
    ...(withTickets ? own : []).map((ticket): MailBlock => {
      const [who, detail] = describeTicket(t, ticket, own);
      return { kind: 'ticket', who, detail, code: ticket.boardingCode, cid: codeCid(ticket) };
    }),
  ];
}

function alertParts(
  t: Translate,
  leg: TravelLeg,
  { lateness, locale }: { lateness: string | null; locale: string },
): MailBlock[] {
  const sentences = [
    describeCancellation(leg, locale),
    lateness === null ? '' : t('This sailing is {lateness}.', { lateness }),
    leg.statusText,
  ].filter(Boolean);
  return sentences.length > 0 ? [{ kind: 'alert', text: sentences.join(' ') }] : [];
}

/** The assistance that travelers asked for. The mail goes to the order's own address. */
export function assistanceParts({ assistance, order }: TravelDocument): MailBlock[] {
  if (assistance === null) return [];
  const t = textsIn(order.locale);
  const { travelers, notice } = assistance;
  return [
    heading(t('Assistance')),
    definitions(...travelers.map(({ who, text: asked }): [string, string] => [who, asked])),
    ...(notice === '' ? [] : [text(notice)]),
  ];
}

function accessibilityParts({ accessibility }: TravelLeg): MailBlock[] {
  return accessibility.length > 0 ? [{ kind: 'list', items: accessibility }] : [];
}

function changeParts(t: Translate, leg: TravelLeg, legs: TravelDocument['legs']): MailBlock[] {
  const before = legs[legs.indexOf(leg) - 1];
  if (!before || !isOnwardLeg(leg.leg)) return [];
  const planned = countMinutes(before.arrivesAt.getTime(), leg.departsAt.getTime());
  const minutes = planned - before.delayMinutes + leg.delayMinutes;
  const { name, transferMinutes } = leg.origin;
  if (minutes >= (transferMinutes ?? planned)) {
    return [
      text(
        t('You change boats in {port} and have {minutes, plural, one {# minute} other {# minutes}} there.', {
          port: name,
          minutes,
        }),
      ),
    ];
  }
  return [
    {
      kind: 'alert',
      text: [
        minutes > 0
          ? t(
              'The first boat is late and leaves only {minutes, plural, one {# minute} other {# minutes}} to change in {port}.',
              { minutes, port: name },
            )
          : t('The first boat is late and leaves no time to change in {port}.', { port: name }),
        t('You may miss this boat. Ask the ticket booth what you can do.'),
      ].join(' '),
    },
  ];
}

function mapParts(t: Translate, { name, lat, lon }: TravelPort): MailBlock[] {
  if (lat === null || lon === null) return [];
  const url = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;
  return [link(t('Map of the terminal in {port}', { port: name }), url)];
}

/** "$10.00 is on its way to your Visa ending in 4242." */
export function describeRefund(
  money: MovedMoney,
  { currency, locale }: Pick<TravelDocument['order'], 'currency' | 'locale'>,
): string {
  const t = textsIn(locale);
  const card = describeCard(t, money);
  const { trips } = money;
  if (trips != null) {
    return t('{count, plural, one {# trip is} other {# trips are}} back on your {card}.', {
      count: trips,
      card,
    });
  }
  const sum = formatMoney(money.amount, currency, locale);
  if (isTakenByStaff(money.method)) return t('You get {amount} back at the ticket booth.', { amount: sum });
  if (money.method === 'invoice') return t('{amount} is taken off your invoice.', { amount: sum });
  if (money.method === 'bank') return t('We transfer {amount} back to you.', { amount: sum });
  if (money.method === 'trip_card') return t('{amount} is back on {card}.', { amount: sum, card });
  return t('{amount} is on its way to your {card}. Most banks show it within 5 to 10 days.', {
    amount: sum,
    card,
  });
}

/** What was paid and is refunded of a cancellation. */
export function canceledAmounts(
  { lines, paid, refund }: DocumentCancellation,
  document: TravelDocument,
): MailBlock[] {
  const t = textsIn(document.order.locale);
  const money = (amount: number) => formatMoney(amount, document.order.currency, document.order.locale);
  const keptAmount = paid - refund;
  const rows: [string, string][] =
    keptAmount > 0 ? [[t('Not refunded under your fare’s rules'), money(-keptAmount)]] : [];
  return [
    {
      kind: 'amounts',
      rows: [
        ...lineRows(
          textsIn(document.order.locale),
          lines,
          [...document.legs, ...document.canceledLegs],
          money,
        ),
        ...rows,
      ],
      total: [t('Refund'), money(refund)],
    },
  ];
}

/** The lines of an order with their amounts. */
export function lineRows(
  t: Translate,
  lines: TravelDocument['lines'],
  legs: readonly TravelLeg[],
  money: (amount: number) => string,
): [string, string][] {
  const names = legs.map(({ leg }) => leg);
  const part = (leg: LegName) => {
    const name = describeLegOfLine(t, leg, names);
    return name === null ? '' : `, ${name}`;
  };
  return lines.map((line) => [
    `${line.quantity > 1 ? `${line.quantity} × ` : ''}${describeLine(t, line)}${part(line.leg)}`,
    isIncludedDriver(line) ? t('Included') : money(line.amount),
  ]);
}

/** "Please pay by card until 5:00 PM PDT on Fri, June 5, 2026." The time is that of the port of departure. */
export function askToPay({ t, document, payable }: TemplateInput, legs = document.legs): string {
  const { locale } = document.order;
  const zone = legs[0]?.origin.timeZone;
  const payUntil = payable?.payUntil;
  if (!payUntil || zone === undefined) return t('Please pay by card.');
  return t('Please pay by card until {time} on {day}.', {
    time: formatTimeWithZone(payUntil, zone, locale),
    day: formatDate(payUntil, zone, locale),
  });
}

/** The button that opens the order. */
export function orderButton({ t, origin, document }: TemplateInput, label = t('Open your order')): MailBlock {
  return button(label, origin + fillPath(ticketPages.confirmation, { id: document.order.id }));
}

/** " on Sat, June 6, 2026, North Pier": follows a time. */
function describeRest(t: Translate, day: string, place: string): string {
  return day === '' ? `, ${place}` : ` ${t('on {day}, {place}', { day, place })}`;
}

function describePlace({ name, address }: TravelPort): string {
  return [name, address].filter(Boolean).join(', ');
}
