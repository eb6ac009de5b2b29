import type { OrderRow } from '../database/schema/sales.ts';

type Status = OrderRow['status'];

/** States of an order that waits to be paid. */
export const UNPAID = ['held', 'awaiting_payment'] as const satisfies readonly Status[];

/** Whether an order still waits to be paid: neither paid, nor given up, nor expired. */
export function isUnpaid({ status }: { status: Status }): boolean {
  return UNPAID.some((each) => each === status);
}
