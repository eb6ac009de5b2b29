import type Stripe from 'stripe';

/** Declined cards after which an order, or a top-up, takes no more: enough for a person, too few for a list of stolen numbers. */
export const MAX_DECLINES = 5;
/** States of an attempt that can still take money. */
export const OPEN_PAYMENT = ['created', 'requires_action', 'processing'] as const;

/** Whether an attempt can still take money. */
export function isOpen({ status }: { status: string }): boolean {
  return OPEN_PAYMENT.some((each) => each === status);
}

/** The decline an intent reports, named by its charge: each counts once, however often it is reported. */
export function declineOf(intent: Stripe.PaymentIntent): { code: string; charge: string } | null {
  const error = intent.last_payment_error;
  if (!error || intent.status !== 'requires_payment_method') return null;
  const code = error.decline_code ?? error.code ?? 'card_declined';
  return { code, charge: error.charge ?? error.payment_method?.id ?? code };
}

/** The state of an attempt whose intent has not succeeded. */
export function statusOf(
  status: Stripe.PaymentIntent['status'],
): (typeof OPEN_PAYMENT)[number] | 'cancelled' {
  if (status === 'processing') return 'processing';
  if (status === 'requires_action') return 'requires_action';
  return status === 'canceled' ? 'cancelled' : 'created';
}
