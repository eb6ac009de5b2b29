import { fillPath, ticketPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { formatMoney } from '#domain/fares/money.ts';
import { describeContact, formatContact } from '#domain/orders/contact.ts';
import { describeTicket } from '#domain/orders/describe-ticket.ts';
import { describeCard } from '#domain/payment-words.ts';
import type { MovedMoney, TravelDocument, TravelLeg, TravelPort } from '#server/documents/travel-document.ts';
import { describePurchasedPolicy, formatDate, formatTimeWithZone } from '#server/documents/travel-text.ts';
import { codeCid } from '../attachments.ts';
import type { MailBlock, MailContent } from '../mail-content.ts';

type TemplateInput = {
  document: TravelDocument;
  settings: WebSettings;
  /** Configured origin of the ticket host; links never use the request's host. */
  origin: string;
};

/** The mails about an order, and which of them have its tickets and calendar file attached. */
export const ORDER_MAILS = {
  'order-confirmed': { write: confirmed, hasTickets: true },
  'order-confirmed-late': { write: confirmedLate, hasTickets: true },
  'order-refunded': { write: refunded, hasTickets: false },
  'order-value-gone': { write: tripCardSpent, hasTickets: false },
  'order-given-back': { write: canceledAndRefunded, hasTickets: false },
  'order-refund-failed': { write: refundFailed, hasTickets: false },
  'order-link': { write: link, hasTickets: false },
  'sailing-changed': { write: sailingChanged, hasTickets: true },
  'sailing-cancelled': { write: sailingCancelled, hasTickets: false },
} as const satisfies Record<
  string,
  { write: (w: TemplateInput) => Pick<MailContent, 'title' | 'parts'>; hasTickets: boolean }
>;
export type OrderMailKind = keyof typeof ORDER_MAILS;

export function orderMailContent(kind: OrderMailKind, input: TemplateInput): MailContent {
  const { settings, document } = input;
  return {
    brandName: settings.brand.name,
    accent: settings.brand.accent,
    ...ORDER_MAILS[kind].write(input),
    footer: [
      formatContact(settings.brand.name, settings.contact),
      `Say your reference ${document.order.reference} when you call. This email was sent automatically.`,
    ],
  };
}

function confirmed(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { document } = input;
  const { order } = document;
  return {
    title: 'Your ferry tickets',
    parts: [
      {
        kind: 'text',
        text: `Hello ${order.contactName}, here are your tickets. Show the codes below at the gate, on your phone or printed. They also work without a connection.`,
      },
      { kind: 'facts', rows: [['Reference', order.reference]] },
      { kind: 'button', label: 'Open your order', url: confirmationUrl(input) },
      ...document.legs.flatMap((leg) => legParts(leg, document, true)),
      ...priceParts(document),
      { kind: 'heading', text: 'Changing and canceling' },
      { kind: 'list', items: describePurchasedPolicy(document) },
    ],
  };
}

function confirmedLate(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const content = confirmed(input);
  return {
    title: content.title,
    parts: [
      {
        kind: 'text',
        text: 'Your payment came after your hold had expired. We still had room, so your tickets are valid.',
      },
      ...content.parts,
    ],
  };
}

function refunded(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { order, legs } = input.document;
  const amount = formatMoney(order.paid, order.currency, order.locale);
  return {
    title: 'Your money is on its way back',
    parts: [
      {
        kind: 'text',
        text: `Hello ${order.contactName}, your payment of ${amount} came after your hold had expired. There was no room left for your party. You have no tickets from this order.`,
      },
      {
        kind: 'text',
        text: 'We are refunding all of it to the card you paid with. Most banks show it within 5 to 10 days.',
      },
      ...legs.map((leg): MailBlock => ({ kind: 'text', text: describeCrossing(leg, order.locale) })),
      { kind: 'button', label: 'Choose another sailing', url: input.origin + ticketPages.home },
    ],
  };
}

function tripCardSpent(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { order } = input.document;
  const amount = formatMoney(order.paid, order.currency, order.locale);
  return {
    title: 'Your money is on its way back',
    parts: [
      {
        kind: 'text',
        text: `Hello ${order.contactName}, your card payment of ${amount} came after your hold had expired. Your trip card no longer had enough for its part. You have no tickets from this order.`,
      },
      {
        kind: 'text',
        text: 'We are refunding all of it to the card you paid with. Most banks show it within 5 to 10 days. Nothing was taken from your trip card.',
      },
      { kind: 'button', label: 'Choose your sailing again', url: input.origin + ticketPages.home },
    ],
  };
}

function canceledAndRefunded(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { order, legs, refunded } = input.document;
  return {
    title: 'Your order is canceled and refunded',
    parts: [
      {
        kind: 'text',
        text: `Hello ${order.contactName}, we have canceled order ${order.reference}. Its tickets are no longer valid.`,
      },
      ...legs.map((leg): MailBlock => ({ kind: 'text', text: describeCrossing(leg, order.locale) })),
      ...refunded.map((money): MailBlock => ({ kind: 'text', text: describeRefund(money, order) })),
      { kind: 'button', label: 'Open your order', url: confirmationUrl(input) },
    ],
  };
}

function refundFailed(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { document, settings } = input;
  const { order } = document;
  const reach = describeContact(settings.contact) ?? 'ask at the ticket booth';
  return {
    title: 'Your money did not reach you',
    parts: [
      {
        kind: 'text',
        text: `Hello ${order.contactName}, we tried several times to refund order ${order.reference} to your card. Its bank did not accept the money. The card may be closed or replaced.`,
      },
      {
        kind: 'text',
        text: `The money is still yours. Please ${reach}, and we will send it another way.`,
      },
      { kind: 'button', label: 'Open your order', url: confirmationUrl(input) },
    ],
  };
}

function link(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { order, legs } = input.document;
  return {
    title: 'Your order',
    parts: [
      {
        kind: 'text',
        text: 'Someone, hopefully you, asked for this order. Anyone with this link can see the tickets, so keep it private.',
      },
      { kind: 'facts', rows: [['Reference', order.reference]] },
      ...legs.map((leg): MailBlock => ({ kind: 'text', text: describeCrossing(leg, order.locale) })),
      { kind: 'button', label: 'Open your order', url: confirmationUrl(input) },
      { kind: 'text', text: 'If this wasn’t you, ignore this email.' },
    ],
  };
}

function sailingChanged(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { document } = input;
  return {
    title: 'Your sailing has changed',
    parts: [
      {
        kind: 'text',
        text: 'We changed your sailing. Your tickets stay valid. These are the times now:',
      },
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      { kind: 'button', label: 'Open your order', url: confirmationUrl(input) },
    ],
  };
}

function sailingCancelled(input: TemplateInput): Pick<MailContent, 'title' | 'parts'> {
  const { document, settings } = input;
  const { phone } = settings.contact;
  const how = phone === null ? 'Ask' : `Call ${phone} or ask`;
  return {
    title: 'Your sailing is canceled',
    parts: [
      {
        kind: 'text',
        text: `We are sorry. You can take another sailing or get your money back. ${how} at the ticket booth.`,
      },
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      { kind: 'button', label: 'Open your order', url: confirmationUrl(input) },
    ],
  };
}

function legParts(leg: TravelLeg, { order, tickets }: TravelDocument, withTickets: boolean): MailBlock[] {
  const { locale } = order;
  const own = tickets.filter((ticket) => ticket.leg === leg.leg);
  return [
    { kind: 'heading', text: `${leg.origin.name} → ${leg.destination.name}` },
    ...alertParts(leg),
    {
      kind: 'facts',
      rows: [
        ['Date', formatDate(leg.departsAt, leg.origin.timeZone, locale)],
        [
          'Departs',
          `${formatTimeWithZone(leg.departsAt, leg.origin.timeZone, locale)}, ${placeOf(leg.origin)}`,
        ],
        ['Check in by', formatTimeWithZone(leg.checkInClosesAt, leg.origin.timeZone, locale)],
        ['Arrives', `${describeArrival(leg, locale)}, ${leg.destination.name}`],
        ['Boat', leg.vesselName],
      ],
    },
    ...mapParts(leg.origin),
    ...(withTickets ? own : []).map((ticket): MailBlock => {
      const [who, detail] = describeTicket(ticket, own);
      return { kind: 'ticket', who, detail, code: ticket.boardingCode, cid: codeCid(ticket) };
    }),
  ];
}

function alertParts(leg: TravelLeg): MailBlock[] {
  const words = [
    leg.isCancelled ? 'This sailing is canceled.' : '',
    leg.delayMinutes > 0 ? `It runs about ${leg.delayMinutes} minutes late.` : '',
    leg.statusText,
  ].filter(Boolean);
  return words.length > 0 ? [{ kind: 'alert', text: words.join(' ') }] : [];
}

function mapParts({ name, lat, lon }: TravelPort): MailBlock[] {
  if (lat === null || lon === null) return [];
  const url = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;
  return [{ kind: 'link', label: `Map of the terminal in ${name}`, url }];
}

function describeRefund(
  money: MovedMoney,
  { currency, locale }: Pick<TravelDocument['order'], 'currency' | 'locale'>,
): string {
  const sum = formatMoney(money.amount, currency, locale);
  if (money.method === 'trip_card') return `${sum} is back on ${describeCard(money)}.`;
  return `${sum} is on its way to your ${describeCard(money)}. Most banks show it within 5 to 10 days.`;
}

function priceParts({ order, lines, paid }: TravelDocument): MailBlock[] {
  const money = (amount: number) => formatMoney(amount, order.currency, order.locale);
  const hasReturn = lines.some((line) => line.leg === 'back');
  const way = (leg: 'out' | 'back') => (hasReturn ? (leg === 'out' ? ', outbound' : ', return') : '');
  const rows = lines.map((line): [string, string] => [
    `${line.quantity > 1 ? `${line.quantity} × ` : ''}${line.description}${way(line.leg)}`,
    isIncludedDriver(line) ? 'Included' : money(line.amount),
  ]);
  const tax: [string, string][] = order.tax > 0 ? [['Includes tax', money(order.tax)]] : [];
  return [
    { kind: 'heading', text: 'What you paid' },
    { kind: 'amounts', rows: [...rows, ...tax], total: ['Total', money(order.total)] },
    ...(paid.length > 0
      ? [{ kind: 'text', text: `Paid by ${describePayments(paid, money)}.` } as const]
      : []),
  ];
}

/** "trip card ending in 1234 ($10.00) and Visa ending in 4242 ($15.50)"; without the amount for a single payment. */
function describePayments(paid: readonly MovedMoney[], money: (amount: number) => string): string {
  const isShared = paid.length > 1;
  return paid
    .map((part) => `${describeCard(part)}${isShared ? ` (${money(part.amount)})` : ''}`)
    .join(' and ');
}

function describeCrossing(leg: TravelLeg, locale: string): string {
  const zone = leg.origin.timeZone;
  const day = formatDate(leg.departsAt, zone, locale);
  return `${leg.origin.name} → ${leg.destination.name}, ${day}, ${formatTimeWithZone(leg.departsAt, zone, locale)}`;
}

function describeArrival(leg: TravelLeg, locale: string): string {
  const time = formatTimeWithZone(leg.arrivesAt, leg.destination.timeZone, locale);
  const day = formatDate(leg.arrivesAt, leg.destination.timeZone, locale);
  return day === formatDate(leg.departsAt, leg.origin.timeZone, locale) ? time : `${time} on ${day}`;
}

function placeOf({ name, address }: TravelPort): string {
  return [name, address].filter(Boolean).join(', ');
}

function confirmationUrl({ origin, document }: TemplateInput): string {
  return origin + fillPath(ticketPages.confirmation, { id: document.order.id });
}
