import { type Message, message } from '#messages/translate.ts';
import { listNames } from '#web/language/lists.ts';
import { t } from '#web/language/texts.ts';
import type { CancellationQuote, Order } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';

/** What differs between two quotes for the same tickets, as sentences. */
export function describeChanges(before: CancellationQuote, after: CancellationQuote): string[] {
  const { currency } = after;
  const ids = ({ tickets }: CancellationQuote) => tickets.map(({ ticketId }) => ticketId).join();
  return [
    t(CHANGED),
    ...(ids(before) === ids(after) ? [] : [t('Other tickets are canceled together with yours now.')]),
    before.refund === after.refund
      ? t('The refund is the same.')
      : t('The refund is now {amount}. It was {previous}.', {
          amount: formatMoney(after.refund, currency),
          previous: formatMoney(before.refund, currency),
        }),
  ];
}

/** Which of the chosen tickets can no longer be canceled here, and why, as sentences. */
export function describeGone({ tickets }: Order, chosen: readonly string[]): string[] {
  const gone = tickets.filter(({ id, status }) => chosen.includes(id) && status !== 'issued');
  const names = gone.map(
    ({ title, travelerName, status }) => `${travelerName ?? title} (${t(STATES[status])})`,
  );
  return [
    t(CHANGED),
    ...(names.length === 0
      ? []
      : [t('Not possible anymore: {tickets}.', { tickets: listNames([...new Set(names)]) })]),
  ];
}

const CHANGED = message('This order was changed while you looked at it. Nothing is canceled yet.');

const STATES: Readonly<Record<Order['tickets'][number]['status'], Message>> = {
  issued: message('valid'),
  checked_in: message('checked in'),
  boarded: message('boarded'),
  replaced: message('replaced'),
  canceled: message('canceled'),
  no_show: message('not used'),
  expired: message('expired'),
};
