import { type Client, callApi, flatten, IntegrationError, requireObject } from './client.ts';
import { showChallenge } from './dialog.ts';
import { getInternals } from './elements-group.ts';
import { expressFields } from './express-checkout.ts';
import type { FrameElement } from './frame-element.ts';
import type { ApiResult, FrameCall, ProviderError, ProviderObject } from './messages.ts';

export type Purpose = 'payment' | 'setup';

export type IntentResult = {
  paymentIntent?: ProviderObject;
  setupIntent?: ProviderObject;
  error?: ProviderError;
};

const intentNames = {
  payment: {
    path: '/v1/payment_intents',
    prefix: 'pi_',
    result: 'paymentIntent',
    wire: 'payment_intent',
    lastError: 'last_payment_error',
  },
  setup: {
    path: '/v1/setup_intents',
    prefix: 'seti_',
    result: 'setupIntent',
    wire: 'setup_intent',
    lastError: 'last_setup_error',
  },
} as const;

/** Confirms with the values of the elements, or with a payment method named in `confirmParams`. */
export async function confirmWithElements(
  client: Client,
  purpose: Purpose,
  given: unknown,
): Promise<IntentResult> {
  const options = requireObject(given, purpose === 'payment' ? 'confirmPayment()' : 'confirmSetup()');
  const params = requireObject(options.confirmParams ?? {}, 'confirmParams');
  const inside = options.elements === undefined ? null : getInternals(options.elements);
  const secret = checkSecret(purpose, options.clientSecret ?? inside?.options.clientSecret);
  if (options.redirect !== 'if_required' && typeof params.return_url !== 'string') {
    throw new IntegrationError(
      'You must provide confirmParams.return_url, or set redirect to "if_required".',
    );
  }
  const call = buildCall(purpose, secret, params);
  if (inside && params.payment_method === undefined && params.confirmation_token === undefined) {
    Object.assign(call.form, contextFields(inside.options));
    requireSubmitted(inside, purpose === 'payment' ? 'stripe.confirmPayment()' : 'stripe.confirmSetup()');
    const confirmed = await (inside.express
      ? callApi(client, 'POST', call.path, { ...call.form, ...expressFields(inside.express, call.prefix) })
      : requireCardElement(inside.cardElement()).send(call));
    inside.submitted = false;
    inside.express = null;
    return finish(client, purpose, secret, confirmed, options);
  }
  return finish(client, purpose, secret, await callApi(client, 'POST', call.path, call.form), options);
}

/** The older API: a card element, or the id of a payment method. */
export async function confirmWithCard(
  client: Client,
  purpose: Purpose,
  clientSecret: unknown,
  data: unknown = {},
  options: unknown = {},
): Promise<IntentResult> {
  const secret = checkSecret(purpose, clientSecret);
  const { payment_method: method, ...params } = requireObject(data, 'data');
  const call = buildCall(purpose, secret, params);
  const stay = { redirect: 'if_required', handleActions: requireObject(options, 'options').handleActions };
  if (typeof method === 'object' && method !== null) {
    const { card, billing_details } = requireObject(method, 'payment_method');
    Object.assign(call.form, flatten({ payment_method_data: { billing_details } }));
    return finish(client, purpose, secret, await requireCardElement(card).send(call), stay);
  }
  if (typeof method === 'string') call.form.payment_method = method;
  return finish(client, purpose, secret, await callApi(client, 'POST', call.path, call.form), stay);
}

/** Runs the challenge of an intent that the server confirmed. */
export async function handleNextAction(client: Client, given: unknown): Promise<IntentResult> {
  const { clientSecret } = requireObject(given, 'handleNextAction()');
  const purpose: Purpose = String(clientSecret).startsWith(intentNames.setup.prefix) ? 'setup' : 'payment';
  const secret = checkSecret(purpose, clientSecret);
  return finish(client, purpose, secret, await retrieve(client, purpose, secret), {
    redirect: 'if_required',
  });
}

export async function retrieveIntent(
  client: Client,
  purpose: Purpose,
  clientSecret: unknown,
): Promise<IntentResult> {
  const { body, error } = await retrieve(client, purpose, checkSecret(purpose, clientSecret));
  return error ? { error } : { [intentNames[purpose].result]: body };
}

/** Creates a token from the elements' values, which the server may charge once. */
export async function createConfirmationToken(
  given: unknown,
): Promise<{ confirmationToken?: ProviderObject; error?: ProviderError }> {
  const options = requireObject(given, 'createConfirmationToken()');
  const inside = getInternals(options.elements);
  requireSubmitted(inside, 'stripe.createConfirmationToken()');
  const { shipping: _, ...params } = requireObject(options.params ?? {}, 'params');
  const later = inside.options.setupFutureUsage ?? inside.options.setup_future_usage;
  const form = flatten({ return_url: window.location.href, setup_future_usage: later, ...params });
  const element = requireCardElement(inside.cardElement());
  const { body, error } = await element.send({
    path: '/v1/confirmation_tokens',
    form,
    prefix: 'payment_method_data',
  });
  return error ? { error } : body ? { confirmationToken: body } : {};
}

