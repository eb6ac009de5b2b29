import type Stripe from 'stripe';
import { PAYOUT_STATUSES } from '#contract/reports/payouts.ts';
import type { ProviderPayout, ProviderPayoutItem } from './payment-provider.ts';
import { fromProviderMoney } from './provider-amounts.ts';
import { getId } from './stripe-objects.ts';

/** https://docs.stripe.com/api/payouts/object */
export function toPayout(payout: Stripe.Payout): ProviderPayout {
  const { id, amount, currency, automatic: isAutomatic } = payout;
  return {
    ...{ id, isAutomatic, isLive: payout.livemode },
    status: PAYOUT_STATUSES.find((status) => status === payout.status) ?? 'pending',
    money: fromProviderMoney({ amount, currency }),
    isListed: isAutomatic && payout.reconciliation_status === 'completed',
    createdAt: new Date(payout.created * 1000),
    arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
    failureCode: payout.failure_code,
  };
}

/** What `toPayoutItem` needs expanded. */
export const PAYOUT_ITEM_PARTS = ['data.source'];

/**
 * null for the transaction of the payout itself, which the provider lists too.
 * Source: https://docs.stripe.com/reports/balance-transaction-types
 */
export function toPayoutItem(
  transaction: Stripe.BalanceTransaction,
  payoutId: string,
): ProviderPayoutItem | null {
  const { id, currency, type } = transaction;
  const source = typeof transaction.source === 'string' ? null : transaction.source;
  if (type === 'payout' && getId(transaction.source) === payoutId) return null;
  const net = fromProviderMoney({ amount: transaction.net, currency });
  const { amount } = fromProviderMoney({ amount: transaction.amount, currency });
  return {
    ...{ id, kind: getKind(type, source), amount, currency: net.currency },
    // The difference, so that the items add up to the payout in currencies without minor units, too.
    fee: amount - net.amount,
    charged: getCharged(transaction, source),
    intentId: source !== null && 'payment_intent' in source ? getId(source.payment_intent) : null,
    refundId: source?.object === 'refund' ? source.id : null,
    createdAt: new Date(transaction.created * 1000),
  };
}

type Source = Exclude<Stripe.BalanceTransaction['source'], string>;

function getKind(type: Stripe.BalanceTransaction['type'], source: Source): ProviderPayoutItem['kind'] {
  if (source?.object === 'charge' || source?.object === 'refund' || source?.object === 'dispute') {
    return source.object;
  }
  if (type === 'payout_failure' || type === 'payout_cancel') return 'failed_payout';
  return ['stripe_fee', 'stripe_fx_fee', 'tax_fee'].includes(type) ? 'fee' : 'other';
}

function getCharged(
  { amount, currency }: Stripe.BalanceTransaction,
  source: Source,
): ProviderPayoutItem['charged'] {
  const isOfPayment =
    source?.object === 'charge' || source?.object === 'refund' || source?.object === 'dispute';
  if (!isOfPayment || source.currency === currency) return null;
  const charged = fromProviderMoney({ amount: source.amount, currency: source.currency });
  return { ...charged, amount: Math.sign(amount) * charged.amount };
}
