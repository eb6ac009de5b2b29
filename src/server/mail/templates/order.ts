import type { LegName } from '#contract/checkout/legs.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { formatMoney } from '#domain/fares/money.ts';
import { describeContact, formatContact } from '#domain/orders/contact.ts';
import { describeTicket } from '#domain/orders/describe-ticket.ts';
import { describeLeg, isOnwardLeg } from '#domain/orders/legs.ts';
import { describeCard } from '#domain/payment-words.ts';
import { countMinutes } from '#domain/time/port-time.ts';
import type {
  DocumentCancellation,
  MovedMoney,
  TravelDocument,
  TravelLeg,
  TravelPort,
} from '#server/documents/travel-document.ts';
import {
  describePurchasedPolicy,
  describeVia,
  formatDate,
  formatTimeWithZone,
} from '#server/documents/travel-text.ts';
import {
  button,
  codeCid,
  facts,
  heading,
  link,
  type MailBlock,
  type MailContent,
  type MailTexts,
  text,
} from '../mail-content.ts';

type TemplateInput = {
  document: TravelDocument;
  settings: WebSettings;
  /** Configured origin of the ticket host; links never use the request's host. */
  origin: string;
  /** The cancellation that the mail is about. */
  cancellationId?: string | null;
};

/** The mails about an order, and which of them have its tickets and calendar file attached. */
export const ORDER_MAILS = {
  'order-confirmed': { write: confirmed, hasTickets: true },
  'order-confirmed-late': { write: confirmedLate, hasTickets: true },
  'order-refunded': { write: refundedLate, hasTickets: false },
  'order-value-gone': { write: refundedWithoutTripCard, hasTickets: false },
  'order-given-back': { write: canceledAndRefunded, hasTickets: false },
  'order-tickets-canceled': { write: ticketsCanceled, hasTickets: true },
  'order-part-refunded': { write: partRefunded, hasTickets: false },
  'order-refund-failed': { write: refundFailed, hasTickets: false },
  'order-link': { write: orderLink, hasTickets: false },
  'sailing-changed': { write: sailingChanged, hasTickets: true },
  'sailing-cancelled': { write: sailingCancelled, hasTickets: false },
  'sailing-overbooked': { write: sailingOverbooked, hasTickets: false },
} as const satisfies Record<string, { write: (input: TemplateInput) => MailTexts; hasTickets: boolean }>;
export type OrderMailKind = keyof typeof ORDER_MAILS;

export function orderMailContent(kind: OrderMailKind, input: TemplateInput): MailContent {
  const { brand, contact } = input.settings;
  return {
    brandName: brand.name,
    accent: brand.accent,
    ...ORDER_MAILS[kind].write(input),
    footer: [
      formatContact(brand.name, contact),
      `Say your reference ${input.document.order.reference} when you call. This email was sent automatically.`,
    ],
  };
}

function confirmed(input: TemplateInput): MailTexts {
  const { document } = input;
  const { order } = document;
  return {
    title: 'Your ferry tickets',
    parts: [
      text(
        `Hello ${order.contactName}, here are your tickets. Show the codes below at the gate, on your phone or printed. They also work without a connection.`,
      ),
      facts(['Reference', order.reference]),
      orderButton(input),
      ...document.legs.flatMap((leg) => legParts(leg, document, true)),
      ...priceParts(document),
      heading('Changing and canceling'),
      { kind: 'list', items: describePurchasedPolicy(document) },
    ],
  };
}

function confirmedLate(input: TemplateInput): MailTexts {
  const { title, parts } = confirmed(input);
  const late = 'Your payment came after your hold had expired. We still had room, so your tickets are valid.';
  return { title, parts: [text(late), ...parts] };
}

function refundedLate(input: TemplateInput): MailTexts {
  const { order } = input.document;
  return {
    title: 'Your money is on its way back',
    parts: [
      text(
        `Hello ${order.contactName}, your payment of ${formatMoney(order.paid, order.currency, order.locale)} came after your hold had expired. There was no room left for your party. You have no tickets from this order.`,
      ),
      text(REFUNDING_ALL),
      ...crossingParts(input.document),
      button('Choose another sailing', input.origin + ticketPages.home),
    ],
  };
}

function refundedWithoutTripCard(input: TemplateInput): MailTexts {
  const { order } = input.document;
  return {
    title: 'Your money is on its way back',
    parts: [
      text(
        `Hello ${order.contactName}, your card payment of ${formatMoney(order.paid, order.currency, order.locale)} came after your hold had expired. Your trip card no longer had enough for its part. You have no tickets from this order.`,
      ),
      text(`${REFUNDING_ALL} Nothing was taken from your trip card.`),
      button('Choose your sailing again', input.origin + ticketPages.home),
    ],
  };
}

function canceledAndRefunded(input: TemplateInput): MailTexts {
  const { order, refunded } = input.document;
  return {
    title: 'Your order is canceled and refunded',
    parts: [
      text(
        `Hello ${order.contactName}, we have canceled order ${order.reference}. Its tickets are no longer valid.`,
      ),
      ...crossingParts(input.document),
      ...refunded.map((money) => text(describeRefund(money, order))),
      orderButton(input),
    ],
  };
}

