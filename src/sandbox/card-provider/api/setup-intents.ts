import type { Stripe } from 'stripe';
import { declineError, type ErrorBody, invalid, unexpectedState } from '../errors.ts';
import { readChoice, readGroup, readMetadata, readText } from '../parameters.ts';
import { nulls, type Stored } from '../records.ts';
import { declined, findBehavior } from '../test-cards.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { type Answer, type Call, ok, type Route, requireCustomer } from './call.ts';
import {
  blankIntent,
  chooseMethod,
  intentDetails,
  intentRoutes,
  openChallenge,
  presentIntent,
  readAllowedTypes,
} from './intents.ts';
import { listRoute } from './lists.ts';
import { attachMethod } from './payment-methods.ts';

type Intent = Stored<'setup_intent'>;
type Method = Stored<'payment_method'>;

export const setupIntentRoutes: Route[] = [
  ...intentRoutes('setup_intent', {
    details: intentDetails,
    createParameters: ['usage'],
    confirmParameters: [],
    async create(call) {
      const doc = blankSetupIntent(call);
      await applyDetails(call, doc);
      return call.unit.create('setup_intent', doc);
    },
    update: (call, { doc }) => applyDetails(call, doc),
    confirm: confirmIntent,
    checkCancel(_, { doc }) {
      refuseFinished(doc, 'cancel', doc);
      return ['abandoned', 'duplicate', 'requested_by_customer'];
    },
  }),
  listRoute('setup_intent', ['customer', 'payment_method']),
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

async function applyDetails(call: Call, doc: Stripe.SetupIntent): Promise<void> {
  const { parameters } = call;
  const customer = readText(parameters, 'customer');
  if (customer !== null) doc.customer = (await requireCustomer(call, customer)).id;
  if (parameters.description !== undefined) doc.description = readText(parameters, 'description', 1000);
  doc.metadata = readMetadata(parameters, doc.metadata ?? {});
  doc.usage = readChoice(parameters, 'usage', ['off_session', 'on_session']) ?? doc.usage;
  readAllowedTypes(call, doc);
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
  const behavior = findBehavior(method.secret.behavior);
  const decline = behavior.save ?? (behavior.authenticationBroken ? declined('generic_decline') : undefined);
  if (decline) {
    const error = declineError(decline, { payment_method: method.doc });
    failSetup(call.unit, intent, method, error);
    return { status: 402, body: { error: { ...error, setup_intent: presentIntent(call, intent.doc) } } };
  }
  if (behavior.authentication === 'always' || behavior.authentication === 'until_set_up') {
    intent.doc.status = 'requires_action';
    intent.doc.next_action = openChallenge(call.unit, call.origin, intent);
    call.unit.emit('setup_intent.requires_action', intent.doc);
  } else {
    finishSetup(call.unit, intent, method, false);
  }
  return ok(presentIntent(call, intent.doc));
}

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
    created: unit.seconds,
    customer: intent.customer,
    livemode: false,
    payment_method: method.id,
    payment_method_details: { type: 'card' },
    ...nulls('application', 'customer_account', 'flow_directions', 'on_behalf_of', 'setup_error'),
    setup_intent: intent.id,
    status,
    usage: intent.usage,
  };
  unit.create('setup_attempt', doc);
  return doc.id;
}

function blankSetupIntent(call: Call): Stripe.SetupIntent {
  return {
    ...blankIntent(call, 'seti_'),
    object: 'setup_intent',
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    ...nulls('flow_directions', 'last_setup_error', 'latest_attempt', 'mandate', 'single_use_mandate'),
    usage: 'off_session',
  };
}
