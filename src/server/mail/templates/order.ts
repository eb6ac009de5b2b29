import { getTicketsPdf } from '#contract/orders/tickets/endpoints.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { formatMoney } from '#domain/format/money.ts';
import { formatContact } from '#domain/orders/contact.ts';
import { formatList } from '#messages/intl.ts';
import { message, type Translate } from '#messages/translate.ts';
import { describeReach } from '#sentences/contact.ts';
import { describeCard } from '#sentences/payment-cards.ts';
import { textsIn } from '#server/core/texts.ts';
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
import {
  addressChanged,
  assistanceChanged,
  changed,
  changeEnded,
  changeLink,
  changeRefused,
} from './order-changes.ts';
import {
  assistanceParts,
  canceledAmounts,
  describeRefund,
  greet,
  legParts,
  lineRows,
  orderButton,
  type TemplateInput,
} from './order-parts.ts';
import { paymentCanceled, paymentLink, paymentMissed } from './payment-link.ts';
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
  'order-change-link': { write: changeLink, hasTickets: false },
  'order-change-ended': { write: changeEnded, hasTickets: false },
  'order-part-refunded': { write: partRefunded, hasTickets: false },
  'order-refund-failed': { write: refundFailed, hasTickets: false },
  'order-tickets-reissued': { write: reissued, hasTickets: true },
  'order-payment-link': { write: paymentLink, hasTickets: false },
  'order-payment-missed': { write: paymentMissed, hasTickets: false },
  'order-payment-canceled': { write: paymentCanceled, hasTickets: false },
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

export function orderMailContent(kind: OrderMailKind, mail: Omit<TemplateInput, 't'>): MailContent {
  const { locale: language } = mail.document.order;
  const t = textsIn(language);
  const input = { ...mail, t };
  const { brand, contact } = input.settings;
  const { hasTickets, write } = ORDER_MAILS[kind];
  const texts = write(input);
  return {
    language,
    brandName: brand.name,
    accent: brand.accent,
    ...texts,
    parts: hasTickets ? [...texts.parts, ...pdfParts(input)] : texts.parts,
    footer: [
      formatContact(brand.name, contact),
      t('Say your reference {reference} when you call. This email was sent automatically.', {
        reference: mail.document.order.reference,
      }),
    ],
    footerLinks: legalLinks(t, input.settings),
    ...(hasTickets ? { data: describeReservations(input) } : {}),
  };
}

/** Where the PDF is not attached. */
function pdfParts({ t, document, settings, origin }: TemplateInput): MailBlock[] {
  if (settings.attach_tickets_pdf || !isConfirmedDocument(document)) return [];
  const path = fillPath(getTicketsPdf.path, { id: document.order.id });
  return [link(t('Your tickets as PDF'), origin + path)];
}

function confirmed(input: TemplateInput): MailTexts {
  const { t, document } = input;
  const { order } = document;
  return {
    title: t('Your ferry tickets'),
    parts: [
      text(
        t(
          '{greeting} here are your tickets. Show the codes below at the gate, on your phone or printed. They also work without a connection.',
          { greeting: greet(t, order) },
        ),
      ),
      definitions([t('Reference'), order.reference]),
      orderButton(input),
      ...document.legs.flatMap((leg) => legParts(leg, document, true)),
      ...assistanceParts(document),
      ...priceParts(document),
      heading(t('Changing and canceling')),
      { kind: 'list', items: describePurchasedPolicy(document) },
    ],
  };
}

function confirmedLate(input: TemplateInput): MailTexts {
  const { t } = input;
  const { title, parts } = confirmed(input);
  const late = t(
    'Your payment came after your hold had expired. We still had room, so your tickets are valid.',
  );
  return { title, parts: [text(late), ...parts] };
}

function reissued(input: TemplateInput): MailTexts {
  const { t, document } = input;
  const { order } = document;
  return {
    title: t('Your tickets have new codes'),
    parts: [
      text(
        t(
          '{greeting} we have replaced the codes of your tickets. Please show these codes at the gate. The earlier ones are no longer valid.',
          { greeting: greet(t, order) },
        ),
      ),
      text(t('Your sailing, your places and your price stay the same.')),
      definitions([t('Reference'), order.reference]),
      orderButton(input),
      ...document.legs.flatMap((leg) => legParts(leg, document, true)),
    ],
  };
}

function refundedLate(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order } = input.document;
  const payment = {
    ...{ greeting: greet(t, order), amount: formatMoney(order.paid, order.currency, order.locale) },
  };
  return {
    title: t('Your money is on its way back'),
    parts: [
      text(
        order.notice === 'boat_canceled'
          ? t(
              '{greeting} your payment of {amount} came after your boat had been canceled. You have no tickets from this order.',
              payment,
            )
          : t(
              '{greeting} your payment of {amount} came after your hold had expired. There was no room left for your party. You have no tickets from this order.',
              payment,
            ),
      ),
      text(t(REFUNDING_ALL)),
      ...crossingParts(input.document),
      button(t('Choose another sailing'), input.origin + ticketPages.home),
    ],
  };
}

function refundedWithoutTripCard(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order } = input.document;
  return {
    title: t('Your money is on its way back'),
    parts: [
      text(
        t(
          '{greeting} your card payment of {amount} came after your hold had expired. Your trip card no longer had enough for its part. You have no tickets from this order.',
          { greeting: greet(t, order), amount: formatMoney(order.paid, order.currency, order.locale) },
        ),
      ),
      text(`${t(REFUNDING_ALL)} ${t('Nothing was taken from your trip card.')}`),
      button(t('Choose your sailing again'), input.origin + ticketPages.home),
    ],
  };
}

