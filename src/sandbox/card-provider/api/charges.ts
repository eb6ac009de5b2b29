import type { Stripe } from 'stripe';
import { readMetadata } from '../parameters.ts';
import { type Dispute, nulls, type Stored } from '../records.ts';
import type { Decline } from '../test-cards.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { createTransaction, takeDisputed } from './balance.ts';
import { changeRoute, type Route, retrieveRoute } from './call.ts';
import { listRoute } from './lists.ts';

export const chargeRoutes: Route[] = [
  listRoute('charge', ['customer', 'payment_intent']),
  retrieveRoute('charge'),
  changeRoute('charge', '', ['metadata', 'description', 'receipt_email'], (call, { doc }) => {
    doc.metadata = readMetadata(call.parameters, doc.metadata);
    call.unit.emit('charge.updated', doc);
  }),
];

export type ChargeInput = {
  intent: Stripe.PaymentIntent;
  method: Stripe.PaymentMethod;
  decline: Decline | null;
  authenticated: boolean;
};

/** Records an attempt to charge an intent, successful or not. */
export function createCharge(unit: UnitOfWork, input: ChargeInput): Stored<'charge'> {
  const { intent, method, decline } = input;
  const captured = decline === null && intent.capture_method !== 'manual';
  const id = unit.id('ch_');
  const doc: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: captured
      ? createTransaction(unit, 'charge', intent.amount, intent.currency, id)
      : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'TEST PAYMENT',
    captured,
    created: unit.seconds,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    outcome: buildOutcome(decline),
    paid: decline === null,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { card: cardDetails(method, intent.amount, input.authenticated), type: 'card' },
    receipt_email: intent.receipt_email,
    refunded: false,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    ...nulls('application', 'application_fee', 'application_fee_amount', 'failure_balance_transaction'),
    ...nulls('on_behalf_of', 'receipt_number', 'receipt_url', 'review', 'shipping', 'source'),
    ...nulls('source_transfer', 'transfer_data', 'transfer_group'),
  };
  return unit.create('charge', doc);
}

function buildOutcome(decline: Decline | null): Stripe.Charge.Outcome {
  const outcome: Stripe.Charge.Outcome = {
    advice_code: decline ? 'try_again_later' : null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: 'approved_by_network',
    reason: null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message: 'Payment complete.',
    type: 'authorized',
  };
  if (!decline) return outcome;
  return decline.blocked
    ? {
        ...outcome,
        network_status: 'not_sent_to_network',
        reason: 'highest_risk_level',
        risk_level: 'highest',
        risk_score: 92,
        seller_message: 'Stripe blocked this payment as too risky.',
        type: 'blocked',
      }
    : {
        ...outcome,
        network_status: 'declined_by_network',
        reason: decline.declineCode ?? decline.code,
        seller_message: 'The bank did not return any further details with this decline.',
        type: 'issuer_declined',
      };
}

function cardDetails(
  method: Stripe.PaymentMethod,
  amount: number,
  authenticated: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  const { card } = method;
  return {
    amount_authorized: amount,
    brand: card?.brand ?? null,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: card?.checks?.cvc_check ? 'pass' : null,
    },
    country: card?.country ?? null,
    electronic_commerce_indicator: authenticated ? '05' : null,
    exp_month: card?.exp_month ?? 1,
    exp_year: card?.exp_year ?? 2000,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    last4: card?.last4 ?? null,
    network: card?.brand ?? null,
    network_token: { used: false },
    regulated_status: 'unregulated',
    three_d_secure: authenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    ...nulls('authorization_code', 'installments', 'mandate', 'network_transaction_id'),
    ...nulls('transaction_link_id'),
    wallet: card?.wallet ? { type: card.wallet.type, dynamic_last4: null } : null,
  };
}

/** Opens a dispute immediately after the charge. */
export function createDispute(unit: UnitOfWork, charge: Stored<'charge'>): void {
  const doc: Dispute = {
    id: unit.id('dp_'),
    object: 'dispute',
    amount: charge.doc.amount,
    balance_transactions: [],
    charge: charge.id,
    created: unit.seconds,
    currency: charge.doc.currency,
    enhanced_eligibility_types: [],
    evidence: { uncategorized_text: null },
    evidence_details: {
      due_by: unit.seconds + 8 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    network_reason_code: '10.4',
    payment_intent: charge.doc.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  charge.doc.disputed = true;
  takeDisputed(unit, doc);
  unit.create('dispute', doc);
  unit.emit('charge.dispute.created', doc);
}
