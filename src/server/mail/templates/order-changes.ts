import { formatMoney } from '#domain/format/money.ts';
import { describeContact } from '#domain/orders/contact.ts';
import { type MailBlock, type MailTexts, text } from '../mail-content.ts';
import {
  assistanceParts,
  describeRefund,
  legParts,
  lineRows,
  orderButton,
  type TemplateInput,
} from './order-parts.ts';

/** A change of an order by its buyer: the sums and the new tickets. */
export function changed(input: TemplateInput): MailTexts {
  const { document, changeId } = input;
  const { order, refunded } = document;
  const back = refunded.filter((money) => money.changeId !== null && money.changeId === changeId);
  return {
    title: 'Your order is changed',
    parts: [
      text(
        `Hello ${order.contactName}, we have changed order ${order.reference}. These are your tickets now. The earlier tickets of the changed trip are no longer valid.`,
      ),
      ...document.legs.flatMap((leg) => legParts(leg, document, true)),
      ...assistanceParts(document),
      ...changeAmounts(input),
      ...back.map((money) => text(describeRefund(money, order))),
      orderButton(input),
    ],
  };
}

/** The assistance of a paid order has changed. Tickets with what is asked for now are attached. */
export function assistanceChanged(input: TemplateInput): MailTexts {
  const { document } = input;
  const { order } = document;
  const asked = assistanceParts(document);
  const now =
    asked.length > 0
      ? 'This is what you ask for now. The crew is told.'
      : 'You no longer ask for assistance for anyone.';
  return {
    title: 'Your request for assistance',
    parts: [
      text(
        `Hello ${order.contactName}, your request for assistance with order ${order.reference} has changed. ${now}`,
      ),
      ...asked,
      text('Your tickets stay as they are.'),
      orderButton(input),
    ],
  };
}

/** Goes to the previous address, which may be a stranger's, so it has neither the new one nor the order's link. */
export function addressChanged({ document: { order }, settings }: TemplateInput): MailTexts {
  const reach = describeContact(settings.contact) ?? 'ask at the ticket booth';
  return {
    title: 'Another email address for your order',
    parts: [
      text(
        `Someone, hopefully you, has changed the email address of order ${order.reference}. Emails about this order now go to the new address.`,
      ),
      text(`If this wasn’t you, please ${reach}.`),
    ],
  };
}

export function changeRefused(input: TemplateInput): MailTexts {
  const { order } = input.document;
  return {
    title: 'Your change was not made',
    parts: [
      text(
        `Hello ${order.contactName}, when your payment for the change of order ${order.reference} arrived, the change was no longer possible. ${
          order.status === 'canceled'
            ? 'The order had been canceled.'
            : 'Nothing was changed by it: the tickets on your order’s page are valid.'
        }`,
      ),
      text('This payment is on its way back. Most banks show it within 5 to 10 days.'),
      orderButton(input),
    ],
  };
}

function changeAmounts({ document, changeId }: TemplateInput): MailBlock[] {
  const change = document.changes.find(({ id }) => id === changeId);
  if (!change) return [];
  const money = (amount: number) => formatMoney(amount, document.order.currency, document.order.locale);
  const { lines, difference } = change;
  return [
    {
      kind: 'amounts',
      rows: lineRows(
        lines.filter(({ amount, kind }) => amount !== 0 || kind === 'passenger'),
        document.legs,
        money,
      ),
      total: difference < 0 ? ['Refund', money(-difference)] : ['Paid', money(difference)],
    },
  ];
}
