import type { ProviderWord } from '#web/parts/card-form/provider-word.ts';
import type { Order } from '#web/platform/api/types.ts';

export type PaymentPhase = 'open' | 'checking' | 'done' | 'lapsed';

/** A payment that left this screen. */
export type SentPayment = {
  paymentId: string | null;
  /** The provider's own script said that it went through: only the server's word is missing. */
  isLikelyPaid: boolean;
  askProvider: () => Promise<ProviderWord>;
};

export function findPhase({ status, paymentStatus }: Pick<Order, 'status' | 'paymentStatus'>): PaymentPhase {
  if (status === 'expired' || status === 'cancelled') {
    // Cancelled after it was paid has a story of its own, which the confirmation tells.
    return paymentStatus === 'none' || paymentStatus === 'failed' ? 'lapsed' : 'done';
  }
  if (status !== 'held' && status !== 'awaiting_payment') return 'done';
  return paymentStatus === 'processing' ? 'checking' : 'open';
}
