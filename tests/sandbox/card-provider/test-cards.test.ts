import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCards } from '#sandbox/card-provider/test-cards.ts';
import { cardFields, type OpenProvider, openProvider } from './open-provider.ts';

let open: OpenProvider;
beforeAll(async () => {
  open = await openProvider();
});
afterAll(() => open.close());

/** Pays as a browser does; answers a challenge when there is one. */
async function pay(number: string, outcome: 'complete' | 'fail' = 'complete'): Promise<string> {
  const intent = await open.stripe.paymentIntents.create({
    amount: 1230,
    currency: 'eur',
    allowed_payment_method_types: ['card'],
  });
  const confirmed = await open.callAsBrowser(`/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: String(intent.client_secret),
    ...cardFields('payment_method_data', number),
  });
  const { error, next_action } = confirmed.body;
  if (error) return [error.code, error.decline_code].filter(Boolean).join('/');
  if (next_action) await open.provider.answerChallenge(next_action.use_stripe_sdk.source, outcome);
  const settled = await open.stripe.paymentIntents.retrieve(intent.id);
  const reason = settled.last_payment_error;
  const end = reason ? [reason.code, reason.decline_code].filter(Boolean).join('/') : settled.status;
  return next_action ? `challenge, ${end}` : end;
}

const outcomes: Record<string, string> = {
  '4000000000000002': 'card_declined/generic_decline',
  '4000000000009995': 'card_declined/insufficient_funds',
  '4000000000009987': 'card_declined/lost_card',
  '4000000000009979': 'card_declined/stolen_card',
  '4000000000000069': 'expired_card/expired_card',
  '4000000000000127': 'incorrect_cvc/incorrect_cvc',
  '4000000000000119': 'processing_error/processing_error',
  '4000000000006975': 'card_declined/card_velocity_exceeded',
  '4100000000000019': 'card_declined/fraudulent',
  '4000000000000341': 'card_declined/generic_decline',
  '4000002500003155': 'challenge, succeeded',
  '4000002760003184': 'challenge, succeeded',
  '4000003800000446': 'challenge, succeeded',
  '4000000000003220': 'challenge, succeeded',
  '4000008400001629': 'challenge, card_declined/generic_decline',
  '4000008260003178': 'challenge, card_declined/insufficient_funds',
  '4000008400001280': 'card_declined/generic_decline',
};

describe('test cards', () => {
  test.each(testCards.map(({ number, effect }) => [number, effect] as const))(
    'the card %s behaves as the provider documents: %s',
    async (number) => {
      expect(await pay(number)).toBe(outcomes[number] ?? 'succeeded');
    },
  );

  test('a challenge that fails leaves the payment waiting for another card', async () => {
    expect(await pay('4000002760003184', 'fail')).toBe('challenge, payment_intent_authentication_failure');
  });

  test.each([
    ['4242424242424241', 'incorrect_number'],
    ['4111111111111111', 'card_declined/test_mode_live_card'],
    ['42424242', 'incorrect_number'],
  ])('the number %s is refused as %s', async (number, code) => {
    expect(await pay(number)).toBe(code);
  });

  test('the payment method has the card’s brand, funding and last four digits, and the number is stored nowhere', async () => {
    const { body } = await open.callAsBrowser('/v1/payment_methods', {
      type: 'card',
      'card[number]': '4000 0566 5566 5556',
      'card[exp_month]': '7',
      'card[exp_year]': '2031',
      'card[cvc]': '987',
    });
    expect(body.card).toMatchObject({
      brand: 'visa',
      funding: 'debit',
      last4: '5556',
      exp_month: 7,
      exp_year: 2031,
    });
    for (const table of ['objects', 'deliveries', 'idempotency', 'config']) {
      const rows = await open.store.query<{ text: string }>(
        `select row_to_json(t)::text as text from sandbox.${table} t`,
        [],
      );
      expect(rows.map(({ text }) => text).join('')).not.toMatch(
        /4000056655665556|4000 0566|4242424242424242|4000002760003184/,
      );
    }
  });

  test('each card has a constant fingerprint that differs from those of other cards', async () => {
    const [first, again, other] = await Promise.all(
      ['pm_card_visa', 'pm_card_visa', 'pm_card_mastercard'].map(async (id) => {
        const customer = await open.stripe.customers.create();
        return open.stripe.paymentMethods.attach(id, { customer: customer.id });
      }),
    );
    expect(first?.card?.fingerprint).toBe(again?.card?.fingerprint);
    expect(first?.card?.fingerprint).not.toBe(other?.card?.fingerprint);
  });

  test.each([
    [{ 'card[exp_month]': '10', 'card[exp_year]': '2026' }, 'invalid_expiry_month'],
    [{ 'card[exp_year]': '2025' }, 'invalid_expiry_year'],
    [{ 'card[cvc]': '12' }, 'invalid_cvc'],
  ])('the details %o are refused as %s', async (change, code) => {
    const { status, body } = await open.callAsBrowser('/v1/payment_methods', {
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '12',
      'card[exp_year]': '2030',
      'card[cvc]': '123',
      ...change,
    });
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', code });
  });
});
