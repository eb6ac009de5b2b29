import type { Stripe } from 'stripe';
import { formatMoney, refuseFraction } from '../currencies.ts';
import { invalid, noSuch } from '../errors.ts';
import { readChoice, readInteger, readMetadata, readText } from '../parameters.ts';
import { nulls, type Stored } from '../records.ts';
import { findBehavior } from '../test-cards.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { createTransaction } from './balance.ts';
import { type Answer, type Call, changeRoute, ok, type Route, requireNamed, retrieveRoute } from './call.ts';
import { listRoute } from './lists.ts';

/** Milliseconds until a pending refund succeeds and a failing one fails. */
const refundSettlesAfter = 5000;

export const refundRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/refunds',
    allowedParameters: ['amount', 'charge', 'currency', 'metadata', 'payment_intent', 'reason'],
    run: createRefund,
  },
  listRoute('refund', ['charge', 'payment_intent']),
  retrieveRoute('refund'),
  changeRoute('refund', '', ['metadata'], (call, { doc }) => {
    doc.metadata = readMetadata(call.parameters, doc.metadata ?? {});
    call.unit.emit('refund.updated', doc);
  }),
];

/** Completes a refund with a delayed result: `pending` succeeds, `succeeded` fails. */
export async function settleRefund(unit: UnitOfWork, refund: Stored<'refund'>): Promise<void> {
  const { doc } = refund;
  refund.wakeAt = null;
  unit.save(refund);
  if (doc.status === 'pending') {
    doc.status = 'succeeded';
    unit.emit('refund.updated', doc);
    unit.emit('charge.refund.updated', doc);
    return;
  }
  doc.status = 'failed';
  doc.failure_reason = 'lost_or_stolen_card';
  doc.failure_balance_transaction = createTransaction(
    unit,
    'refund_failure',
    doc.amount,
    doc.currency,
    doc.id,
  );
  const charge = await unit.find('charge', String(doc.charge));
  if (charge) {
    charge.doc.amount_refunded -= doc.amount;
    charge.doc.refunded = false;
    unit.save(charge);
  }
  unit.emit('refund.failed', doc);
  unit.emit('charge.refund.updated', doc);
}

async function createRefund(call: Call): Promise<Answer> {
  const charge = await requireCharge(call);
  const left = charge.doc.amount_captured - charge.doc.amount_refunded;
  const amount = readInteger(call.parameters, 'amount') ?? left;
  refuseAmount(charge.doc, amount, left);
  const method = await call.unit.find('payment_method', String(charge.doc.payment_method));
  const { refund: kind } = findBehavior(method?.secret.behavior);
  const doc = blankRefund(call, charge.doc, amount);
  doc.status = kind === 'pending' ? 'pending' : 'succeeded';
  const refund = call.unit.create('refund', doc);
  if (kind) refund.wakeAt = call.unit.now + refundSettlesAfter;
  charge.doc.amount_refunded += amount;
  charge.doc.refunded = charge.doc.amount_refunded === charge.doc.amount_captured;
  call.unit.save(charge);
  call.unit.emit('refund.created', doc);
  call.unit.emit('charge.refunded', charge.doc);
  return ok(doc);
}

async function requireCharge(call: Call): Promise<Stored<'charge'>> {
  const { parameters } = call;
  const chargeId = readText(parameters, 'charge');
  if (chargeId !== null) return requireRefundable(await requireNamed(call, 'charge', chargeId, 'charge'));
  const intentId = readText(parameters, 'payment_intent');
  if (intentId === null) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  const intent = await call.unit.find('payment_intent', intentId);
  if (!intent) throw noSuch('payment_intent', intentId, 'payment_intent', 404);
  const charge =
    intent.doc.status === 'succeeded' && (await call.unit.find('charge', String(intent.doc.latest_charge)));
  if (!charge) {
    throw invalid(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      'payment_intent',
    );
  }
  return requireRefundable(charge);
}

function requireRefundable(charge: Stored<'charge'>): Stored<'charge'> {
  if (charge.doc.status !== 'succeeded' || !charge.doc.captured) {
    throw invalid(`Charge ${charge.id} has not succeeded and cannot be refunded.`, 'charge');
  }
  if (charge.doc.disputed) {
    throw invalid(
      `Charge ${charge.id} has been charged back; cannot issue a refund.`,
      'charge',
      'charge_disputed',
    );
  }
  return charge;
}

function refuseAmount(charge: Stripe.Charge, amount: number, left: number): void {
  if (left === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
  }
  if (amount < 1) {
    throw invalid('Refunds must be greater than or equal to 1.', 'amount', 'parameter_invalid_integer');
  }
  if (amount > left) {
    const asked = formatMoney(amount, charge.currency);
    const rest = formatMoney(left, charge.currency);
    throw invalid(`Refund amount (${asked}) is greater than unrefunded amount on charge (${rest})`, 'amount');
  }
  refuseFraction(amount, charge.currency);
}

function blankRefund(call: Call, charge: Stripe.Charge, amount: number): Stripe.Refund {
  const id = call.unit.id('re_');
  const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;
  return {
    id,
    object: 'refund',
    amount,
    balance_transaction: createTransaction(call.unit, 'refund', -amount, charge.currency, id),
    charge: charge.id,
    created: call.unit.seconds,
    currency: charge.currency,
    customer: charge.customer,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: readMetadata(call.parameters),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: readChoice(call.parameters, 'reason', reasons),
    status: 'succeeded',
    ...nulls('customer_account', 'receipt_number', 'source_transfer_reversal', 'transfer_reversal'),
  };
}
