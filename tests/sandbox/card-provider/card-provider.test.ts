import { Script } from 'node:vm';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CardProvider, createCardProvider } from '#sandbox/card-provider/card-provider.ts';
import type { ProviderKeys } from '#sandbox/card-provider/context.ts';
import type { SqlStore } from '#sandbox/sql-store.ts';
import { type OpenProvider, openProvider, payOrigin, shopOrigin, storeOf } from './open-provider.ts';

let open: OpenProvider;
beforeAll(async () => {
  open = await openProvider();
});
afterAll(() => open.close());

function providerOn(store: SqlStore, apiKeys?: ProviderKeys): CardProvider {
  return createCardProvider({
    store,
    origin: payOrigin,
    merchantOrigins: [shopOrigin],
    webhookUrl: `${shopOrigin}/api/webhooks`,
    deliverWebhook: async () => new Response('ok'),
    ...(apiKeys ? { apiKeys } : {}),
  });
}

describe('the card provider', () => {
  test('creates its keys once, also when processes start concurrently on one database', async () => {
    const database = await PGlite.create();
    const providers = [1, 2, 3].map(() => providerOn(storeOf(database)));
    await Promise.all(providers.map((provider) => provider.start()));
    const keys = providers.map((provider) => provider.keys);
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).toEqual(keys[0]);
    expect(keys[0]?.secretKey).toMatch(/^sk_test_\w{48}$/);
    await Promise.all(providers.map((provider) => provider.stop()));
    await database.close();
  });

  test('retries when another process creates the tables concurrently', async () => {
    const database = await PGlite.create();
    const store = storeOf(database);
    let raced = 0;
    const racing: SqlStore = {
      async query<Row>(sql: string, params: unknown[]) {
        raced += 1;
        if (raced < 3) throw Object.assign(new Error('duplicate key'), { cause: { code: '23505' } });
        return store.query<Row>(sql, params);
      },
    };
    const provider = providerOn(racing);
    await provider.start();
    await provider.stop();
    expect(provider.keys.publishableKey).toMatch(/^pk_test_/);
    await database.close();
  });

  test('does not start with live keys, and has no keys before it starts', async () => {
    const store: SqlStore = { query: async () => [] };
    const live = { secretKey: 'sk_live_1', publishableKey: 'pk_live_1', webhookSecret: 'whsec_1' };
    await expect(providerOn(store, live).start()).rejects.toThrow('refuses live keys');
    expect(() => providerOn(store).keys).toThrow('not started');
  });

  test.each(['stripe.js', 'frame.js', 'three-d-secure.js', 'wallet.js'])(
    'serves %s as a plain script without types',
    async (name) => {
      const response = await open.provider.fetch(new Request(`${payOrigin}/endive/${name}`));
      const source = await response.text();
      expect(response.headers.get('content-type')).toContain('text/javascript');
      expect(source).not.toMatch(/^(import|export) /m);
      expect(() => new Script(source)).not.toThrow();
    },
  );

  test('lets only the merchant embed its card frame, under a policy without inline scripts', async () => {
    const response = await open.provider.fetch(new Request(`${payOrigin}/endive/frame`));
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`frame-ancestors 'self' ${shopOrigin};`.replace(';', ''));
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  test('lets only the merchant embed its wallet sheet, which shows the amount and accepts no other text', async () => {
    const openSheet = (query: string) =>
      open.provider.fetch(new Request(`${payOrigin}/endive/wallet?wallet=google_pay&${query}`));
    const response = await openSheet('amount=1850&currency=usd');
    expect(response.headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${shopOrigin}`);
    expect(await response.text()).toContain('Pay $18.50');
    expect(await (await openSheet('amount=%3Cb%3E&currency=%3Cb%3E')).text()).not.toContain('<b>');
  });

  test('offers a wallet in its button frame until the knob turns it off', async () => {
    const readFrame = async () =>
      (await open.provider.fetch(new Request(`${payOrigin}/endive/frame`))).text();
    expect(await readFrame()).toContain('data-wallets="google_pay"');
    expect((await open.turn({ no_wallets: true })).status).toBe(200);
    expect(await readFrame()).toContain('data-wallets=""');
    await open.turn({ no_wallets: false });
  });

  test('shows payments and events on its page, and escapes text from requests', async () => {
    await open.pay('pm_card_visa', { amount: 1230, description: '<script>alert(1)</script>' });
    await open.provider.deliverNow();
    const text = await (await open.provider.fetch(new Request(`${payOrigin}/`))).text();
    expect(text).toContain('€12.30');
    expect(text).toContain('payment_intent.succeeded');
    expect(text).toContain('delivered (200)');
    expect(text).not.toContain('<script>alert');
  });
});
