import { getTicketsPdf } from '#contract/orders/tickets/endpoints.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { formatMoney } from '#domain/format/money.ts';
import { describeContact, formatContact } from '#domain/orders/contact.ts';
import { describeCard } from '#domain/payments/labels.ts';
import {
  isConfirmedDocument,
  type MovedMoney,
  type TravelDocument,
} from '#server/documents/travel-document.ts';
import { describeCrossing, describePurchasedPolicy } from '#server/documents/travel-text.ts';
import {
  button,
  definitions,
  heading,
  legalLinks,
  link,
  type MailBlock,
  type MailContent,
  type MailTexts,
  text,
} from '../mail-content.ts';
import { addressChanged, assistanceChanged, changed, changeRefused } from './order-changes.ts';
import {
  assistanceParts,
  canceledAmounts,
  describeRefund,
  legParts,
  lineRows,
  orderButton,
  type TemplateInput,
} from './order-parts.ts';
import { describeReservations } from './reservations.ts';
import {
  keptMoved,
  offerChanged,
  openTicketEnds,
  openTicketKept,
  rebooked,
  sailingCanceled,
  sailingChanged,
  sailingDelayed,
  sailingLate,
  sailingOnTime,
  sailingOverbooked,
} from './sailing.ts';

/** The mails about an order, and which of them have its tickets and calendar file. */
export const ORDER_MAILS = {
  'order-confirmed': { write: confirmed, hasTickets: true },
  'order-confirmed-late': { write: confirmedLate, hasTickets: true },
  'order-refunded': { write: refundedLate, hasTickets: false },
  'order-value-gone': { write: refundedWithoutTripCard, hasTickets: false },
  'order-given-back': { write: canceledAndRefunded, hasTickets: false },
  'order-tickets-canceled': { write: ticketsCanceled, hasTickets: true },
  'order-refunded-unanswered': { write: refundedUnanswered, hasTickets: true },
  'order-changed': { write: changed, hasTickets: true },
  'order-assistance-changed': { write: assistanceChanged, hasTickets: true },
  'order-address-changed': { write: addressChanged, hasTickets: false },
  'order-change-refused': { write: changeRefused, hasTickets: false },
  'order-part-refunded': { write: partRefunded, hasTickets: false },
  'order-refund-failed': { write: refundFailed, hasTickets: false },
  'order-tickets-reissued': { write: reissued, hasTickets: true },
  'order-link': { write: orderLink, hasTickets: false },
  'sailing-changed': { write: sailingChanged, hasTickets: true },
  'sailing-canceled': { write: sailingCanceled, hasTickets: false },
  'sailing-delayed': { write: sailingDelayed, hasTickets: false },
  'sailing-late': { write: sailingLate, hasTickets: true },
  'sailing-on-time': { write: sailingOnTime, hasTickets: true },
  'sailing-overbooked': { write: sailingOverbooked, hasTickets: false },
  'order-rebooked': { write: rebooked, hasTickets: true },
  'open-ticket-kept': { write: openTicketKept, hasTickets: false },
  'open-ticket-ends': { write: openTicketEnds, hasTickets: false },
  'rebooking-offer-changed': { write: offerChanged, hasTickets: false },
  'sailing-kept-moved': { write: keptMoved, hasTickets: false },
} as const satisfies Record<string, { write: (input: TemplateInput) => MailTexts; hasTickets: boolean }>;
export type OrderMailKind = keyof typeof ORDER_MAILS;

export function orderMailContent(kind: OrderMailKind, input: TemplateInput): MailContent {
  const { brand, contact } = input.settings;
  const { hasTickets, write } = ORDER_MAILS[kind];
  const texts = write(input);
  return {
    brandName: brand.name,
    accent: brand.accent,
    ...texts,
    parts: hasTickets ? [...texts.parts, ...pdfParts(input)] : texts.parts,
    footer: [
      formatContact(brand.name, contact),
      `Say your reference ${input.document.order.reference} when you call. This email was sent automatically.`,
    ],
    footerLinks: legalLinks(input.settings),
    ...(hasTickets ? { data: describeReservations(input) } : {}),
  };
}

