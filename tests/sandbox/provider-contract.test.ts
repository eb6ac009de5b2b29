import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenProvider, openProvider } from './card-provider/open-provider.ts';

/**
 * The same checks, always against the sandbox, and against the real provider's test mode when STRIPE_TEST_KEY
 * holds a test key. They cover the fields the product uses: their types, and the values it depends on.
 */

type Shape = Record<string, string>;
type Step = { name: string; shape: Shape };

const cardsOnly = { allowed_payment_method_types: ['card' as const] };

/** `status=succeeded` where the value matters, `amount:number` where only the type matters. */
function shapeOf(object: unknown, fields: readonly string[]): Shape {
  return Object.fromEntries(
    fields.map((field) => {
      const [path = '', exact] = field.split('=');
      const value = path.split('.').reduce<unknown>(step, object);
      return [path, exact === undefined ? kindOf(value) : String(value)];
    }),
  );
}

function step(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value;
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  return null;
}

const intentFields = [
  'id',
  'object=',
  'amount',
  'amount_received',
  'currency=',
  'client_secret',
  'created',
  'customer',
  'last_payment_error',
  'latest_charge',
  'livemode=',
  'metadata',
  'next_action',
  'payment_method',
  'setup_future_usage',
  'status=',
];
const errorFields = [
  'type=',
  'rawType=',
  'statusCode=',
  'code=',
  'decline_code=',
  'param=',
  'message',
  'requestId',
];
const methodFields = [
  'id',
  'object=',
  'type=',
  'customer',
  'card.brand=',
  'card.display_brand=',
  'card.funding=',
  'card.last4=',
  'card.exp_month',
  'card.exp_year',
  'card.fingerprint',
  'card.country',
  'billing_details.name',
  'billing_details.address',
];

