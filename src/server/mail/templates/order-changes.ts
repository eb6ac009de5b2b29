import { fillPath, ticketPages } from '#contract/paths.ts';
import { formatMoney } from '#domain/format/money.ts';
import { describeReach } from '#sentences/contact.ts';
import { button, type MailBlock, type MailTexts, text } from '../mail-content.ts';
import {
  askToPay,
  assistanceParts,
  describeRefund,
  greet,
  legParts,
  lineRows,
  orderButton,
  type TemplateInput,
} from './order-parts.ts';

/** A change of an order by its buyer: the sums and the new tickets. */
export function changed(input: TemplateInput): MailTexts {
  const { t, document, changeId } = input;
  const { order, refunded } = document;
  const back = refunded.filter((money) => money.changeId !== null && money.changeId === changeId);
  return {
    title: t('Your order is changed'),
    parts: [
      text(
        t(
          '{greeting} we have changed order {reference}. These are your tickets now. The earlier tickets of the changed trip are no longer valid.',
          { greeting: greet(t, order), reference: order.reference },
        ),
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
  const { t, document } = input;
  const { order } = document;
  const asked = assistanceParts(document);
  const now =
    asked.length > 0
      ? t('This is what you ask for now. The crew is told.')
      : t('You no longer ask for assistance for anyone.');
  return {
    title: t('Your request for assistance'),
    parts: [
      text(
        [
          t('{greeting} your request for assistance with order {reference} has changed.', {
            greeting: greet(t, order),
            reference: order.reference,
          }),
          now,
        ].join(' '),
      ),
      ...asked,
      text(t('Your tickets stay as they are.')),
      orderButton(input),
    ],
  };
}

/** Goes to the previous address, which may be a stranger's, so it has neither the new one nor the order's link. */
export function addressChanged({ t, document: { order }, settings }: TemplateInput): MailTexts {
  const reach = describeReach(t, settings.contact);
  return {
    title: t('Another email address for your order'),
    parts: [
      text(
        order.contactEmail === ''
          ? t(
              'Someone, hopefully you, has removed the email address of order {reference}. There will be no more emails about this order.',
              { reference: order.reference },
            )
          : t(
              'Someone, hopefully you, has changed the email address of order {reference}. Emails about this order now go to the new address.',
              { reference: order.reference },
            ),
      ),
      text(t('If this wasn’t you, please {contact}.', { contact: reach })),
    ],
  };
}

/** To a buyer for whom staff hold places on other boats, who pays the difference on the page of the change. */
export function changeLink(input: TemplateInput): MailTexts {
  const { t, document, origin, payable } = input;
  const { order } = document;
  const { difference = 0, legs = [] } = payable?.change ?? {};
  const amount = formatMoney(difference, order.currency, order.locale);
  return {
    title: t('Pay for the change of your order'),
    parts: [
      text(
        t('{greeting} we keep these places for you. {deadline} Then we change order {reference}.', {
          greeting: greet(t, order),
          deadline: askToPay(input, legs),
          reference: order.reference,
        }),
      ),
      button(t('Pay {amount}', { amount }), origin + fillPath(ticketPages.changeOrder, { id: order.id })),
      ...legs.flatMap((leg) => legParts(leg, document, false)),
      text(t('Until then your order stays as it is. If you do not pay, the places go back on sale.')),
    ],
  };
}

/** To a buyer who has not paid a change that staff made, or whose new or booked boat does not run as planned. */
export function changeEnded(input: TemplateInput): MailTexts {
  const { t, document, payable } = input;
  const { order } = document;
  const values = { greeting: greet(t, order), reference: order.reference };
  return {
    title: t('Your change was not made'),
    parts: [
      text(
        payable?.change?.isExpired
          ? t(
              '{greeting} the change of order {reference} was not paid in time, so its places are free again.',
              values,
            )
          : t(
              '{greeting} a boat no longer runs as planned, so the change of order {reference} has ended.',
              values,
            ),
      ),
      text(t('Nothing was charged. Your order’s page says what applies now.')),
      orderButton(input),
    ],
  };
}

export function changeRefused(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order } = input.document;
  return {
    title: t('Your change was not made'),
    parts: [
      text(
        [
          t(
            '{greeting} when your payment for the change of order {reference} arrived, the change was no longer possible.',
            { greeting: greet(t, order), reference: order.reference },
          ),
          order.status === 'canceled'
            ? t('The order had been canceled.')
            : t('Nothing was changed by it: the tickets on your order’s page are valid.'),
        ].join(' '),
      ),
      text(t('This payment is on its way back. Most banks show it within 5 to 10 days.')),
      orderButton(input),
    ],
  };
}

function changeAmounts({ t, document, changeId }: TemplateInput): MailBlock[] {
  const change = document.changes.find(({ id }) => id === changeId);
  if (!change) return [];
  const money = (amount: number) => formatMoney(amount, document.order.currency, document.order.locale);
  const { lines, difference } = change;
  return [
    {
      kind: 'amounts',
      rows: lineRows(
        t,
        lines.filter(({ amount, kind }) => amount !== 0 || kind === 'passenger'),
        document.legs,
        money,
      ),
      total: difference < 0 ? [t('Refund'), money(-difference)] : [t('Paid'), money(difference)],
    },
  ];
}
