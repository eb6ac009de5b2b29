import type { CancellationQuote, Order } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';

/** What differs between two quotes for the same tickets, as sentences. */
export function describeChanges(before: CancellationQuote, after: CancellationQuote): string[] {
  const { currency } = after;
  const ids = ({ tickets }: CancellationQuote) => tickets.map(({ ticketId }) => ticketId).join();
  return [
    CHANGED,
    ...(ids(before) === ids(after) ? [] : ['Other tickets are canceled together with yours now.']),
    before.refund === after.refund
      ? 'The refund is the same.'
      : `The refund is now ${formatMoney(after.refund, currency)}. It was ${formatMoney(before.refund, currency)}.`,
  ];
}

/** Which of the chosen tickets can no longer be canceled here, and why, as sentences. */
export function describeGone({ tickets }: Order, chosen: readonly string[]): string[] {
  const gone = tickets.filter(({ id, status }) => chosen.includes(id) && status !== 'issued');
  const names = gone.map(({ title, travelerName, status }) => `${travelerName ?? title} (${STATES[status]})`);
  return [
    CHANGED,
    ...(names.length === 0 ? [] : [`Not possible anymore: ${[...new Set(names)].join(', ')}.`]),
  ];
}

const CHANGED = 'This order was changed while you looked at it. Nothing is canceled yet.';

const STATES: Readonly<Record<Order['tickets'][number]['status'], string>> = {
  issued: 'valid',
  checked_in: 'checked in',
  boarded: 'boarded',
  replaced: 'replaced',
  canceled: 'canceled',
  no_show: 'not used',
  expired: 'expired',
};
