/** Declined cards after which an order or a top-up takes no more: enough for a person, too few for stolen numbers. */
export const MAX_DECLINES = 5;
/** States of a payment that can still take money. */
export const OPEN_PAYMENT = ['created', 'requires_action', 'processing'] as const;

export function isOpen({ status }: { status: string }): boolean {
  return OPEN_PAYMENT.some((each) => each === status);
}
