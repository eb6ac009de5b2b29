import { formatMoney } from '#domain/money.ts';
import type { RefundResult } from './refund-order.ts';

/** The operator's report of an order's refund: what was done, and the state of each part. */
export function describeRefund({ order, refunds, done }: RefundResult): string {
  const lines = refunds.map(({ amount, tripCardId, status }) => {
    const money = formatMoney(amount, order.currency);
    if (tripCardId !== null) return `${money} put on the trip card.`;
    return `${money} back to the payment card: ${STATUS_LABELS[status]}.`;
  });
  return [`Order ${order.reference} ${DONE[done]}.`, ...lines].join('\n');
}

const DONE: Readonly<Record<RefundResult['done'], string>> = {
  cancelled: 'is canceled',
  given_back_again: 'is as it was; what had failed is given back again',
  nothing: 'is as it was; nothing was left to be given back',
};

const STATUS_LABELS: Readonly<Record<RefundResult['refunds'][number]['status'], string>> = {
  requested: 'requested',
  pending: 'on its way',
  succeeded: 'done',
  failed: 'failed',
};