async function probe(stripe: Stripe): Promise<Step[]> {
  const steps: Step[] = [];
  const look = <Seen>(name: string, seen: Seen, fields: readonly string[]): Seen => {
    steps.push({ name, shape: shapeOf(seen, fields) });
    return seen;
  };
  const customer = look(
    'create customer',
    await stripe.customers.create({ email: 'kari@example.com', name: 'Kari', metadata: { customer: '1' } }),
    [
      'id',
      'object=',
      'email=',
      'name=',
      'phone',
      'metadata.customer=',
      'invoice_settings.default_payment_method',
      'livemode=',
    ],
  );
  look('update customer', await stripe.customers.update(customer.id, { name: 'Kari N' }), [
    'name=',
    'email=',
  ]);
  const setup = look(
    'save a card',
    await stripe.setupIntents.create({
      customer: customer.id,
      usage: 'off_session',
      payment_method: 'pm_card_visa',
      confirm: true,
      expand: ['payment_method'],
      ...cardsOnly,
    }),
    [
      'id',
      'object=',
      'client_secret',
      'customer',
      'status=',
      'usage=',
      'last_setup_error',
      'next_action',
      'latest_attempt',
      'payment_method',
    ],
  );
  const method = look('saved card', setup.payment_method as Stripe.PaymentMethod, methodFields);
  look('open setup', await stripe.setupIntents.create({ customer: customer.id, ...cardsOnly }), [
    'status=',
    'client_secret',
    'payment_method',
  ]);
  look(
    'saving a declined card',
    await failureOf(
      stripe.setupIntents.create({
        customer: customer.id,
        payment_method: 'pm_card_chargeDeclined',
        confirm: true,
        ...cardsOnly,
      }),
    ),
    [...errorFields, 'setup_intent.status=', 'setup_intent.last_setup_error.code='],
  );
  look('cards of a customer', await stripe.customers.listPaymentMethods(customer.id, { type: 'card' }), [
    'object=',
    'has_more=',
    'data',
    'data.length=',
  ]);
  const withDefault = await stripe.customers.update(customer.id, {
    invoice_settings: { default_payment_method: method.id },
  });
  look('default card', withDefault, ['invoice_settings.default_payment_method']);
  const price = { amount: 5000, currency: 'eur', ...cardsOnly };
  const open = look(
    'open payment',
    await stripe.paymentIntents.create({ ...price, metadata: { order: '1' } }),
    intentFields,
  );
  look('change amount', await stripe.paymentIntents.update(open.id, { amount: 6000 }), ['amount', 'status=']);
  look('cancel', await stripe.paymentIntents.cancel(open.id), [
    ...intentFields,
    'canceled_at',
    'cancellation_reason',
  ]);
  look(
    'confirm after cancel',
    await failureOf(stripe.paymentIntents.confirm(open.id, { payment_method: 'pm_card_visa' })),
    errorFields,
  );
  const paid = look(
    'pay with the saved card',
    await stripe.paymentIntents.create(
      { ...price, customer: customer.id, payment_method: method.id, confirm: true, off_session: true },
      { idempotencyKey: `contract:${customer.id}` },
    ),
    intentFields,
  );
  look(
    'same key, other body',
    await failureOf(
      stripe.paymentIntents.create({ ...price, amount: 1 }, { idempotencyKey: `contract:${customer.id}` }),
    ),
    ['type=', 'rawType=', 'statusCode=', 'message'],
  );
  const pay = (name: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
    stripe.paymentIntents.create({ ...price, payment_method: name, confirm: true, ...more });
  const expanded = await stripe.paymentIntents.retrieve(paid.id, { expand: ['latest_charge'] });
  look('charge of the payment', expanded.latest_charge, [
    'id',
    'object=',
    'amount',
    'amount_refunded',
    'paid=',
    'refunded=',
    'disputed=',
    'status=',
    'payment_intent',
    'payment_method',
    'payment_method_details.card.brand=',
    'payment_method_details.card.last4=',
    'outcome.type=',
    'outcome.network_status=',
  ]);
  for (const name of [
    'pm_card_chargeDeclined',
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    'pm_card_chargeDeclinedExpiredCard',
    'pm_card_chargeDeclinedIncorrectCvc',
  ]) {
    look(`decline ${name}`, await failureOf(pay(name)), [
      ...errorFields,
      'payment_intent.status=',
      'payment_intent.last_payment_error.code=',
      'payment_method.card.last4=',
    ]);
  }
  look(
    'challenge for the browser library',
    await pay('pm_card_authenticationRequired', { use_stripe_sdk: true }),
    ['status=', 'next_action.type=', 'next_action.use_stripe_sdk'],
  );
  look(
    'challenge by redirect',
    await pay('pm_card_authenticationRequired', { return_url: 'https://example.com/done' }),
    [
      'status=',
      'next_action.type=',
      'next_action.redirect_to_url.url',
      'next_action.redirect_to_url.return_url=',
    ],
  );
  const strict = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  });
  look(
    'off session without authentication',
    await failureOf(pay(strict.id, { customer: customer.id, off_session: true })),
    errorFields,
  );
  const refund = await stripe.refunds.create({
    payment_intent: paid.id,
    amount: 2000,
    metadata: { order: '1' },
  });
  look('refund in part', refund, [
    'id',
    'object=',
    'amount',
    'currency=',
    'charge',
    'payment_intent',
    'reason',
    'status=',
    'metadata.order=',
  ]);
  const transactions = await stripe.balanceTransactions.list({
    source: refund.id,
    expand: ['data.source'],
  });
  look('balance transaction of the refund', transactions.data[0], [
    ...['id', 'object=', 'amount', 'fee', 'net', 'currency=', 'created', 'type=', 'exchange_rate'],
    ...['source.object=', 'source.id', 'source.payment_intent', 'source.amount', 'source.currency='],
  ]);
  const { object, has_more, data } = await stripe.payouts.list({ limit: 1 });
  look('payouts', { object, has_more, data }, ['object=', 'has_more', 'data']);
  look('balance', await stripe.balance.retrieve(), ['object=', 'available', 'pending', 'livemode=']);
  look('no such payout', await failureOf(stripe.payouts.retrieve('po_doesnotexist')), errorFields);
  look(
    'refund beyond the rest',
    await failureOf(stripe.refunds.create({ payment_intent: paid.id, amount: 3001 })),
    ['type=', 'rawType=', 'statusCode=', 'message'],
  );
  await stripe.refunds.create({ payment_intent: paid.id });
  look('refund once more', await failureOf(stripe.refunds.create({ payment_intent: paid.id })), [
    'type=',
    'rawType=',
    'statusCode=',
    'code=',
  ]);
  look('take a card off', await stripe.paymentMethods.detach(method.id), ['id', 'customer']);
  look(
    'put it on again',
    await failureOf(stripe.paymentMethods.attach(method.id, { customer: customer.id })),
    ['type=', 'rawType=', 'statusCode='],
  );
  look('nothing there', await failureOf(stripe.paymentIntents.retrieve('pi_doesnotexist')), errorFields);
  look('negative amount', await failureOf(stripe.paymentIntents.create({ ...price, amount: -5 })), [
    'type=',
    'statusCode=',
    'code=',
    'param=',
  ]);
  look('unknown currency', await failureOf(stripe.paymentIntents.create({ ...price, currency: 'zzz' })), [
    'type=',
    'statusCode=',
    'param=',
  ]);
  const removed = {
    amount: 5000,
    currency: 'eur',
    payment_method_types: ['card'],
  } as Stripe.PaymentIntentCreateParams;
  look('removed parameter', await failureOf(stripe.paymentIntents.create(removed)), [
    'type=',
    'statusCode=',
    'code=',
  ]);
  const events = await stripe.events.list({ type: 'payment_intent.succeeded', limit: 1 });
  look('event of a payment', events.data[0], [
    'id',
    'object=',
    'type=',
    'api_version',
    'created',
    'livemode=',
    'data.object.object=',
    'data.object.id',
    'request.id',
  ]);
  look('delete customer', await stripe.customers.del(customer.id), ['id', 'object=', 'deleted=']);
  return steps;
}

