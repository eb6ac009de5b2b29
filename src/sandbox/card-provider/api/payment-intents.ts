import type { Stripe } from 'stripe';
import { requireAmount, requireCurrency } from '../currencies.ts';
import { invalid, unexpectedState } from '../errors.ts';
import {
  allowOnly,
  type Parameters,
  readChoice,
  readFlag,
  readGroup,
  readInteger,
  readMetadata,
  readText,
} from '../parameters.ts';
import { nulls, type Stored } from '../records.ts';
import { createTransaction } from './balance.ts';
import { type Answer, type Call, changeRoute, ok, type Route, requireCustomer } from './call.ts';
import {
  blankIntent,
  chooseMethod,
  intentDetails,
  intentRoutes,
  presentIntent,
  readAllowedTypes,
  setMethod,
} from './intents.ts';
import { listRoute } from './lists.ts';
import { attemptPayment } from './payments.ts';

export const paymentIntentRoutes: Route[] = [
  ...intentRoutes('payment_intent', {
    details: [
      ...intentDetails,
      'amount',
      'currency',
      'receipt_email',
      'setup_future_usage',
      'shipping',
      'statement_descriptor',
      'statement_descriptor_suffix',
      'capture_method',
    ],
    createParameters: ['confirmation_method', 'off_session', 'error_on_requires_action'],
    confirmParameters: [
      'off_session',
      'error_on_requires_action',
      'receipt_email',
      'setup_future_usage',
      'shipping',
    ],
    create: createIntent,
    update: updateIntent,
    confirm: confirmIntent,
    checkCancel(call, { doc }) {
      if (doc.status === 'succeeded' || doc.status === 'canceled') {
        throw unexpectedState(
          `You cannot cancel this PaymentIntent because it has a status of ${doc.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
          doc,
        );
      }
      doc.canceled_at = call.unit.seconds;
      doc.amount_capturable = 0;
      return ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'];
    },
  }),
  listRoute('payment_intent', ['customer']),
  changeRoute('payment_intent', '/capture', ['amount_to_capture', 'metadata'], captureIntent),
];

async function createIntent(call: Call): Promise<Stored<'payment_intent'>> {
  const { parameters } = call;
  const currency = requireCurrency(parameters);
  const amount = requireAmount(parameters, currency);
  if (!readFlag(parameters, 'confirm')) {
    for (const name of ['off_session', 'error_on_requires_action', 'return_url', 'confirmation_token']) {
      if (parameters[name] !== undefined) {
        throw invalid(`The parameter ${name} can only be used when confirm is true.`, name);
      }
    }
  }
  const doc = blankPaymentIntent(call, amount, currency);
  await applyDetails(call, doc);
  return call.unit.create('payment_intent', doc);
}

async function confirmIntent(call: Call, intent: Stored<'payment_intent'>): Promise<Answer> {
  const { doc } = intent;
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(doc.status)) {
    throw unexpectedState(
      `You cannot confirm this PaymentIntent because it has already ${doc.status === 'canceled' ? 'been canceled' : 'succeeded after being previously confirmed'}.`,
      presentIntent(call, doc),
    );
  }
  compareClientContext(call, doc);
  const method = await chooseMethod(call, intent);
  if (!method) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      presentIntent(call, doc),
    );
  }
  const later = readChoice(call.parameters, 'setup_future_usage', ['on_session', 'off_session']);
  if (later) doc.setup_future_usage = later;
  const offSession = call.authority === 'secret' && readText(call.parameters, 'off_session') === 'true';
  const answer = attemptPayment(call.unit, call.origin, intent, method, {
    offSession,
    wantsAuthentication: wantsAuthentication(call.parameters),
    errorOnAction: readFlag(call.parameters, 'error_on_requires_action') ?? false,
  });
  return answer.status === 200 ? ok(presentIntent(call, doc)) : presentDecline(call, answer, doc);
}

function presentDecline(call: Call, answer: Answer, doc: Stripe.PaymentIntent): Answer {
  if (!('error' in answer.body) || typeof answer.body.error !== 'object') return answer;
  return {
    status: answer.status,
    body: { error: { ...answer.body.error, payment_intent: presentIntent(call, doc) } },
  };
}

/** The options of the browser's form must match those of the server's intent. */
function compareClientContext(call: Call, doc: Stripe.PaymentIntent): void {
  const context = readGroup(call.parameters, 'client_context');
  const mode = readText(context, 'mode');
  if (mode !== null && mode !== 'payment') {
    throw invalid('The mode of Elements does not match: this is a PaymentIntent.', 'mode');
  }
  const currency = readText(context, 'currency');
  if (currency !== null && currency !== doc.currency) {
    throw invalid(
      `The \`currency\` (${currency.slice(0, 10)}) of Elements does not match the currency of the PaymentIntent (${doc.currency}).`,
      'currency',
    );
  }
  const later = readText(context, 'setup_future_usage');
  if (later !== null && later !== (doc.setup_future_usage ?? 'none')) {
    throw invalid(
      'The `setup_future_usage` of Elements does not match the PaymentIntent.',
      'setup_future_usage',
    );
  }
}

function wantsAuthentication(parameters: Parameters): boolean {
  const card = readGroup(readGroup(parameters, 'payment_method_options'), 'card');
  const requested = readChoice(card, 'request_three_d_secure', ['any', 'automatic', 'challenge']);
  return requested === 'any' || requested === 'challenge';
}

async function updateIntent(call: Call, intent: Stored<'payment_intent'>): Promise<void> {
  const { doc } = intent;
  const { parameters } = call;
  if (doc.status === 'succeeded' || doc.status === 'canceled' || doc.status === 'requires_capture') {
    for (const name of ['amount', 'currency', 'payment_method', 'customer', 'setup_future_usage'] as const) {
      if (parameters[name] !== undefined) {
        throw unexpectedState(
          `This PaymentIntent's ${name} could not be updated because it has a status of ${doc.status}.`,
          doc,
        );
      }
    }
  }
  if (parameters.currency !== undefined) doc.currency = requireCurrency(parameters);
  if (parameters.amount !== undefined) doc.amount = requireAmount(parameters, doc.currency);
  await applyDetails(call, doc);
  if (parameters.payment_method !== undefined || parameters.payment_method_data !== undefined) {
    await setMethod(call, intent);
    doc.next_action = null;
  }
}

async function captureIntent(call: Call, intent: Stored<'payment_intent'>): Promise<void> {
  const { doc } = intent;
  const charge = await call.unit.find('charge', String(doc.latest_charge));
  if (doc.status !== 'requires_capture' || !charge) {
    throw unexpectedState(
      `This PaymentIntent could not be captured because it has a status of ${doc.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
      doc,
    );
  }
  const amount = readInteger(call.parameters, 'amount_to_capture') ?? doc.amount_capturable;
  if (amount < 1 || amount > doc.amount_capturable) {
    throw invalid('The amount to capture is out of range.', 'amount_to_capture', 'amount_too_large');
  }
  charge.doc.captured = true;
  charge.doc.amount_captured = amount;
  charge.doc.balance_transaction = createTransaction(call.unit, 'charge', amount, doc.currency, charge.id);
  doc.status = 'succeeded';
  doc.amount_received = amount;
  doc.amount_capturable = 0;
  call.unit.save(charge);
  call.unit.emit('charge.captured', charge.doc);
  call.unit.emit('payment_intent.succeeded', doc);
}

async function applyDetails(call: Call, doc: Stripe.PaymentIntent): Promise<void> {
  const { parameters } = call;
  const customer = readText(parameters, 'customer');
  if (customer !== null) doc.customer = (await requireCustomer(call, customer)).id;
  for (const field of [
    'description',
    'receipt_email',
    'statement_descriptor',
    'statement_descriptor_suffix',
  ] as const) {
    if (parameters[field] !== undefined) doc[field] = readText(parameters, field, 1000);
  }
  doc.metadata = readMetadata(parameters, doc.metadata);
  if (parameters.setup_future_usage !== undefined) {
    doc.setup_future_usage = readChoice(parameters, 'setup_future_usage', ['on_session', 'off_session']);
  }
  const capture = readChoice(parameters, 'capture_method', ['automatic', 'automatic_async', 'manual']);
  if (capture) doc.capture_method = capture;
  const automatic = readGroup(parameters, 'automatic_payment_methods');
  allowOnly(automatic, ['enabled', 'allow_redirects']);
  const redirects = readChoice(automatic, 'allow_redirects', ['always', 'never']);
  if (doc.automatic_payment_methods && redirects) doc.automatic_payment_methods.allow_redirects = redirects;
  readAllowedTypes(call, doc);
}

function blankPaymentIntent(call: Call, amount: number, currency: string): Stripe.PaymentIntent {
  return {
    ...blankIntent(call, 'pi_'),
    object: 'payment_intent',
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    capture_method: 'automatic_async',
    confirmation_method: 'automatic',
    currency,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    ...nulls('application_fee_amount', 'canceled_at', 'last_payment_error', 'latest_charge'),
    ...nulls('managed_payments', 'payment_record', 'processing', 'receipt_email', 'review'),
    ...nulls('setup_future_usage', 'shipping', 'source', 'statement_descriptor'),
    ...nulls('statement_descriptor_suffix', 'transfer_data', 'transfer_group'),
  };
}
