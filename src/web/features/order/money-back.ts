import type { Order } from '#web/platform/api/types.ts';

/** What of an order's money went back or is on its way, and whether a bank would not take it: then the notice says so. */
export function moneyBack({ refunds }: Pick<Order, 'refunds'>): { amount: number; isStuck: boolean } {
  const underWay = refunds.filter(({ status }) => status !== 'failed');
  return {
    amount: underWay.reduce((sum, { amount }) => sum + amount, 0),
    isStuck: underWay.length < refunds.length && underWay.every(({ status }) => status === 'succeeded'),
  };
}