function ticketsCanceled(input: TemplateInput): MailTexts {
  const { document, cancellationId } = input;
  const { order, tickets, refunded } = document;
  const cancellation = document.cancellations.find(({ id }) => id === cancellationId);
  const back = refunded.filter((money) => cancellation && money.cancellationId === cancellation.id);
  return {
    title: tickets.length > 0 ? 'Some of your tickets are canceled' : 'Your tickets are canceled',
    parts: [
      text(
        `Hello ${order.contactName}, these tickets of order ${order.reference} are canceled and no longer valid.`,
      ),
      ...(cancellation ? cancelledAmounts(cancellation, document) : []),
      ...back.map((money) => text(describeRefund(money, order))),
      ...(tickets.length > 0
        ? [
            text('Your other tickets stay valid:'),
            ...document.legs.flatMap((leg) => legParts(leg, document, true)),
          ]
        : []),
      orderButton(input),
    ],
  };
}

function cancelledAmounts(
  { lines, paid, refund }: DocumentCancellation,
  document: TravelDocument,
): MailBlock[] {
  const money = (amount: number) => formatMoney(amount, document.order.currency, document.order.locale);
  const kept = paid - refund;
  const rows: [string, string][] = kept > 0 ? [['Not refunded under your fare’s rules', money(-kept)]] : [];
  return [
    {
      kind: 'amounts',
      rows: [...lineRows(lines, [...document.legs, ...document.cancelledLegs], money), ...rows],
      total: ['Refund', money(refund)],
    },
  ];
}

function partRefunded(input: TemplateInput): MailTexts {
  const { order, refunded } = input.document;
  return {
    title: 'We have refunded a part of your order',
    parts: [
      text(
        `Hello ${order.contactName}, we have refunded a part of order ${order.reference}. Your tickets stay as they are.`,
      ),
      ...refunded.map((money) => text(describeRefund(money, order))),
      orderButton(input),
    ],
  };
}

function refundFailed(input: TemplateInput): MailTexts {
  const { order } = input.document;
  const reach = describeContact(input.settings.contact) ?? 'ask at the ticket booth';
  return {
    title: 'Your money did not reach you',
    parts: [
      text(
        `Hello ${order.contactName}, we tried several times to refund order ${order.reference} to your card. Its bank did not accept the money. The card may be closed or replaced.`,
      ),
      text(`The money is still yours. Please ${reach}, and we will send it another way.`),
      orderButton(input),
    ],
  };
}

function orderLink(input: TemplateInput): MailTexts {
  return {
    title: 'Your order',
    parts: [
      text(
        'Someone, hopefully you, asked for this order. Anyone with this link can see the tickets, so keep it private.',
      ),
      facts(['Reference', input.document.order.reference]),
      ...crossingParts(input.document),
      orderButton(input),
      text('If this wasn’t you, ignore this email.'),
    ],
  };
}

function sailingChanged(input: TemplateInput): MailTexts {
  const { document } = input;
  return {
    title: 'Your sailing has changed',
    parts: [
      text('We changed your sailing. Your tickets stay valid. These are the times now:'),
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      orderButton(input),
    ],
  };
}

function sailingCancelled(input: TemplateInput): MailTexts {
  return { title: 'Your sailing is canceled', parts: [text('We are sorry.'), ...chooseAgainParts(input)] };
}

function sailingOverbooked(input: TemplateInput): MailTexts {
  const why = 'A smaller boat runs on your sailing. It may not have room for all of you. We are sorry.';
  return { title: 'There may be no room on your sailing', parts: [text(why), ...chooseAgainParts(input)] };
}

function chooseAgainParts(input: TemplateInput): MailBlock[] {
  const { document, settings } = input;
  const { phone } = settings.contact;
  const how = phone === null ? 'Ask' : `Call ${phone} or ask`;
  return [
    text(`You can take another sailing or get your money back. ${how} at the ticket booth.`),
    ...document.legs.flatMap((leg) => legParts(leg, document, false)),
    orderButton(input),
  ];
}

const REFUNDING_ALL =
  'We are refunding all of it to the card you paid with. Most banks show it within 5 to 10 days.';

function legParts(
  leg: TravelLeg,
  { order, tickets, legs }: TravelDocument,
  withTickets: boolean,
): MailBlock[] {
  const { locale } = order;
  const own = tickets.filter((ticket) => ticket.leg === leg.leg);
  return [
    heading(`${leg.origin.name} → ${leg.destination.name}`),
    ...alertParts(leg),
    ...changeParts(leg, legs),
    facts(
      ['Date', formatDate(leg.departsAt, leg.origin.timeZone, locale)],
      [
        'Departs',
        `${formatTimeWithZone(leg.departsAt, leg.origin.timeZone, locale)}, ${describePlace(leg.origin)}`,
      ],
      ['Check in by', formatTimeWithZone(leg.checkInClosesAt, leg.origin.timeZone, locale)],
      ['Arrives', `${describeArrival(leg, locale)}, ${leg.destination.name}`],
      ['Boat', [leg.vesselName, describeVia(leg)].filter(Boolean).join(', ')],
    ),
    ...mapParts(leg.origin),
    ...(withTickets ? own : []).map((ticket): MailBlock => {
      const [who, detail] = describeTicket(ticket, own);
      return { kind: 'ticket', who, detail, code: ticket.boardingCode, cid: codeCid(ticket) };
    }),
  ];
}

