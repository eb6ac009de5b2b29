import type { Stripe } from 'stripe';
import { invalid, noSuch } from '../errors.ts';
import {
  readChoice,
  readFlag,
  readGroup,
  readList,
  readReturnUrl,
  readText,
  requireText,
} from '../parameters.ts';
import { type IntentKind, nulls, type Stored } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { type Answer, type Call, changeRoute, ok, type Route, requireFromPath } from './call.ts';
import { consumeToken } from './confirmation-tokens.ts';
import { createMethod, refuseSpent, requireMethod } from './payment-methods.ts';

/** Parameters that describe both payment and setup intents. */
export const intentDetails = [
  'customer',
  'description',
  'metadata',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'allowed_payment_method_types',
  'excluded_payment_method_types',
] as const;

const confirmParameters = [
  'confirmation_token',
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'return_url',
  'use_stripe_sdk',
  'mandate',
  'mandate_data',
] as const;

type Intent = Stored<IntentKind>;

type CancellationReason = Stripe.SetupIntent.CancellationReason | Stripe.PaymentIntent.CancellationReason;

type IntentCalls<K extends IntentKind> = {
  /** Parameters that describe the intent. */
  details: readonly string[];
  /** Parameters of its creation besides `details`. */
  createParameters: readonly string[];
  confirmParameters: readonly string[];
  create(call: Call): Promise<Stored<K>>;
  update(call: Call, intent: Stored<K>): Promise<void>;
  confirm(call: Call, intent: Stored<K>): Promise<Answer>;
  /** Refuses an intent that cannot be canceled and returns the accepted reasons. */
  checkCancel(call: Call, intent: Stored<K>): readonly CancellationReason[];
};

/** The calls that payment and setup intents have in common. */
export function intentRoutes<K extends IntentKind>(kind: K, calls: IntentCalls<K>): Route[] {
  const path = `/v1/${kind}s`;
  return [
    {
      method: 'POST',
      path,
      allowedParameters: [
        ...calls.details,
        ...calls.createParameters,
        ...confirmParameters,
        'automatic_payment_methods',
        'confirm',
      ],
      async run(call) {
        const intent = await calls.create(call);
        call.unit.emit(`${kind}.created`, intent.doc);
        if (readFlag(call.parameters, 'confirm')) return calls.confirm(call, intent);
        await setMethod(call, intent);
        return ok(intent.doc);
      },
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      allowedParameters: ['client_secret'],
      publishable: true,
      async run(call) {
        const intent = await requireFromPath(call, kind);
        requireClientSecret(call, intent);
        return ok(presentIntent(call, intent.doc));
      },
    },
    changeRoute(kind, '', calls.details, calls.update),
    {
      method: 'POST',
      path: `${path}/:id/confirm`,
      allowedParameters: [
        ...confirmParameters,
        ...calls.confirmParameters,
        'client_secret',
        'client_context',
      ],
      publishable: true,
      async run(call) {
        const intent = await requireFromPath(call, kind);
        requireClientSecret(call, intent);
        return calls.confirm(call, intent);
      },
    },
    changeRoute(kind, '/cancel', ['cancellation_reason'], (call, intent) =>
      cancel(call, intent, calls.checkCancel(call, intent)),
    ),
  ];
}

function cancel(call: Call, { object, doc }: Intent, reasons: readonly CancellationReason[]): void {
  doc.status = 'canceled';
  doc.cancellation_reason = readChoice(call.parameters, 'cancellation_reason', reasons);
  doc.next_action = null;
  call.unit.emit(`${object}.canceled`, doc);
}

/** Sets the payment method of an intent that is not confirmed yet, if one is given. */
export async function setMethod(call: Call, intent: Intent): Promise<void> {
  const method = await chooseMethod(call, intent);
  intent.doc.payment_method = method?.id ?? null;
  intent.doc.status = method ? 'requires_confirmation' : 'requires_payment_method';
}

/** A browser must send the intent's client secret; without it, the intent is reported as unknown. */
function requireClientSecret(call: Call, intent: Intent): void {
  if (call.authority === 'secret') return;
  if (requireText(call.parameters, 'client_secret') !== intent.doc.client_secret)
    throw noSuch(intent.object, intent.id, 'intent', 404);
}

