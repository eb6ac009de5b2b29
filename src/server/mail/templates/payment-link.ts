import { ticketPages } from '#contract/paths.ts';
import { formatMoney } from '#domain/format/money.ts';
import { describeCrossing } from '#server/documents/travel-text.ts';
import { button, definitions, heading, type MailTexts, text } from '../mail-content.ts';
import { askToPay, greet, legParts, lineRows, orderButton, type TemplateInput } from './order-parts.ts';

/** To a buyer for whom staff hold places, who pays on the order's page. */
export function paymentLink(input: TemplateInput): MailTexts {
  const { t, document } = input;
  const { order, lines, legs } = document;
  const money = (amount: number) => formatMoney(amount, order.currency, order.locale);
  return {
    title: t('Pay for your ferry tickets'),
    parts: [
      text(
        t('{greeting} we keep these places for you. {deadline} Then we email your tickets.', {
          greeting: greet(t, order),
          deadline: askToPay(input),
        }),
      ),
      definitions([t('Reference'), order.reference]),
      orderButton(input, t('Pay {amount}', { amount: money(order.total) })),
      ...legs.flatMap((leg) => legParts(leg, document, false)),
      heading(t('What you pay')),
      {
        kind: 'amounts',
        rows: [
          ...lineRows(t, lines, legs, money),
          ...(order.tax > 0 ? [[t('Includes tax'), money(order.tax)] satisfies [string, string]] : []),
        ],
        total: [t('Total'), money(order.total)],
      },
      text(t('If the payment does not arrive by then, the places go back on sale.')),
    ],
  };
}

/** To a buyer who has not paid until the deadline. */
export function paymentMissed({ t, document, origin }: TemplateInput): MailTexts {
  const { order, legs } = document;
  return {
    title: t('We no longer keep your places'),
    parts: [
      text(
        t('{greeting} order {reference} was not paid in time, so its places are free again.', {
          greeting: greet(t, order),
          reference: order.reference,
        }),
      ),
      text(t('Nothing was charged.')),
      ...legs.map((leg) => text(describeCrossing(leg, order.locale))),
      button(t('Choose your sailing again'), origin + ticketPages.home),
    ],
  };
}

/** To a buyer who has not paid, and whose boat is canceled. */
export function paymentCanceled({ t, document, origin }: TemplateInput): MailTexts {
  const { order, legs } = document;
  return {
    title: t('Your sailing is canceled'),
    parts: [
      text(
        t(
          '{greeting} a boat of order {reference} is canceled. You do not need to pay, because the order has ended.',
          { greeting: greet(t, order), reference: order.reference },
        ),
      ),
      ...legs
        .filter(({ isCanceled }) => isCanceled)
        .map((leg) => text(t('Canceled: {crossing}', { crossing: describeCrossing(leg, order.locale) }))),
      text(t('If you have just paid, you get the money back automatically.')),
      button(t('Choose another sailing'), origin + ticketPages.home),
    ],
  };
}
