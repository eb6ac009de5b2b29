import type Stripe from 'stripe';
import type {
  PaidIntent,
  PayingCard,
  ProviderCard,
  ProviderDispute,
  ProviderIntent,
  ProviderRefund,
  ProviderSetup,
  ProviderStatus,
} from './payment-provider.ts';

export function toIntent(intent: Stripe.PaymentIntent): ProviderIntent {
  const { id, currency, payment_method: method } = intent;
  const status = toStatus(intent.status);
  return {
    id,
    status,
    money: { amount: status === 'succeeded' ? intent.amount_received : intent.amount, currency },
    clientSecret: intent.client_secret ?? null,
    customerId: getId(intent.customer),
    cardId: getId(method),
    payingCard: typeof method === 'object' && method !== null ? toPayingCard(method) : null,
    savesCard: intent.setup_future_usage === 'off_session',
    decline: getDecline(intent),
    metadata: intent.metadata,
  };
}

/** What `toPaidIntent` needs expanded. */
export const PAID_INTENT_PARTS = ['latest_charge', 'customer'];

/** null for an intent that is not paid. */
export function toPaidIntent(intent: Stripe.PaymentIntent): PaidIntent | null {
  const { latest_charge: charge, customer, description } = intent;
  if (intent.status !== 'succeeded' || charge === null || typeof charge === 'string') return null;
  const payer = typeof customer === 'object' && customer !== null && !customer.deleted ? customer : null;
  const { id, money, metadata } = toIntent(intent);
  return {
    ...{ id, money, metadata },
    paidAt: new Date(charge.created * 1000),
    description: description ?? '',
    refunded: charge.amount_refunded,
    email: charge.billing_details.email ?? charge.receipt_email ?? payer?.email ?? null,
  };
}

export function toPayingCard({ card }: Stripe.PaymentMethod): PayingCard | null {
  if (!card) return null;
  const { display_brand, brand, last4: lastFour, wallet } = card;
  return { network: display_brand ?? brand, lastFour, wallet: wallet?.type ?? null };
}

/** null for a payment method that is not a card. */
export function toCard(method: Stripe.PaymentMethod): ProviderCard | null {
  const { id, card } = method;
  if (!card) return null;
  return {
    id,
    customerId: getId(method.customer),
    createdAt: new Date(method.created * 1000),
    fingerprint: card.fingerprint ?? id,
    network: card.display_brand ?? card.brand,
    funding: card.funding,
    lastFour: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
    isSavingAgreed: method.allow_redisplay === 'always',
  };
}

export function toSetup(setup: Stripe.SetupIntent): ProviderSetup {
  const { payment_method: method } = setup;
  return {
    id: setup.id,
    status: toStatus(setup.status),
    clientSecret: setup.client_secret,
    customerId: getId(setup.customer),
    cardId: getId(method),
    card: typeof method === 'object' && method !== null ? toCard(method) : null,
    metadata: setup.metadata ?? {},
  };
}

export function toRefund({ id, status, amount, currency, metadata }: Stripe.Refund): ProviderRefund {
  const isFailed = status === 'failed' || status === 'canceled';
  return {
    id,
    status: isFailed ? 'failed' : status === 'succeeded' ? 'succeeded' : 'pending',
    money: { amount, currency },
    refundId: metadata?.refund_id ?? null,
    isOfUnknownPayment: metadata?.unknown_payment !== undefined,
  };
}

export function toDispute({ id, status, amount, currency, ...of }: Stripe.Dispute): ProviderDispute {
  return {
    id,
    intentId: getId(of.payment_intent) ?? '',
    status: DISPUTE_STATUSES[status] ?? 'inquiry',
    money: { amount, currency },
  };
}

export function getId(given: string | { id: string } | null | undefined): string | null {
  return typeof given === 'string' ? given : (given?.id ?? null);
}

const DISPUTE_STATUSES: Readonly<Partial<Record<Stripe.Dispute['status'], ProviderDispute['status']>>> = {
  warning_closed: 'inquiry_closed',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
};

const STATUSES: Readonly<Record<string, ProviderStatus>> = {
  succeeded: 'succeeded',
  processing: 'processing',
  requires_action: 'requires_action',
  canceled: 'canceled',
};

function toStatus(status: Stripe.PaymentIntent['status'] | Stripe.SetupIntent['status']): ProviderStatus {
  return STATUSES[status] ?? 'created';
}

function getDecline({ status, last_payment_error: error }: Stripe.PaymentIntent): ProviderIntent['decline'] {
  if (!error || status !== 'requires_payment_method') return null;
  const code = error.decline_code ?? error.code ?? 'card_declined';
  return { code, charge: error.charge ?? error.payment_method?.id ?? code };
}