/** Limits the intent to cards; no other type is available. */
export function readAllowedTypes({ parameters }: Call, doc: Intent['doc']): void {
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

/** The fields with which both payment and setup intents begin. */
export function blankIntent(call: Call, prefix: 'pi_' | 'seti_') {
  const id = call.unit.id(prefix);
  return {
    id,
    automatic_payment_methods: { allow_redirects: 'always' as const, enabled: true },
    client_secret: `${id}_secret_${call.unit.secretPart()}`,
    created: call.unit.seconds,
    livemode: false as const,
    metadata: {},
    ...nulls('allowed_payment_method_types', 'application', 'cancellation_reason', 'customer'),
    ...nulls('customer_account', 'description', 'excluded_payment_method_types', 'next_action'),
    ...nulls('on_behalf_of', 'payment_method', 'payment_method_configuration_details'),
    payment_method_types: ['card'],
    status: 'requires_payment_method' as const,
  };
}

/**
 * The payment method of this confirmation: from a confirmation token, from card details, by id, or the intent's current
 * one; null if there is none. Also stores the return URL of a challenge.
 */
export async function chooseMethod(call: Call, intent: Intent): Promise<Stored<'payment_method'> | null> {
  const { parameters } = call;
  const token = readText(parameters, 'confirmation_token');
  const spent = token === null ? null : await consumeToken(call, token, intent);
  const method = spent?.method ?? (await methodFromParameters(call, intent));
  const returnUrl = readReturnUrl(parameters) ?? spent?.returnUrl ?? null;
  const usesScript = call.authority === 'publishable' || (readFlag(parameters, 'use_stripe_sdk') ?? false);
  intent.secret.confirmation = { usesScript, returnUrl };
  call.unit.save(intent);
  if (!method) return null;
  requireReturnUrl(call, intent, returnUrl);
  refuseSpent(method);
  refuseForeign(intent, method);
  return method;
}

async function methodFromParameters(call: Call, intent: Intent): Promise<Stored<'payment_method'> | null> {
  const { parameters } = call;
  if (parameters.payment_method_data !== undefined && parameters.payment_method_data !== '') {
    if (readText(parameters, 'payment_method') !== null) {
      throw invalid(
        'You may only specify one of these parameters: payment_method, payment_method_data.',
        'payment_method',
      );
    }
    return createMethod(call, readGroup(parameters, 'payment_method_data'));
  }
  const named = readText(parameters, 'payment_method');
  if (named !== null) return requireMethod(call, named, 400);
  const current = intent.doc.payment_method;
  return typeof current === 'string' ? requireMethod(call, current, 400) : null;
}

/** A return URL is required unless only cards are allowed, because other methods redirect the customer. */
function requireReturnUrl(call: Call, intent: Intent, returnUrl: string | null): void {
  const { doc } = intent;
  const confirms = call.path.id ? call.path.id === intent.id : readFlag(call.parameters, 'confirm') === true;
  if (!confirms || returnUrl !== null || call.authority === 'publishable') return;
  if (doc.allowed_payment_method_types || doc.automatic_payment_methods?.allow_redirects === 'never') return;
  if (readText(call.parameters, 'off_session') === 'true' || readFlag(call.parameters, 'use_stripe_sdk'))
    return;
  if (readFlag(call.parameters, 'error_on_requires_action')) return;
  throw invalid(
    'This intent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`. If you do not want to accept redirect-based payment methods, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never`.',
    'return_url',
  );
}

function refuseForeign(intent: Intent, method: Stored<'payment_method'>): void {
  const owner = method.doc.customer;
  if (!owner || owner === intent.doc.customer) return;
  const noun = intent.object === 'payment_intent' ? 'PaymentIntent' : 'SetupIntent';
  throw invalid(
    intent.doc.customer
      ? `The customer of the ${noun} does not match the customer of the PaymentMethod '${method.id}'.`
      : `The provided PaymentMethod ${method.id} belongs to a Customer. Please include the Customer in the \`customer\` parameter on the ${noun}.`,
    'payment_method',
  );
}

const seenByBrowsers = new Set([
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'last_setup_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_configuration_details',
  'payment_method_types',
  'allowed_payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
  'usage',
  'amount_details',
]);

/** Browsers receive no customer, metadata or charge. */
export function presentIntent(call: Call, doc: Stripe.PaymentIntent | Stripe.SetupIntent): object {
  if (call.authority === 'secret') return doc;
  return Object.fromEntries(Object.entries(doc).filter(([name]) => seenByBrowsers.has(name)));
}

type NextAction =
  | { type: 'redirect_to_url'; redirect_to_url: { return_url: string | null; url: string } }
  | {
      type: 'use_stripe_sdk';
      use_stripe_sdk: { type: 'three_d_secure_redirect'; stripe_js: string; source: string };
    };

/**
 * Opens a page of the simulated bank for the cardholder. It stays valid as long as the intent waits for it; a newer
 * attempt replaces it.
 */
export function openChallenge(unit: UnitOfWork, origin: string, intent: Stored<IntentKind>): NextAction {
  const id = unit.id('tds_');
  unit.create('challenge', {
    id,
    object: 'challenge',
    created: unit.seconds,
    intent: intent.id,
    state: 'open',
  });
  intent.secret.challenge = id;
  const url = `${origin}/3ds/${id}`;
  const { confirmation } = intent.secret;
  if (confirmation?.returnUrl && !confirmation.usesScript) {
    return { type: 'redirect_to_url', redirect_to_url: { return_url: confirmation.returnUrl, url } };
  }
  return {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: id },
  };
}
