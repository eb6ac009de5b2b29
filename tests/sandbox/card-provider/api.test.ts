import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCardProvider } from '#sandbox/card-provider/card-provider.ts';
import {
  cardsOnly,
  failure,
  type OpenProvider,
  openProvider,
  payOrigin,
  shopOrigin,
} from './open-provider.ts';

let open: OpenProvider;
let stripe: Stripe;
beforeAll(async () => {
  open = await openProvider();
  stripe = open.stripe;
});
afterAll(() => open.close());

describe('idempotency', () => {
  test('a repeated key gets the same response, marked as a replay', async () => {
    const create = () => stripe.customers.create({ name: 'Kari' }, { idempotencyKey: 'cus:1' });
    const [first, second] = [await create(), await create()];
    expect(second.id).toBe(first.id);
    const headers = headersOf(second.lastResponse);
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect(headers.get('original-request')).toBe(first.lastResponse.requestId);
    expect(headersOf(first.lastResponse).has('idempotent-replayed')).toBe(false);
  });

  test('concurrent calls with one key have one effect', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        open.pay('pm_card_visa', { amount: 777 }).catch((error: unknown) => error),
      ),
    );
    expect(new Set(made.map((intent) => (intent as Stripe.PaymentIntent).id)).size).toBe(6);
    const create = () =>
      stripe.paymentIntents.create(
        { amount: 888, currency: 'eur', confirm: true, payment_method: 'pm_card_visa', ...cardsOnly },
        { idempotencyKey: 'order:1:attempt:1' },
      );
    const keyed = await Promise.allSettled(Array.from({ length: 6 }, create));
    const refused = keyed.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(5);
    for (const error of refused) {
      expect(error).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    }
    const { id, lastResponse } = await create();
    expect(headersOf(lastResponse).get('idempotent-replayed')).toBe('true');
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);
  });

  test('calls with one key in two processes have one effect and one answer', async () => {
    const other = createCardProvider({
      store: open.store,
      origin: payOrigin,
      merchantOrigins: [shopOrigin],
      webhookUrl: `${shopOrigin}/api/provider/webhooks`,
      deliverWebhook: async () => new Response(null),
      clock: () => new Date(Date.UTC(2026, 10, 21, 12)),
    });
    await other.start();
    await other.stop();
    const there = new Stripe(other.keys.secretKey, {
      httpClient: Stripe.createFetchHttpClient((input, init) => other.fetch(new Request(input, init))),
      maxNetworkRetries: 0,
    });
    const { id } = await open.pay('pm_card_visa');
    const refunds = await Promise.all(
      [stripe, there].map((each) =>
        each.refunds.create({ payment_intent: id }, { idempotencyKey: 'refund:1' }),
      ),
    );
    expect(new Set(refunds.map((refund) => refund.id)).size).toBe(1);
    expect((await stripe.refunds.list({ payment_intent: id })).data).toHaveLength(1);
  });

  test('a used key with another body is refused', async () => {
    await stripe.customers.create({ name: 'A' }, { idempotencyKey: 'cus:2' });
    const error = await failure(stripe.customers.create({ name: 'B' }, { idempotencyKey: 'cus:2' }));
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  test('a repeated key replays a decline, and not a refused request', async () => {
    const decline = () =>
      failure(
        stripe.paymentIntents.create(
          {
            amount: 5000,
            currency: 'eur',
            confirm: true,
            payment_method: 'pm_card_chargeDeclined',
            ...cardsOnly,
          },
          { idempotencyKey: 'order:2:attempt:1' },
        ),
      );
    const [first, second] = [await decline(), await decline()];
    expect(second).toMatchObject({ code: 'card_declined', payment_intent: { id: first.payment_intent?.id } });
    await failure(
      stripe.paymentIntents.create({ amount: 1, currency: 'eur' }, { idempotencyKey: 'order:3' }),
    );
    expect(
      await stripe.paymentIntents.create({ amount: 100, currency: 'eur' }, { idempotencyKey: 'order:3' }),
    ).toMatchObject({ amount: 100 });
  });
});