const testKey = process.env.STRIPE_TEST_KEY;

describe('the contract of the card provider', () => {
  let open: OpenProvider;
  let sandbox: Step[];
  beforeAll(async () => {
    open = await openProvider();
    sandbox = await probe(open.stripe);
  });
  afterAll(() => open.close());

  test('the sandbox has every field the product uses', () => {
    expect(sandbox.length).toBeGreaterThanOrEqual(25);
    for (const { name, shape } of sandbox) {
      const missing = Object.entries(shape).filter(
        ([field, kind]) => kind === 'undefined' && !mayBeMissing.has(field),
      );
      expect({ name, missing }).toEqual({ name, missing: [] });
    }
  });

  test('the values that the product depends on are those the provider documents', () => {
    const shapes = Object.fromEntries(sandbox.map(({ name, shape }) => [name, shape]));
    expect(shapes['pay with the saved card']).toMatchObject({
      status: 'succeeded',
      livemode: 'false',
      latest_charge: 'string',
    });
    expect(shapes['decline pm_card_visa_chargeDeclinedInsufficientFunds']).toMatchObject({
      statusCode: '402',
      code: 'card_declined',
      decline_code: 'insufficient_funds',
      'payment_intent.status': 'requires_payment_method',
    });
    expect(shapes['off session without authentication']).toMatchObject({
      statusCode: '402',
      code: 'authentication_required',
    });
    expect(shapes['challenge for the browser library']).toMatchObject({
      status: 'requires_action',
      'next_action.type': 'use_stripe_sdk',
    });
    expect(shapes['challenge by redirect']).toMatchObject({
      status: 'requires_action',
      'next_action.type': 'redirect_to_url',
    });
    expect(shapes['refund once more']).toMatchObject({ code: 'charge_already_refunded' });
    expect(shapes['removed parameter']).toMatchObject({ code: 'payment_method_types_no_longer_supported' });
    expect(shapes['put it on again']).toMatchObject({ statusCode: '400', rawType: 'invalid_request_error' });
  });

  test.runIf(testKey)("the real provider's test mode answers the same", { timeout: 120_000 }, async () => {
    expect(testKey).toMatch(/^(sk|rk)_test_/);
    expect(sandbox).toEqual(await probe(new Stripe(testKey ?? '')));
  });
});

/** Fields of an error that only some errors have. */
const mayBeMissing = new Set(['code', 'decline_code', 'param']);
