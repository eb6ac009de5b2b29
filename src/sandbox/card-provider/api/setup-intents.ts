import type { Stripe } from 'stripe';
import { type ErrorBody, invalid, unexpectedState } from '../errors.ts';
import { readChoice, readFlag, readGroup, readList, readMetadata, readText } from '../parameters.ts';
import type { Stored } from '../records.ts';
import { behaviourOf, type Decline } from '../test-cards.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { type Answer, type Call, ok, type Route, requireFromPath } from './call.ts';
import { openChallenge } from './challenges.ts';
import { requireCustomer } from './customer-lookup.ts';
import { declineError } from './declines.ts';
import { chooseMethod, confirmParameters, presentIntent, requireClientSecret } from './intents.ts';
import { listObjects, listParameters } from './lists.ts';
import { attachMethod } from './payment-methods.ts';

type Intent = Stored<'setup_intent'>;
type Method = Stored<'payment_method'>;

const details = [
  'customer',
  'description',
  'metadata',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'allowed_payment_method_types',
  'excluded_payment_method_types',
] as const;

export const setupIntentRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/setup_intents',
    known: [...details, ...confirmParameters, 'automatic_payment_methods', 'confirm', 'usage'],
    run: createIntent,
  },
  {
    method: 'GET',
    path: '/v1/setup_intents',
    known: [...listParameters, 'customer', 'payment_method'],
    run(call) {
      const equals = {
        customer: readText(call.parameters, 'customer'),
        payment_method: readText(call.parameters, 'payment_method'),
      };
      return listObjects(call, 'setup_intent', { equals }, '/v1/setup_intents');
    },
  },
  {
    method: 'GET',
    path: '/v1/setup_intents/:id',
    known: ['client_secret'],
    publishable: true,
    async run(call) {
      const intent = await requireFromPath(call, 'setup_intent', 'intent');
      requireClientSecret(call, intent);
      return ok(presentIntent(call, intent.doc));
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id',
    known: details,
    async run(call) {
      const intent = await requireFromPath(call, 'setup_intent', 'intent');
      await applyDetails(call, intent.doc);
      call.unit.save(intent);
      return ok(intent.doc);
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    known: [...confirmParameters, 'client_secret', 'client_context', 'payment_method_options'],
    publishable: true,
    async run(call) {
      const intent = await requireFromPath(call, 'setup_intent', 'intent');
      requireClientSecret(call, intent);
      return confirmIntent(call, intent);
    },
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/cancel',
    known: ['cancellation_reason'],
    async run(call) {
      const intent = await requireFromPath(call, 'setup_intent', 'intent');
      refuseFinished(intent.doc, 'cancel', intent.doc);
      intent.doc.status = 'canceled';
      const reasons = ['abandoned', 'duplicate', 'requested_by_customer'] as const;
      intent.doc.cancellation_reason = readChoice(call.parameters, 'cancellation_reason', reasons);
      intent.doc.next_action = null;
      call.unit.save(intent);
      call.unit.emit('setup_intent.canceled', intent.doc);
      return ok(intent.doc);
    },
  },
];

/** Attaches the card to the customer after authentication, if any was required. */
export function finishSetup(unit: UnitOfWork, intent: Intent, method: Method, authenticated: boolean): void {
  const { doc } = intent;
  doc.status = 'succeeded';
  doc.next_action = null;
  doc.payment_method = method.id;
  doc.latest_attempt = createAttempt(unit, doc, method, 'succeeded');
  if (authenticated && doc.usage === 'off_session') method.secret.setUp = true;
  unit.save(method);
  if (typeof doc.customer === 'string') attachMethod(unit, method, doc.customer);
  unit.save(intent);
  unit.emit('setup_intent.succeeded', doc);
}

export function failSetup(unit: UnitOfWork, intent: Intent, method: Method, error: ErrorBody): void {
  const { doc } = intent;
  doc.status = 'requires_payment_method';
  doc.next_action = null;
  doc.payment_method = null;
  doc.latest_attempt = createAttempt(unit, doc, method, 'failed');
  // The official type lists every code of the provider, including ours.
  doc.last_setup_error = structuredClone({ ...error, payment_method: method.doc }) as NonNullable<
    typeof doc.last_setup_error
  >;
  unit.save(intent);
  unit.emit('setup_intent.setup_failed', doc);
}

export const setupAuthenticationFailure: ErrorBody = {
  type: 'invalid_request_error',
  code: 'setup_intent_authentication_failure',
  doc_url: 'https://stripe.com/docs/error-codes/setup-intent-authentication-failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

async function createIntent(call: Call): Promise<Answer> {
  const doc = blankIntent(call);
  await applyDetails(call, doc);
  const intent = call.unit.create('setup_intent', doc);
  call.unit.emit('setup_intent.created', doc);
  if (readFlag(call.parameters, 'confirm')) return confirmIntent(call, intent);
  const method = await chooseMethod(call, intent);
  if (method) {
    doc.payment_method = method.id;
    doc.status = 'requires_confirmation';
  }
  return ok(doc);
}

async function applyDetails(call: Call, doc: Stripe.SetupIntent): Promise<void> {
  const { parameters } = call;
  const customer = readText(parameters, 'customer');
  if (customer !== null) doc.customer = (await requireCustomer(call, customer)).id;
  if (parameters.description !== undefined) doc.description = readText(parameters, 'description', 1000);
  doc.metadata = readMetadata(parameters, doc.metadata ?? {});
  doc.usage = readChoice(parameters, 'usage', ['off_session', 'on_session']) ?? doc.usage;
  const allowed = readList(parameters, 'allowed_payment_method_types');
  if (!allowed) return;
  if (!allowed.includes('card')) {
    throw invalid(
      'None of the allowed payment method types is available; only card is.',
      'allowed_payment_method_types',
    );
  }
  doc.allowed_payment_method_types = ['card'];
}

async function confirmIntent(call: Call, intent: Intent): Promise<Answer> {
  const { doc } = intent;
  refuseFinished(doc, 'confirm', presentIntent(call, doc));
  const mode = readText(readGroup(call.parameters, 'client_context'), 'mode');
  if (mode !== null && mode !== 'setup') {
    throw invalid('The mode of Elements does not match: this is a SetupIntent.', 'mode');
  }
  const method = await chooseMethod(call, intent);
  if (!method) {
    throw unexpectedState(
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.",
      presentIntent(call, doc),
    );
  }
  doc.payment_method = method.id;
  doc.last_setup_error = null;
  doc.next_action = null;
  call.unit.save(intent);
  return attemptSetup(call, intent, method);
}

function attemptSetup(call: Call, intent: Intent, method: Method): Answer {
  const behaviour = behaviourOf(method.secret.behaviour);
  const decline = behaviour.save ?? (behaviour.authenticationBroken ? brokenAuthentication : undefined);
  if (decline) {
    const error = declineError(decline, { payment_method: method.doc });
    failSetup(call.unit, intent, method, error);
    return { status: 402, body: { error: { ...error, setup_intent: presentIntent(call, intent.doc) } } };
  }
  if (behaviour.authentication === 'always' || behaviour.authentication === 'until_set_up') {
    intent.doc.status = 'requires_action';
    intent.doc.next_action = openChallenge(call.unit, call.origin, intent);
    call.unit.emit('setup_intent.requires_action', intent.doc);
  } else {
    finishSetup(call.unit, intent, method, false);
  }
  return ok(presentIntent(call, intent.doc));
}

const brokenAuthentication: Decline = {
  code: 'card_declined',
  declineCode: 'generic_decline',
  message: 'Your card was declined.',
};

function refuseFinished(doc: Stripe.SetupIntent, verb: string, shown: object): void {
  if (doc.status !== 'succeeded' && doc.status !== 'canceled') return;
  throw unexpectedState(
    `You cannot ${verb} this SetupIntent because it has a status of ${doc.status}.`,
    shown,
  );
}

function createAttempt(unit: UnitOfWork, intent: Stripe.SetupIntent, method: Method, status: string): string {
  const doc: Stripe.SetupAttempt = {
    id: unit.id('setatt_'),
    object: 'setup_attempt',
    application: null,
    created: unit.seconds,
    customer: intent.customer,
    customer_account: null,
    flow_directions: null,
    livemode: false,
    on_behalf_of: null,
    payment_method: method.id,
    payment_method_details: { type: 'card' },
    setup_error: null,
    setup_intent: intent.id,
    status,
    usage: intent.usage,
  };
  unit.create('setup_attempt', doc);
  return doc.id;
}

function blankIntent(call: Call): Stripe.SetupIntent {
  const id = call.unit.id('seti_');
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    cancellation_reason: null,
    client_secret: `${id}_secret_${call.unit.secretPart()}`,
    created: call.unit.seconds,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: 'off_session',
  };
}
