import type { Stripe } from 'stripe';
import { invalid, noSuch } from '../errors.ts';
import { readFlag, readGroup, readText, readUrl } from '../parameters.ts';
import type { Stored } from '../records.ts';
import type { Call } from './call.ts';
import { consumeToken } from './confirmation-tokens.ts';
import { createMethod, refuseSpent, requireMethod } from './payment-methods.ts';

/** Confirmation parameters of both payment and setup intents. */
export const confirmParameters = [
  'confirmation_token',
  'payment_method',
  'payment_method_data',
  'return_url',
  'use_stripe_sdk',
  'mandate',
  'mandate_data',
] as const;

type Intent = Stored<'payment_intent'> | Stored<'setup_intent'>;

/** A browser must send the intent's client secret; without it, the intent is reported as unknown. */
export function requireClientSecret(call: Call, intent: Intent): void {
  if (call.authority === 'secret') return;
  const kind = intent.object;
  const given = readText(call.parameters, 'client_secret');
  if (given === null)
    throw invalid('Missing required param: client_secret.', 'client_secret', 'parameter_missing');
  if (given !== intent.doc.client_secret) throw noSuch(kind, intent.id, 'intent', 404);
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
  const returnUrl = readUrl(parameters, 'return_url') ?? spent?.returnUrl ?? null;
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
  const known = intent.doc.payment_method;
  return typeof known === 'string' ? requireMethod(call, known, 400) : null;
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

/** A browser sees neither customer nor metadata nor charge. */
export function presentIntent(call: Call, doc: Stripe.PaymentIntent | Stripe.SetupIntent): object {
  if (call.authority === 'secret') return doc;
  return Object.fromEntries(Object.entries(doc).filter(([name]) => seenByBrowsers.has(name)));
}
