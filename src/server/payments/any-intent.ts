import type Stripe from 'stripe';
import type { AfterCommit } from '../card-provider/after-commit.ts';
import type { Database } from '../database/database.ts';
import type { Deps } from '../deps.ts';
import { applyTopUpIntent, settleTopUp } from '../trip-cards/apply-top-up.ts';
import { applyPaymentIntent, settlePaymentIntent } from './apply-payment-intent.ts';
import type { PayingCard } from './paying-card.ts';

/** As `settlePaymentIntent` or `settleTopUp`, for who does not know whether an order or a trip card is paid for. */
export function settleIntent(deps: Deps, intent: Stripe.PaymentIntent): Promise<void> {
  return isOfTopUp(intent) ? settleTopUp(deps, intent) : settlePaymentIntent(deps, intent);
}

/** As `applyPaymentIntent` or `applyTopUpIntent`. */
export function applyIntent(
  tx: Database,
  deps: Deps,
  intent: Stripe.PaymentIntent,
  payingCard: PayingCard | null,
): Promise<AfterCommit> {
  return isOfTopUp(intent)
    ? applyTopUpIntent(tx, deps, intent)
    : applyPaymentIntent(tx, deps, intent, payingCard);
}

function isOfTopUp({ metadata }: Stripe.PaymentIntent): boolean {
  return metadata.top_up_id !== undefined;
}