describe('reading', () => {
  test('lists come in pages, newest first, forwards and backwards', async () => {
    const email = 'pages@example.com';
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) made.unshift((await stripe.customers.create({ email })).id);
    const first = await stripe.customers.list({ email, limit: 2 });
    expect(first).toMatchObject({ has_more: true, object: 'list', url: '/v1/customers' });
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    const next = await stripe.customers.list({ email, limit: 10, starting_after: made[1] ?? '' });
    expect(next.data.map(({ id }) => id)).toEqual(made.slice(2));
    const before = await stripe.customers.list({ email, limit: 2, ending_before: made[4] ?? '' });
    expect(before.data.map(({ id }) => id)).toEqual(made.slice(2, 4));
    const all: string[] = [];
    for await (const { id } of stripe.customers.list({ email, limit: 2 })) all.push(id);
    expect(all).toEqual(made);
    expect(await failure(stripe.customers.list({ limit: 101 }))).toMatchObject({ param: 'limit' });
  });

  test('expanding an unknown field is refused', async () => {
    expect(await failure(stripe.customers.create({ expand: ['color'] }))).toMatchObject({ param: 'expand' });
  });

  test('unknown objects and unknown paths answer 404', async () => {
    expect(await failure(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
      param: 'intent',
    });
    expect(await failure(stripe.rawRequest('GET', '/v1/boats'))).toMatchObject({
      statusCode: 404,
      rawType: 'invalid_request_error',
    });
  });

  test('every response has a request id and the API version', async () => {
    const { lastResponse } = await stripe.customers.create();
    expect(lastResponse.requestId).toMatch(/^req_/);
    expect(headersOf(lastResponse).get('stripe-version')).toBe('2026-10-28.endive');
  });

  test('events can be listed by type', async () => {
    await open.pay('pm_card_visa');
    const { data } = await stripe.events.list({
      types: ['payment_intent.succeeded', 'charge.succeeded'],
      limit: 2,
    });
    expect(data.map(({ type }) => type).sort()).toEqual(['charge.succeeded', 'payment_intent.succeeded']);
    expect(await stripe.events.retrieve(data[0]?.id ?? '')).toMatchObject({
      api_version: '2026-10-28.endive',
      livemode: false,
    });
  });
});

/** With a fetch client, the SDK returns a `Headers` object. */
function headersOf({ headers }: { headers: unknown }): Headers {
  return new Headers(headers as HeadersInit);
}

describe('keys', () => {
  function stripeWith(key: string, apiVersion?: string): Stripe {
    return new Stripe(key, {
      httpClient: Stripe.createFetchHttpClient((url, init) =>
        open.provider.fetch(new Request(url as string, init)),
      ),
      ...(apiVersion ? { apiVersion: apiVersion as '2026-10-28.endive' } : {}),
    });
  }

  test('a wrong key and a live key are refused', async () => {
    expect(await failure(stripeWith('sk_test_wrong').customers.list())).toBeInstanceOf(
      Stripe.errors.StripeAuthenticationError,
    );
    const error = await failure(stripeWith('sk_live_123456').customers.list());
    expect(error).toMatchObject({ statusCode: 401 });
    expect(error.message).toContain('refuses live keys');
  });

  test('an unsupported version of the API is refused', async () => {
    const { secretKey } = open.provider.keys;
    expect((await failure(stripeWith(secretKey, '2020-08-27').customers.list())).message).toContain(
      'Invalid Stripe API version',
    );
  });

  test('a publishable key cannot make the calls of a server', async () => {
    const { publishableKey } = open.provider.keys;
    expect(await failure(stripeWith(publishableKey).customers.create())).toMatchObject({
      code: 'secret_key_required',
    });
  });

  test('a browser needs the secret of the intent, and sees neither customer nor metadata', async () => {
    const customer = await stripe.customers.create();
    const intent = await stripe.paymentIntents.create({
      amount: 700,
      currency: 'eur',
      customer: customer.id,
      metadata: { order: 'x' },
    });
    const read = (secret: string) =>
      open.callAsBrowser(
        `/v1/payment_intents/${intent.id}?client_secret=${secret}&key=${open.provider.keys.publishableKey}`,
        {},
        { method: 'GET', body: null },
      );
    expect((await read('pi_x_secret_y')).status).toBe(404);
    const { body } = await read(String(intent.client_secret));
    expect(body).toMatchObject({ id: intent.id, amount: 700 });
    expect(Object.keys(body)).not.toContain('customer');
    expect(Object.keys(body)).not.toContain('metadata');
  });

  test('a server that sends card numbers is refused', async () => {
    const error = await failure(
      stripe.paymentMethods.create({
        type: 'card',
        card: { number: '4242424242424242', exp_month: 12, exp_year: 2030 },
      }),
    );
    expect(error.message).toContain('generally unsafe');
  });

  test('only pages of the merchant can call from a browser', async () => {
    const ask = (origin: string) =>
      open.provider.fetch(
        new Request(`${payOrigin}/v1/payment_intents/x`, { method: 'OPTIONS', headers: { origin } }),
      );
    expect((await ask(shopOrigin)).headers.get('access-control-allow-origin')).toBe(shopOrigin);
    expect((await ask('http://evil.test')).headers.has('access-control-allow-origin')).toBe(false);
  });

  test.each([
    '__proto__[x]=1',
    'metadata[a][b]=1',
    'metadata=x',
    'amount[0]=5&currency=eur',
    'a[b][c][d][e][f][g][h][i]=1',
    '%00=1',
    'name=%00',
  ])('the odd body %s is refused and does not break the API', async (body) => {
    const response = await open.provider.fetch(
      new Request(`${payOrigin}/v1/customers`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${open.provider.keys.secretKey}` },
      }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});
