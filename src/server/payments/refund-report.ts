import { formatMoney } from '#domain/money.ts';
import type { Refunded } from './refund-order.ts';

/** What the operator reads of an order's refund: what was done, and where each part of the money is. */
export function describeRefund({ order, refunds, done }: Refunded): string {
  const lines = refunds.map(({ amount, tripCardId, status }) => {
    const money = formatMoney(amount, order.currency);
    if (tripCardId !== null) return `${money} put on the trip card.`;
    return `${money} back to the payment card: ${IN_WORDS[status]}.`;
  });
  return [`Order ${order.reference} ${DONE[done]}.`, ...lines].join('\n');
}

const DONE: Readonly<Record<Refunded['done'], string>> = {
  cancelled: 'is canceled',
  given_back_again: 'is as it was; what had failed is given back again',
  nothing: 'is as it was; nothing was left to be given back',
};

const IN_WORDS: Readonly<Record<Refunded['refunds'][number]['status'], string>> = {
  requested: 'requested',
  pending: 'on its way',
  succeeded: 'done',
  failed: 'failed',
};