export async function createPaymentMethod(
  given: unknown,
): Promise<{ paymentMethod?: ProviderObject; error?: ProviderError }> {
  const options = requireObject(given, 'createPaymentMethod()');
  const element = requireCardElement(
    options.elements ? getInternals(options.elements).cardElement() : (options.card ?? options.element),
  );
  const params = options.params === undefined ? options : requireObject(options.params, 'params');
  const { billing_details, metadata } = params;
  const form = flatten({ billing_details, metadata });
  const { body, error } = await element.send({ path: '/v1/payment_methods', form, prefix: '' });
  return error ? { error } : body ? { paymentMethod: body } : {};
}

function checkSecret(purpose: Purpose, secret: unknown): string {
  const { prefix } = intentNames[purpose];
  if (
    typeof secret === 'string' &&
    secret.startsWith(prefix) &&
    /^[a-z]+_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/.test(secret)
  ) {
    return secret;
  }
  throw new IntegrationError(
    `Invalid value for clientSecret: value should be a client secret of the form ${prefix}…_secret_….`,
  );
}

function getIntentId(secret: string): string {
  return secret.slice(0, secret.indexOf('_secret_'));
}

function buildCall(purpose: Purpose, secret: string, params: Record<string, unknown>): FrameCall {
  const { save_payment_method: _, expand: __, ...form } = params;
  return {
    path: `${intentNames[purpose].path}/${getIntentId(secret)}/confirm`,
    form: { ...flatten(form), client_secret: secret, use_stripe_sdk: 'true' },
    prefix: 'payment_method_data',
  };
}

function contextFields(options: Record<string, unknown>): Record<string, string> {
  if (options.mode === undefined) return {};
  const { mode, currency } = options;
  const later = options.setupFutureUsage ?? options.setup_future_usage;
  return flatten({ client_context: { mode, currency, setup_future_usage: later } });
}

function requireSubmitted(
  inside: { options: Record<string, unknown>; submitted: boolean },
  caller: string,
): void {
  if (inside.options.mode === undefined || inside.submitted) return;
  throw new IntegrationError(`elements.submit() must be called before ${caller}.`);
}

function requireCardElement(element: unknown): FrameElement {
  if (typeof element === 'object' && element !== null && 'send' in element) return element as FrameElement;
  throw new IntegrationError('Please make sure a Payment Element or Card Element is mounted.');
}

function retrieve(client: Client, purpose: Purpose, secret: string): Promise<ApiResult> {
  return callApi(client, 'GET', `${intentNames[purpose].path}/${getIntentId(secret)}`, {
    client_secret: secret,
  });
}

const noAnswer: ProviderError = { type: 'api_error', message: 'No answer.' };

type FinishOptions = { redirect?: unknown; confirmParams?: unknown; handleActions?: unknown };

async function finish(
  client: Client,
  purpose: Purpose,
  secret: string,
  confirmed: ApiResult,
  options: FinishOptions,
): Promise<IntentResult> {
  if (!confirmed.body) return { error: confirmed.error ?? noAnswer };
  const challenge = options.handleActions === false ? null : findChallengeUrl(confirmed.body);
  if (challenge) await showChallenge(client.origin, challenge);
  const settled = challenge ? await retrieve(client, purpose, secret) : confirmed;
  const { body } = settled;
  if (!body) return { error: settled.error ?? noAnswer };
  const failure = findFailure(purpose, body, challenge !== null);
  if (failure) return { error: failure };
  if (options.redirect !== 'if_required') return redirect(purpose, secret, options);
  return { [intentNames[purpose].result]: body };
}

function findChallengeUrl(intent: ProviderObject): string | null {
  const action = intent.next_action;
  if (intent.status !== 'requires_action' || typeof action !== 'object' || action === null) return null;
  const { use_stripe_sdk, redirect_to_url } = action as {
    use_stripe_sdk?: { stripe_js?: string };
    redirect_to_url?: { url?: string };
  };
  return use_stripe_sdk?.stripe_js ?? redirect_to_url?.url ?? null;
}

/** After a challenge, an intent that requires a payment method or action was not confirmed. */
function findFailure(purpose: Purpose, intent: ProviderObject, challenged: boolean): ProviderError | null {
  const { lastError, wire } = intentNames[purpose];
  if (intent.status === 'requires_payment_method') {
    const error = intent[lastError] as ProviderError | null;
    return {
      ...(error ?? { type: 'invalid_request_error', message: 'Another payment method is needed.' }),
      [wire]: intent,
    };
  }
  if (!challenged || intent.status !== 'requires_action') return null;
  return {
    type: 'invalid_request_error',
    code: `${wire}_authentication_failure`,
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    [wire]: intent,
  };
}

/** Redirects to the return URL; the promise never resolves, because the page is left. */
function redirect(purpose: Purpose, secret: string, options: FinishOptions): Promise<IntentResult> {
  const { return_url } = requireObject(options.confirmParams, 'confirmParams');
  const url = new URL(String(return_url), window.location.href);
  const { wire } = intentNames[purpose];
  url.searchParams.set(wire, getIntentId(secret));
  url.searchParams.set(`${wire}_client_secret`, secret);
  url.searchParams.set('redirect_status', 'succeeded');
  window.location.assign(url);
  return new Promise(() => {});
}
