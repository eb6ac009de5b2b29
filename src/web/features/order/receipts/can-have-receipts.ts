import type { Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';

/** Whether the operator issues receipts, and the order has been paid for. */
export function canHaveReceipts({ confirmedAt, total }: Pick<Order, 'confirmedAt' | 'total'>): boolean {
  return pageConfig().issues_receipts === true && confirmedAt !== null && total !== 0;
}
