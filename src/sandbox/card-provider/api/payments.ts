import { authenticationFailure, declineError, type ErrorBody } from '../errors.ts';
import type { Stored } from '../records.ts';
import { type Decline, declined, findBehavior } from '../test-cards.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { type Answer, ok } from './call.ts';
import { createCharge, createDispute } from './charges.ts';
import { openChallenge } from './intents.ts';
import { attachMethod } from './payment-methods.ts';

type Intent = Stored<'payment_intent'>;
type Method = Stored<'payment_method'>;

/** For off-session charges of a card that requires authentication. */
const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

type Confirmation = {
  offSession: boolean;
  /** The merchant requested a challenge that the card does not need. */
  wantsAuthentication: boolean;
  errorOnAction: boolean;
};

/** Charges the card, asks for a challenge, or declines, depending on the test card. */
export function attemptPayment(
  unit: UnitOfWork,
  origin: string,
  intent: Intent,
  method: Method,
  how: Confirmation,
): Answer {
  intent.doc.payment_method = method.id;
  intent.doc.last_payment_error = null;
  intent.doc.next_action = null;
  unit.save(intent);
  if (!needsAuthentication(method, how)) return settlePayment(unit, intent, method, false);
  if (how.offSession || how.errorOnAction) {
    return declinePayment(unit, intent, method, authenticationRequired, false);
  }
  if (findBehavior(method.secret.behavior).authenticationBroken) {
    return declinePayment(unit, intent, method, declined('generic_decline'), false);
  }
  intent.doc.status = 'requires_action';
  intent.doc.next_action = openChallenge(unit, origin, intent);
  unit.emit('payment_intent.requires_action', intent.doc);
  return ok(intent.doc);
}

/** The bank's decision after authentication, if any was required. */
export function settlePayment(
  unit: UnitOfWork,
  intent: Intent,
  method: Method,
  authenticated: boolean,
): Answer {
  const behavior = findBehavior(method.secret.behavior);
  const decline = behavior.charge ?? (authenticated ? behavior.afterAuthentication : undefined);
  if (decline) return declinePayment(unit, intent, method, decline, authenticated);
  const charge = createCharge(unit, { intent: intent.doc, method: method.doc, decline: null, authenticated });
  const { doc } = intent;
  doc.latest_charge = charge.id;
  doc.next_action = null;
  unit.save(intent);
  attachOrConsume(unit, intent, method, authenticated);
  unit.emit('charge.succeeded', charge.doc);
  if (doc.capture_method === 'manual') {
    doc.status = 'requires_capture';
    doc.amount_capturable = doc.amount;
    unit.emit('payment_intent.amount_capturable_updated', doc);
    return ok(doc);
  }
  doc.status = 'succeeded';
  doc.amount_received = doc.amount;
  unit.emit('payment_intent.succeeded', doc);
  if (behavior.dispute) createDispute(unit, charge);
  return ok(doc);
}

/** Returns the intent to `requires_payment_method` with the error. */
export function failAuthentication(unit: UnitOfWork, intent: Intent, method: Method): void {
  backToStart(unit, intent, authenticationFailure('payment_intent', { payment_method: method.doc }));
}

function declinePayment(
  unit: UnitOfWork,
  intent: Intent,
  method: Method,
  decline: Decline,
  authenticated: boolean,
): Answer {
  const charge = createCharge(unit, { intent: intent.doc, method: method.doc, decline, authenticated });
  intent.doc.latest_charge = charge.id;
  unit.emit('charge.failed', charge.doc);
  const error = declineError(decline, { charge: charge.id, payment_method: method.doc });
  backToStart(unit, intent, error);
  return { status: 402, body: { error: { ...error, payment_intent: intent.doc } } };
}

function backToStart(unit: UnitOfWork, intent: Intent, error: ErrorBody): void {
  const { doc } = intent;
  // The official type lists every code of the provider, including ours.
  doc.last_payment_error = structuredClone(error) as NonNullable<typeof doc.last_payment_error>;
  doc.status = 'requires_payment_method';
  doc.payment_method = null;
  doc.next_action = null;
  unit.save(intent);
  unit.emit('payment_intent.payment_failed', doc);
}

function needsAuthentication(method: Method, how: Confirmation): boolean {
  const { authentication } = findBehavior(method.secret.behavior);
  if (authentication === 'always') return true;
  if (authentication === 'until_set_up') return !method.secret.setUp;
  if (authentication === 'when_present') return !(how.offSession && method.doc.customer);
  return how.wantsAuthentication && !how.offSession;
}

/**
 * A card not attached to a customer is used up by one payment. An attached one is written only if something changed, to
 * avoid conflicts between its payments.
 */
function attachOrConsume(unit: UnitOfWork, intent: Intent, method: Method, authenticated: boolean): void {
  const { customer, setup_future_usage: later } = intent.doc;
  if (later && typeof customer === 'string') attachMethod(unit, method, customer);
  const isSpent = !method.doc.customer;
  const isSetUp = authenticated && later === 'off_session';
  if (isSpent) method.secret.spent = true;
  if (isSetUp) method.secret.setUp = true;
  if (isSpent || isSetUp) unit.save(method);
}
