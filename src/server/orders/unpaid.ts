import type { OrderRow } from '../database/schema/sales.ts';

type Status = OrderRow['status'];

/** Statuses of an order that can still be paid. */
export const UNPAID = ['held', 'awaiting_payment'] as const satisfies readonly Status[];

/** Whether an order can still be paid: it is not paid, canceled or expired. */
export function isUnpaid({ status }: { status: Status }): boolean {
  return UNPAID.some((each) => each === status);
}

/** Whether an order is paid and has tickets that are not over. */
export function hasTickets({ status }: { status: Status }): boolean {
  return status === 'confirmed' || status === 'partly_canceled';
}