function alertParts(leg: TravelLeg): MailBlock[] {
  const sentences = [
    leg.isCancelled ? 'This sailing is canceled.' : '',
    leg.delayMinutes > 0 ? `It runs about ${leg.delayMinutes} minutes late.` : '',
    leg.statusText,
  ].filter(Boolean);
  return sentences.length > 0 ? [{ kind: 'alert', text: sentences.join(' ') }] : [];
}

function changeParts(leg: TravelLeg, legs: TravelDocument['legs']): MailBlock[] {
  const before = legs[legs.indexOf(leg) - 1];
  if (!before || !isOnwardLeg(leg.leg)) return [];
  const planned = countMinutes(before.arrivesAt.getTime(), leg.departsAt.getTime());
  const minutes = planned - before.delayMinutes + leg.delayMinutes;
  const { name, changeMinutes } = leg.origin;
  if (minutes >= (changeMinutes ?? planned)) {
    return [text(`You change boats in ${name} and have ${minutes} minutes there.`)];
  }
  const time = minutes > 0 ? `only ${minutes} minutes` : 'no time';
  return [
    {
      kind: 'alert',
      text: `The first boat is late and leaves ${time} to change in ${name}. You may miss this boat. Ask the ticket booth what you can do.`,
    },
  ];
}

function mapParts({ name, lat, lon }: TravelPort): MailBlock[] {
  if (lat === null || lon === null) return [];
  const url = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;
  return [link(`Map of the terminal in ${name}`, url)];
}

function describeRefund(
  money: MovedMoney,
  { currency, locale }: Pick<TravelDocument['order'], 'currency' | 'locale'>,
): string {
  const sum = formatMoney(money.amount, currency, locale);
  if (money.method === 'trip_card') return `${sum} is back on ${describeCard(money)}.`;
  return `${sum} is on its way to your ${describeCard(money)}. Most banks show it within 5 to 10 days.`;
}

function priceParts({ order, lines, legs, paid }: TravelDocument): MailBlock[] {
  const money = (amount: number) => formatMoney(amount, order.currency, order.locale);
  // After a cancellation the payments cover more than the tickets that are left.
  const isPart = order.status === 'partly_cancelled';
  const sum = (field: 'amount' | 'tax') => lines.reduce((total, line) => total + line[field], 0);
  const { tax, total } = isPart ? { tax: sum('tax'), total: sum('amount') } : order;
  const taxRow: [string, string][] = tax > 0 ? [['Includes tax', money(tax)]] : [];
  return [
    heading('What you paid'),
    { kind: 'amounts', rows: [...lineRows(lines, legs, money), ...taxRow], total: ['Total', money(total)] },
    ...(paid.length > 0 && !isPart ? [text(`Paid by ${describePayments(paid, money)}.`)] : []),
  ];
}

function lineRows(
  lines: TravelDocument['lines'],
  legs: readonly TravelLeg[],
  money: (amount: number) => string,
): [string, string][] {
  const names = legs.map(({ leg }) => leg);
  const part = (leg: LegName) => {
    const name = describeLeg(leg, names);
    return name === null ? '' : `, ${name.toLowerCase()}`;
  };
  return lines.map((line) => [
    `${line.quantity > 1 ? `${line.quantity} × ` : ''}${line.description}${part(line.leg)}`,
    isIncludedDriver(line) ? 'Included' : money(line.amount),
  ]);
}

/** "trip card ending in 1234 ($10.00) and Visa ending in 4242 ($15.50)"; without the amount for a single payment. */
function describePayments(paid: readonly MovedMoney[], money: (amount: number) => string): string {
  const isShared = paid.length > 1;
  return paid
    .map((part) => `${describeCard(part)}${isShared ? ` (${money(part.amount)})` : ''}`)
    .join(' and ');
}

function crossingParts({ legs, order }: TravelDocument): MailBlock[] {
  return legs.map(({ origin, destination, departsAt }) => {
    const day = formatDate(departsAt, origin.timeZone, order.locale);
    const time = formatTimeWithZone(departsAt, origin.timeZone, order.locale);
    return text(`${origin.name} → ${destination.name}, ${day}, ${time}`);
  });
}

function describeArrival(leg: TravelLeg, locale: string): string {
  const time = formatTimeWithZone(leg.arrivesAt, leg.destination.timeZone, locale);
  const day = formatDate(leg.arrivesAt, leg.destination.timeZone, locale);
  return day === formatDate(leg.departsAt, leg.origin.timeZone, locale) ? time : `${time} on ${day}`;
}

function describePlace({ name, address }: TravelPort): string {
  return [name, address].filter(Boolean).join(', ');
}

function orderButton({ origin, document }: TemplateInput): MailBlock {
  return button('Open your order', origin + fillPath(ticketPages.confirmation, { id: document.order.id }));
}
