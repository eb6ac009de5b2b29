import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardCurrencyCodes, findCardCurrency } from '#contract/payments/card-currencies.ts';
import {
  cardFields,
  cardsOnly,
  failure,
  type OpenProvider,
  openProvider,
  shopOrigin,
} from './open-provider.ts';

let open: OpenProvider;
let stripe: Stripe;
beforeAll(async () => {
  open = await openProvider();
  stripe = open.stripe;
});
afterAll(() => open.close());

async function saveCard(method: string, outcome: 'complete' | 'fail' = 'complete') {
  const customer = await stripe.customers.create({ email: 'kari@example.com' });
  const intent = await stripe.setupIntents.create({
    customer: customer.id,
    usage: 'off_session',
    payment_method: method,
    confirm: true,
    use_stripe_sdk: true,
    ...cardsOnly,
  });
  const action = intent.next_action?.use_stripe_sdk as { source: string } | undefined;
  if (action) await open.provider.answerChallenge(action.source, outcome);
  return { customer, intent: await stripe.setupIntents.retrieve(intent.id, { expand: ['payment_method'] }) };
}

describe('payments', () => {
  test('a payment confirmed by the server succeeds and shows its charge', async () => {
    const intent = await open.pay('pm_card_visa', {
      metadata: { order: 'A1' },
      expand: ['latest_charge.balance_transaction'],
    });
    expect(intent).toMatchObject({ status: 'succeeded', amount_received: 5000, metadata: { order: 'A1' } });
    expect(intent.latest_charge).toMatchObject({
      paid: true,
      payment_method_details: { card: { last4: '4242', brand: 'visa' } },
      balance_transaction: { amount: 5000, fee: 100, net: 4900 },
    });
  });

  test('a decline is a card error that contains the intent, which waits for another card', async () => {
    const error = await failure(open.pay('pm_card_visa_chargeDeclinedInsufficientFunds'));
    expect(error).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(error).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'insufficient_funds',
    });
    const intent = await stripe.paymentIntents.retrieve(error.payment_intent?.id ?? '');
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  test('a challenge completed much later still settles the payment', async () => {
    const intent = await open.pay('pm_card_authenticationRequired', { use_stripe_sdk: true });
    expect(intent.status).toBe('requires_action');
    open.passTime(45 * 60_000);
    const action = intent.next_action?.use_stripe_sdk as { source: string };
    expect(await open.provider.answerChallenge(action.source, 'complete')).toBe(true);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
    expect(await open.provider.answerChallenge(action.source, 'complete')).toBe(false);
  });

  test('without the browser library, the challenge is a redirect that leads back to the return address', async () => {
    const intent = await open.pay('pm_card_authenticationRequired', {
      return_url: `${shopOrigin}/done?order=1`,
    });
    const address = intent.next_action?.redirect_to_url?.url ?? '';
    expect(address).toMatch(/^http:\/\/pay\.ferry\.localhost:8080\/3ds\/tds_/);
    const page = await open.provider.fetch(
      new Request(address, { method: 'POST', body: new URLSearchParams({ outcome: 'complete' }) }),
    );
    const text = await page.text();
    expect(text).toContain(`${shopOrigin}/done?order=1&amp;payment_intent=${intent.id}`);
    expect(text).toContain('redirect_status=succeeded');
  });

  test('a canceled payment can neither be confirmed nor authenticated', async () => {
    const intent = await open.pay('pm_card_authenticationRequired', { use_stripe_sdk: true });
    const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    const action = intent.next_action?.use_stripe_sdk as { source: string };
    expect(await open.provider.answerChallenge(action.source, 'complete')).toBe(false);
    expect(await failure(stripe.paymentIntents.confirm(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    expect(await failure(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  test('a succeeded payment cannot be canceled', async () => {
    const { id } = await open.pay('pm_card_visa');
    expect(await failure(stripe.paymentIntents.cancel(id))).toMatchObject({
      statusCode: 400,
      code: 'payment_intent_unexpected_state',
    });
  });

  test('an authorized amount is charged by a capture', async () => {
    const held = await open.pay('pm_card_visa', { capture_method: 'manual' });
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 5000, amount_received: 0 });
    expect(await stripe.paymentIntents.capture(held.id, { amount_to_capture: 3000 })).toMatchObject({
      status: 'succeeded',
      amount_received: 3000,
    });
  });

  test.each([
    [{ amount: -5 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 0 }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 10 }, 'amount_too_small', 'amount'],
    [{ amount: 100_000_000 }, 'amount_too_large', 'amount'],
    [{ amount: 12.5 }, 'parameter_invalid_integer', 'amount'],
    [{ currency: 'zzz' }, undefined, 'currency'],
    [{ customer: 'cus_none' }, 'resource_missing', 'customer'],
    [{ payment_method_types: ['card'] }, 'payment_method_types_no_longer_supported', 'payment_method_types'],
    [{ color: 'red' }, 'parameter_unknown', 'color'],
    [{ confirm: true, payment_method: 'pm_none' }, 'resource_missing', 'payment_method'],
  ])('a payment of %o is refused', async (wrong, code, param) => {
    const error = await failure(
      stripe.paymentIntents.create({
        amount: 5000,
        currency: 'eur',
        ...wrong,
      } as Stripe.PaymentIntentCreateParams),
    );
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', param });
    expect(error.code).toBe(code);
  });

  test('a confirmation token is valid for one payment', async () => {
    const made = await open.callAsBrowser('/v1/confirmation_tokens', {
      return_url: `${shopOrigin}/done`,
      ...cardFields('payment_method_data', '4242424242424242'),
    });
    const token = await stripe.confirmationTokens.retrieve(made.body.id);
    expect(token.payment_method_preview?.card).toMatchObject({ last4: '4242' });
    const create = () =>
      stripe.paymentIntents.create({
        amount: 900,
        currency: 'nok',
        confirm: true,
        confirmation_token: token.id,
        ...cardsOnly,
      });
    expect(await create()).toMatchObject({ status: 'succeeded' });
    expect((await failure(create())).message).toContain('already been used');
  });

  test('a payment by wallet names the wallet, on the payment method and on its charge', async () => {
    const intent = await stripe.paymentIntents.create({ amount: 900, currency: 'nok', ...cardsOnly });
    const { body } = await open.callAsBrowser(`/v1/payment_intents/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      'payment_method_data[type]': 'card',
      'payment_method_data[card][token]': 'tok_visa',
      'payment_method_data[card][wallet]': 'google_pay',
    });
    expect(body).toMatchObject({ status: 'succeeded' });
    const paid = await stripe.paymentIntents.retrieve(intent.id, {
      expand: ['payment_method', 'latest_charge'],
    });
    const card = { last4: '4242', wallet: { type: 'google_pay' } };
    expect(paid).toMatchObject({
      payment_method: { card },
      latest_charge: { payment_method_details: { card } },
    });
  });

  test('a payment method used once without a customer cannot be used again', async () => {
    const { body } = await open.callAsBrowser('/v1/payment_methods', {
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '1',
      'card[exp_year]': '2030',
    });
    await open.pay(body.id);
    expect((await failure(open.pay(body.id))).message).toContain('may not be used again');
  });

  test('a saved card of one customer cannot pay for another', async () => {
    const { intent } = await saveCard('pm_card_visa');
    const method = intent.payment_method as Stripe.PaymentMethod;
    const stranger = await stripe.customers.create();
    expect((await failure(open.pay(method.id, { customer: stranger.id }))).param).toBe('payment_method');
    expect((await failure(open.pay(method.id))).param).toBe('payment_method');
  });
});

describe('saved cards', () => {
  test('a saved card can be charged later off session', async () => {
    const { customer, intent } = await saveCard('pm_card_visa');
    expect(intent.status).toBe('succeeded');
    const method = intent.payment_method as Stripe.PaymentMethod;
    expect(method.customer).toBe(customer.id);
    expect(await open.pay(method.id, { customer: customer.id, off_session: true })).toMatchObject({
      status: 'succeeded',
    });
    const { data } = await stripe.customers.listPaymentMethods(customer.id);
    expect(data.map(({ id }) => id)).toEqual([method.id]);
  });

  test('a card that requires authentication is declined off session, unless saving it was confirmed', async () => {
    const saved = await saveCard('pm_card_authenticationRequiredOnSetup');
    const method = saved.intent.payment_method as Stripe.PaymentMethod;
    expect(await open.pay(method.id, { customer: saved.customer.id, off_session: true })).toMatchObject({
      status: 'succeeded',
    });
    const always = await saveCard('pm_card_authenticationRequired');
    const strict = always.intent.payment_method as Stripe.PaymentMethod;
    const error = await failure(open.pay(strict.id, { customer: always.customer.id, off_session: true }));
    expect(error).toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_required',
    });
  });

  test('a card is not saved if it is declined or its holder does not confirm', async () => {
    expect(await failure(saveCard('pm_card_chargeDeclined'))).toMatchObject({
      code: 'card_declined',
      statusCode: 402,
    });
    const { customer, intent } = await saveCard('pm_card_authenticationRequiredOnSetup', 'fail');
    expect(intent).toMatchObject({
      status: 'requires_payment_method',
      last_setup_error: { code: 'setup_intent_authentication_failure' },
    });
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toEqual([]);
  });

  test('a saved card can be declined when it is charged', async () => {
    const { customer, intent } = await saveCard('pm_card_chargeCustomerFail');
    const method = intent.payment_method as Stripe.PaymentMethod;
    expect(await failure(open.pay(method.id, { customer: customer.id }))).toMatchObject({
      code: 'card_declined',
    });
  });

  test('a detached card cannot be attached again and is no longer the default', async () => {
    const customer = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
    await stripe.paymentMethods.detach(method.id);
    const after = await stripe.customers.retrieve(customer.id);
    expect(after).toMatchObject({ invoice_settings: { default_payment_method: null } });
    expect(
      (await failure(stripe.paymentMethods.attach(method.id, { customer: customer.id }))).message,
    ).toContain('may not be used again');
  });

  test('the default card must belong to the customer', async () => {
    const customer = await stripe.customers.create();
    const error = await failure(
      stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: 'pm_none' } }),
    );
    expect(error).toMatchObject({
      code: 'resource_missing',
      param: 'invoice_settings[default_payment_method]',
    });
  });

  test('deleting a customer deletes their cards', async () => {
    const customer = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    expect(await stripe.customers.del(customer.id)).toMatchObject({ deleted: true });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
    expect(await stripe.paymentMethods.retrieve(method.id)).toMatchObject({ customer: null });
    expect(await failure(stripe.customers.update(customer.id, { name: 'x' }))).toMatchObject({
      statusCode: 404,
    });
  });

  test('metadata is merged, and an empty value removes a key', async () => {
    const customer = await stripe.customers.create({ metadata: { a: '1', b: '2' } });
    const updated = await stripe.customers.update(customer.id, { metadata: { b: '', c: '3' } });
    expect(updated.metadata).toEqual({ a: '1', c: '3' });
  });
});

describe('refunds', () => {
  test('a payment can be refunded in parts, and never beyond the paid amount', async () => {
    const { id } = await open.pay('pm_card_visa');
    expect(await stripe.refunds.create({ payment_intent: id, amount: 2000 })).toMatchObject({
      status: 'succeeded',
      amount: 2000,
    });
    expect((await failure(stripe.refunds.create({ payment_intent: id, amount: 3001 }))).param).toBe('amount');
    expect(await stripe.refunds.create({ payment_intent: id })).toMatchObject({ amount: 3000 });
    expect(await failure(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    const intent = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
    expect(intent.latest_charge).toMatchObject({ amount_refunded: 5000, refunded: true });
    expect((await stripe.refunds.list({ payment_intent: id })).data).toHaveLength(2);
  });

  test('concurrent refunds never exceed the paid amount', async () => {
    const { id } = await open.pay('pm_card_visa');
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => stripe.refunds.create({ payment_intent: id, amount: 2000 })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  test('a refund of an unpaid payment is refused', async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 5000, currency: 'eur' });
    expect(await failure(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ statusCode: 400 });
  });

  test('a pending refund settles later, and a failed one returns the amount to the merchant', async () => {
    const pending = await open.pay('pm_card_pendingRefund');
    const failing = await open.pay('pm_card_refundFail');
    const first = await stripe.refunds.create({ payment_intent: pending.id });
    const second = await stripe.refunds.create({ payment_intent: failing.id });
    expect([first.status, second.status]).toEqual(['pending', 'succeeded']);
    open.passTime(6000);
    await open.provider.deliverDue();
    expect(await stripe.refunds.retrieve(first.id)).toMatchObject({ status: 'succeeded' });
    expect(await stripe.refunds.retrieve(second.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'lost_or_stolen_card',
    });
    const intent = await stripe.paymentIntents.retrieve(failing.id, { expand: ['latest_charge'] });
    expect(intent.latest_charge).toMatchObject({ amount_refunded: 0, refunded: false });
  });

  test('a disputed charge cannot be refunded, and the evidence decides the dispute', async () => {
    const { id } = await open.pay('pm_card_createDispute');
    expect(await failure(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_disputed',
    });
    const [dispute] = (await stripe.disputes.list({ payment_intent: id })).data;
    const won = await stripe.disputes.update(dispute?.id ?? '', {
      evidence: { uncategorized_text: 'winning_evidence' },
    });
    expect(won.status).toBe('won');
  });
});

test('every currency has its smallest charge and its steps', async () => {
  for (const code of cardCurrencyCodes) {
    const { smallest = 0, step = 0 } = findCardCurrency(code) ?? {};
    const charge = (amount: number) =>
      stripe.paymentIntents.create({ amount, currency: code.toLowerCase(), ...cardsOnly });
    expect(await charge(smallest)).toMatchObject({ amount: smallest, currency: code.toLowerCase() });
    expect(await failure(charge(smallest - step))).toMatchObject({
      code: expect.stringMatching(/too_small|integer/),
    });
    if (step > 1) expect(await failure(charge(smallest + 1))).toMatchObject({ param: 'amount' });
  }
});

test('a refund in dinars has no thousandths', async () => {
  const { id } = await open.pay('pm_card_visa', { currency: 'kwd', amount: 5120 });
  expect(await failure(stripe.refunds.create({ payment_intent: id, amount: 1005 }))).toMatchObject({
    param: 'amount',
  });
  expect(await stripe.refunds.create({ payment_intent: id, amount: 1010 })).toMatchObject({ amount: 1010 });
});
