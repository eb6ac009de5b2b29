import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failure, type OpenProvider, openProvider, payOrigin } from './open-provider.ts';

let open: OpenProvider;
beforeAll(async () => {
  open = await openProvider();
});
beforeEach(() => open.reset());
afterAll(() => open.close());

function types(): string[] {
  return open.webhooks.map(({ event }) => event.type);
}

describe('webhooks', () => {
  test('are sent once per event, signed so that the official SDK accepts them', async () => {
    const intent = await open.pay('pm_card_visa');
    expect(open.webhooks).toEqual([]);
    expect(await open.provider.deliverNow()).toBe(3);
    expect(types()).toEqual(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']);
    const last = open.webhooks.at(-1);
    expect(last?.event).toMatchObject({
      api_version: '2026-10-28.endive',
      data: { object: { id: intent.id, status: 'succeeded' } },
    });
    expect(await open.provider.deliverNow()).toBe(0);
  });

  test('are rejected with an edited body, another secret or an old signature', async () => {
    await open.pay('pm_card_visa');
    await open.provider.deliverNow();
    const [webhook] = open.webhooks;
    const { webhookSecret } = open.provider.keys;
    const accept = (body: string, secret: string, at: number) =>
      open.stripe.webhooks.constructEvent(
        body,
        webhook?.signature ?? '',
        secret,
        undefined,
        undefined,
        at * 1000,
      );
    const sentAt = Number(webhook?.signature.match(/t=(\d+)/)?.[1]);
    expect(() => accept(`${webhook?.body} `, webhookSecret, sentAt)).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
    expect(() => accept(webhook?.body ?? '', 'whsec_other', sentAt)).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
    expect(() => accept(webhook?.body ?? '', webhookSecret, sentAt + 301)).toThrow(
      Stripe.errors.StripeSignatureVerificationError,
    );
  });

  test('are retried at increasing intervals until the merchant accepts them', async () => {
    await open.stripe.customers.create();
    open.answers.push(500, 503);
    await open.provider.deliverDue();
    expect(await open.provider.deliverDue()).toBe(0);
    open.passTime(1000);
    await open.provider.deliverDue();
    open.passTime(4000);
    expect(await open.provider.deliverDue()).toBe(0);
    open.passTime(1000);
    await open.provider.deliverDue();
    expect(types()).toEqual(['customer.created', 'customer.created', 'customer.created']);
    open.passTime(86_400_000);
    expect(await open.provider.deliverDue()).toBe(0);
  });

  test('are sent by another process once the lease of a dead one expires', async () => {
    await open.stripe.customers.create();
    await open.store.query('update sandbox.deliveries set leased_ms = due_ms + 30000, attempts = 1', []);
    expect(await open.provider.deliverDue()).toBe(0);
    open.passTime(30_000);
    expect(await open.provider.deliverDue()).toBe(1);
  });

  test('arrive twice when duplicated', async () => {
    await open.turn({ duplicate: 1 });
    await open.stripe.customers.create();
    await open.provider.deliverNow();
    expect(new Set(open.webhooks.map(({ event }) => event.id)).size).toBe(1);
    expect(open.webhooks).toHaveLength(2);
  });

  test('arrive later when delayed', async () => {
    await open.turn({ delay_ms: 5000 });
    await open.stripe.customers.create();
    expect(await open.provider.deliverDue()).toBe(0);
    open.passTime(5000);
    expect(await open.provider.deliverDue()).toBe(1);
  });

  test('arrive newest first when reordered', async () => {
    await open.turn({ reorder: true });
    await open.pay('pm_card_visa');
    expect(await open.provider.deliverDue()).toBe(0);
    open.passTime(2000);
    await open.provider.deliverDue();
    expect(types()).toEqual(['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created']);
  });

  test('do not arrive when dropped, and can be listed and sent by hand', async () => {
    await open.turn({ drop: true });
    await open.stripe.customers.create();
    await open.provider.deliverNow();
    expect(open.webhooks).toEqual([]);
    const [event] = (await open.stripe.events.list()).data;
    const again = (id: string, headers: Record<string, string> = {}) =>
      open.provider.fetch(
        new Request(`${payOrigin}/sandbox/events/${id}/deliver`, { method: 'POST', headers }),
      );
    expect((await again('evt_none')).status).toBe(404);
    expect((await again(event?.id ?? '', { origin: 'http://evil.test' })).status).toBe(403);
    expect((await again(event?.id ?? '', { origin: payOrigin })).status).toBe(303);
    await open.provider.deliverNow();
    expect(types()).toEqual(['customer.created']);
  });
});

describe('knobs', () => {
  test('make the given number of calls fail without effect', async () => {
    await open.turn({ fail_next: 2 });
    for (let call = 0; call < 2; call += 1) {
      expect(await failure(open.stripe.customers.create())).toMatchObject({
        statusCode: 500,
        rawType: 'api_error',
      });
    }
    await open.stripe.customers.create();
    expect((await open.stripe.customers.list()).data).toHaveLength(1);
  });

  test('lose the response of a call that took effect, which its key returns later', async () => {
    await open.turn({ lose_next: 1 });
    const create = () => open.stripe.customers.create({}, { idempotencyKey: 'cus:lost' });
    expect(await failure(create())).toMatchObject({ statusCode: 500 });
    const { id } = await create();
    expect((await open.stripe.customers.list()).data.map((customer) => customer.id)).toEqual([id]);
  });

  test('make the API unavailable', async () => {
    await open.turn({ api_down: true });
    expect(await failure(open.stripe.customers.create())).toMatchObject({ statusCode: 503 });
    await open.turn({ api_down: false });
    await open.stripe.customers.create();
  });

  test.each<[Record<string, unknown>]>([
    [{ color: 1 }],
    [{ delay_ms: -1 }],
    [{ delay_ms: 1e9 }],
    [{ drop: 'perhaps' }],
    [{ duplicate: 1.5 }],
    [{ toString: 1 }],
  ])('refuse the setting %o', async (knobs) => {
    expect((await open.turn(knobs)).status).toBe(422);
  });

  test('can be set by the form on the provider’s page, and by no other page', async () => {
    const send = (origin: string) =>
      open.provider.fetch(
        new Request(`${payOrigin}/sandbox/knobs`, {
          method: 'POST',
          headers: { origin },
          body: new URLSearchParams({ duplicate: '2', drop: 'on' }),
        }),
      );
    expect((await send('http://evil.test')).status).toBe(403);
    expect((await send(payOrigin)).status).toBe(303);
    const knobs = await open.provider.fetch(new Request(`${payOrigin}/sandbox/knobs`));
    expect(await knobs.json()).toMatchObject({ duplicate: 2, drop: true, reorder: false });
  });
});