function canceledAndRefunded(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order, refunded } = input.document;
  return {
    title: t('Your order is canceled'),
    parts: [
      text(
        t('{greeting} we have canceled order {reference}. Its tickets are no longer valid.', {
          greeting: greet(t, order),
          reference: order.reference,
        }),
      ),
      ...crossingParts(input.document),
      ...refunded.map((money) => text(describeRefund(money, order))),
      orderButton(input),
    ],
  };
}

function ticketsCanceled(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order, tickets } = input.document;
  return {
    title: tickets.length > 0 ? t('Some of your tickets are canceled') : t('Your tickets are canceled'),
    parts: [
      text(
        t('{greeting} these tickets of order {reference} are canceled and no longer valid.', {
          greeting: greet(t, order),
          reference: order.reference,
        }),
      ),
      ...cancellationParts(input),
    ],
  };
}

function refundedUnanswered(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order } = input.document;
  return {
    title: t('Your canceled sailing is refunded'),
    parts: [
      text(
        t(
          '{greeting} we have canceled these tickets of order {reference} and refunded them in full. You had a choice because your sailing changed, and the deadline for it has passed.',
          { greeting: greet(t, order), reference: order.reference },
        ),
      ),
      ...cancellationParts(input),
    ],
  };
}

function cancellationParts(input: TemplateInput): MailBlock[] {
  const { t, document, cancellationId } = input;
  const { order, tickets, refunded } = document;
  const cancellation = document.cancellations.find(({ id }) => id === cancellationId);
  const back = refunded.filter((money) => cancellation && money.cancellationId === cancellation.id);
  return [
    ...(cancellation ? canceledAmounts(cancellation, document) : []),
    ...back.map((money) => text(describeRefund(money, order))),
    ...(tickets.length > 0
      ? [
          text(t('Your other tickets stay valid:')),
          ...document.legs.flatMap((leg) => legParts(leg, document, true)),
        ]
      : []),
    orderButton(input),
  ];
}

function partRefunded(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order, refunded } = input.document;
  return {
    title: t('We have refunded a part of your order'),
    parts: [
      text(
        t('{greeting} we have refunded a part of order {reference}. Your tickets stay as they are.', {
          greeting: greet(t, order),
          reference: order.reference,
        }),
      ),
      ...refunded.map((money) => text(describeRefund(money, order))),
      orderButton(input),
    ],
  };
}

function refundFailed(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order } = input.document;
  const reach = describeReach(t, input.settings.contact);
  return {
    title: t('Your money did not reach you'),
    parts: [
      text(
        t(
          '{greeting} we tried several times to refund order {reference} to your card. Its bank did not accept the money. The card may be closed or replaced.',
          { greeting: greet(t, order), reference: order.reference },
        ),
      ),
      text(
        t('The money is still yours. Please {contact}, and we will send it another way.', { contact: reach }),
      ),
      orderButton(input),
    ],
  };
}

function orderLink(input: TemplateInput): MailTexts {
  const { t } = input;
  return {
    title: t('Your order'),
    parts: [
      text(
        t(
          'Someone, hopefully you, asked for this order. Anyone with this link can see the tickets, so keep it private.',
        ),
      ),
      definitions([t('Reference'), input.document.order.reference]),
      ...crossingParts(input.document),
      orderButton(input),
      text(t('If this wasn’t you, ignore this email.')),
    ],
  };
}

const REFUNDING_ALL = message(
  'We are refunding all of it to the card you paid with. Most banks show it within 5 to 10 days.',
);

function priceParts({ order, lines, legs, paid }: TravelDocument): MailBlock[] {
  const t = textsIn(order.locale);
  const money = (amount: number) => formatMoney(amount, order.currency, order.locale);
  const sum = (field: 'amount' | 'tax') => lines.reduce((total, line) => total + line[field], 0);
  // After a cancellation or a change the payments cover more than the tickets that are left.
  const isPart = order.status === 'partly_canceled' || sum('amount') !== order.total;
  const { tax, total } = isPart ? { tax: sum('tax'), total: sum('amount') } : order;
  const taxRow: [string, string][] = tax > 0 ? [[t('Includes tax'), money(tax)]] : [];
  return [
    heading(t('What you paid')),
    {
      kind: 'amounts',
      rows: [...lineRows(t, lines, legs, money), ...taxRow],
      total: [t('Total'), money(total)],
    },
    ...(paid.length > 0 && !isPart
      ? [text(t('Paid by {payments}.', { payments: describePayments(t, paid, order) }))]
      : []),
  ];
}

/** "trip card ending in 1234 ($10.00) and Visa ending in 4242 ($15.50)"; without the amount for a single payment. */
function describePayments(
  t: Translate,
  paid: readonly MovedMoney[],
  { currency, locale }: TravelDocument['order'],
): string {
  const isShared = paid.length > 1;
  const parts = paid.map(
    (part) => `${describeCard(t, part)}${isShared ? ` (${formatMoney(part.amount, currency, locale)})` : ''}`,
  );
  return formatList(locale, parts);
}

function crossingParts({ legs, order }: TravelDocument): MailBlock[] {
  return legs.map((leg) => text(describeCrossing(leg, order.locale)));
}
