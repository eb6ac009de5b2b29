import type { Stripe } from 'stripe';
import { invalid } from '../errors.ts';
import { type Parameters, readChoice, readGroup, readReturnUrl, readText } from '../parameters.ts';
import { type IntentKind, nulls, type Stored } from '../records.ts';
import { type Answer, type Call, ok, type Route, requireNamed, retrieveRoute } from './call.ts';
import { createMethod, requireMethod } from './payment-methods.ts';

const tokenParameters = [
  'payment_method',
  'payment_method_data',
  'payment_method_options',
  'return_url',
  'setup_future_usage',
  'shipping',
];

export const confirmationTokenRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/confirmation_tokens',
    allowedParameters: [...tokenParameters, 'client_context', 'mandate_data'],
    publishable: true,
    run: createToken,
  },
  {
    method: 'POST',
    path: '/v1/test_helpers/confirmation_tokens',
    allowedParameters: tokenParameters,
    run: createToken,
  },
  retrieveRoute('confirmation_token'),
];

const lifetime = 12 * 3600;

/** Uses up the token, which is valid for one intent. */
export async function consumeToken(
  call: Call,
  id: string,
  intent: Stored<IntentKind>,
): Promise<{ method: Stored<'payment_method'>; returnUrl: string | null }> {
  const token = await requireNamed(call, 'confirmation_token', id, 'confirmation_token');
  const { doc } = token;
  const methodId = token.secret.behavior;
  if (doc.payment_intent || doc.setup_intent || !methodId) {
    throw invalid(
      'The provided confirmation token has already been used to confirm an intent.',
      'confirmation_token',
    );
  }
  if ((doc.expires_at ?? 0) <= call.unit.seconds) {
    throw invalid('The provided confirmation token has expired.', 'confirmation_token');
  }
  if (intent.object === 'payment_intent') doc.payment_intent = intent.id;
  else doc.setup_intent = intent.id;
  doc.expires_at = null;
  call.unit.save(token);
  if (intent.doc.object === 'payment_intent' && doc.setup_future_usage) {
    intent.doc.setup_future_usage = doc.setup_future_usage;
  }
  return { method: await requireMethod(call, methodId, 400), returnUrl: doc.return_url };
}

async function createToken(call: Call): Promise<Answer> {
  const { parameters, unit } = call;
  const method = await chooseTokenMethod(call, parameters);
  const { card } = method.doc;
  if (!card) throw invalid('This payment method type is not available; only card is.', 'payment_method');
  const doc: Stripe.ConfirmationToken = {
    id: unit.id('ctoken_'),
    object: 'confirmation_token',
    created: unit.seconds,
    expires_at: unit.seconds + lifetime,
    livemode: false,
    payment_method_preview: {
      billing_details: method.doc.billing_details,
      card,
      customer: method.doc.customer,
      customer_account: null,
      type: 'card',
    },
    return_url: readReturnUrl(parameters),
    setup_future_usage: readChoice(parameters, 'setup_future_usage', ['off_session', 'on_session']),
    ...nulls('mandate_data', 'metadata', 'payment_intent', 'payment_method_options', 'setup_intent'),
    ...nulls('shipping'),
    use_stripe_sdk: true,
  };
  unit.create('confirmation_token', doc, { behavior: method.id });
  return ok(doc);
}

async function chooseTokenMethod(call: Call, parameters: Parameters): Promise<Stored<'payment_method'>> {
  const id = call.authority === 'secret' ? readText(parameters, 'payment_method') : null;
  return id === null
    ? createMethod(call, readGroup(parameters, 'payment_method_data'))
    : requireMethod(call, id, 400);
}