/** Where the PDF is not attached. */
function pdfParts({ document, settings, origin }: TemplateInput): MailBlock[] {
  if (settings.attach_tickets_pdf || !isConfirmedDocument(document)) return [];
  const path = fillPath(getTicketsPdf.path, { id: document.order.id });
  return [link('Your tickets as PDF', origin + path)];
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
      definitions(['Reference', order.reference]),
      orderButton(input),
      ...document.legs.flatMap((leg) => legParts(leg, document, true)),
      ...assistanceParts(document),
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

function reissued(input: TemplateInput): MailTexts {
  const { document } = input;
  const { order } = document;
  return {
    title: 'Your tickets have new codes',
    parts: [
      text(
        `Hello ${order.contactName}, we have replaced the codes of your tickets. Please show these codes at the gate. The earlier ones are no longer valid.`,
      ),
      text('Your sailing, your places and your price stay the same.'),
      definitions(['Reference', order.reference]),
      orderButton(input),
      ...document.legs.flatMap((leg) => legParts(leg, document, true)),
    ],
  };
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
  const { order, tickets } = input.document;
  return {
    title: tickets.length > 0 ? 'Some of your tickets are canceled' : 'Your tickets are canceled',
    parts: [
      text(
        `Hello ${order.contactName}, these tickets of order ${order.reference} are canceled and no longer valid.`,
      ),
      ...cancellationParts(input),
    ],
  };
}

function refundedUnanswered(input: TemplateInput): MailTexts {
  const { order } = input.document;
  return {
    title: 'Your canceled sailing is refunded',
    parts: [
      text(
        `Hello ${order.contactName}, we have canceled these tickets of order ${order.reference} and refunded them in full. You had a choice because your sailing changed, and the deadline for it has passed.`,
      ),
      ...cancellationParts(input),
    ],
  };
}

function cancellationParts(input: TemplateInput): MailBlock[] {
  const { document, cancellationId } = input;
  const { order, tickets, refunded } = document;
  const cancellation = document.cancellations.find(({ id }) => id === cancellationId);
  const back = refunded.filter((money) => cancellation && money.cancellationId === cancellation.id);
  return [
    ...(cancellation ? canceledAmounts(cancellation, document) : []),
    ...back.map((money) => text(describeRefund(money, order))),
    ...(tickets.length > 0
      ? [
          text('Your other tickets stay valid:'),
          ...document.legs.flatMap((leg) => legParts(leg, document, true)),
        ]
      : []),
    orderButton(input),
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
      definitions(['Reference', input.document.order.reference]),
      ...crossingParts(input.document),
      orderButton(input),
      text('If this wasn’t you, ignore this email.'),
    ],
  };
}

const REFUNDING_ALL =
  'We are refunding all of it to the card you paid with. Most banks show it within 5 to 10 days.';

function priceParts({ order, lines, legs, paid }: TravelDocument): MailBlock[] {
  const money = (amount: number) => formatMoney(amount, order.currency, order.locale);
  const sum = (field: 'amount' | 'tax') => lines.reduce((total, line) => total + line[field], 0);
  // After a cancellation or a change the payments cover more than the tickets that are left.
  const isPart = order.status === 'partly_canceled' || sum('amount') !== order.total;
  const { tax, total } = isPart ? { tax: sum('tax'), total: sum('amount') } : order;
  const taxRow: [string, string][] = tax > 0 ? [['Includes tax', money(tax)]] : [];
  return [
    heading('What you paid'),
    { kind: 'amounts', rows: [...lineRows(lines, legs, money), ...taxRow], total: ['Total', money(total)] },
    ...(paid.length > 0 && !isPart ? [text(`Paid by ${describePayments(paid, money)}.`)] : []),
  ];
}

/** "trip card ending in 1234 ($10.00) and Visa ending in 4242 ($15.50)"; without the amount for a single payment. */
function describePayments(paid: readonly MovedMoney[], money: (amount: number) => string): string {
  const isShared = paid.length > 1;
  return paid
    .map((part) => `${describeCard(part)}${isShared ? ` (${money(part.amount)})` : ''}`)
    .join(' and ');
}

function crossingParts({ legs, order }: TravelDocument): MailBlock[] {
  return legs.map((leg) => text(describeCrossing(leg, order.locale)));
}
