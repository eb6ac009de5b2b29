import { expect, type Locator, type Page } from '@playwright/test';
import type { Collector } from '#tests/setup/error-collector.ts';
import { PurchasePage } from './pages/purchase-page.ts';
import { type ConfiguredServer, startConfiguredServer } from './support/configured-server.ts';
import { DEMO_CUSTOMER, expectAccessible, newAddress, testOfOwnServer as test } from './support/fixtures.ts';
import { workerReady } from './support/saved.ts';
import { PORTAL_CONTAINER, playOthers, RECORDER, TICKETS_CONTAINER } from './support/third-parties.ts';

/*
 * Data that the browser sends to third parties if the operator configured them: error reports, a tag manager, session
 * recording. The tests simulate the third parties and check what they receive.
 */

test.use({ serviceWorkers: 'allow' });

const ORDER_ID = 'ord_0123456789abcdefghjkmnpqrs';
const PRIVATE =
  'No seat for Ana Ferry (ana.ferry@example.com), plate 7ABC123, card ending in 4242, ' +
  `order 2NWB-2WMB at /orders/${ORDER_ID}/confirmation?token=Secret_1 and /account/verify/Secret_2 call +1 206 555 0142`;

let server: ConfiguredServer;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startConfiguredServer();
});
test.afterAll(() => server.stop());
test.beforeEach(() => {
  server.collector.received.length = 0;
});

test.describe('error reports', () => {
  test.beforeEach(({ complaints }) => void complaints.expected.push(/^Unhandled rejection/));

  test.beforeEach(({ context }) => playOthers(context));

  test('arrive at the collector with the error and its place, and without personal data', async ({
    page,
  }) => {
    await new PurchasePage(page).open(server.origins.tickets);
    await page.getByRole('button', { name: 'Show sailings' }).click();
    await reject(page, PRIVATE);
    const { envelope, event, raw } = await nextEvent(server.collector);
    expect(event).toMatchObject({
      level: 'error',
      environment: 'production',
      release: await version(page),
      request: { url: `${server.origins.tickets}/` },
    });
    expect(event.exception.values).toMatchObject([
      {
        type: 'Error',
        value:
          'No seat for Ana Ferry ([email]), plate [code], card ending in [digits], order [code] at ' +
          '/orders/[id]/confirmation?token=[private] and /account/verify/[token] call [number]',
        stacktrace: { frames: expect.any(Array) },
      },
    ]);
    for (const secret of ['ana.ferry', '7ABC123', '4242', ORDER_ID, 'Secret_', '555 0142']) {
      expect(raw).not.toContain(secret);
    }
    expect(event).not.toHaveProperty('user');
    expect(event).not.toHaveProperty('extra');
    expect(Object.keys(event.request)).toEqual(['url']);
    expect(envelope.sdk).not.toHaveProperty('settings.infer_ip', 'auto');
    expect(event.sdk.settings).toEqual({ infer_ip: 'never' });
  });

  test('contain no names from the page', async ({ page }) => {
    const purchase = new PurchasePage(page);
    await purchase.open(server.origins.tickets);
    await purchase.showSailings();
    await purchase.chooseSailing();
    await purchase.keepPlaces();
    await purchase.fillContact({ name: 'Ana Ferry', email: 'ana.ferry@example.com' });
    await page.getByText('Buying for someone else?').click();
    await page.getByLabel('Traveler’s name').fill('Basil Brackenridge');
    await reject(page, 'No seat for Ana Ferry, nor any other Ferry, nor Basil Brackenridge');
    const { event, raw } = await nextEvent(server.collector);
    expect(event.exception.values[0]?.value).toBe(
      'No seat for [private], nor any other [private], nor [private]',
    );
    expect(raw).not.toMatch(/\b(Ana|Basil|Brackenridge)\b/);
    const calls = (event.breadcrumbs ?? []).filter(({ category }) => category === 'fetch');
    expect(calls.map(({ data }) => data.url)).toContain('/api/quotes');
    for (const { data } of calls) {
      // A request that the page has given up has no status.
      expect(['method', 'status_code', 'url']).toEqual(expect.arrayContaining(Object.keys(data)));
      expect(data.url).not.toMatch(/[?#]|ord_/);
    }
  });

  test('are sent without cookies, referrer and account', async ({ page }) => {
    await signIn(page);
    await page.goto(`${server.origins.portal}/account`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await reject(page, 'Boom');
    await nextEvent(server.collector);
    const [sent] = server.collector.received;
    expect(sent?.url).toMatch(/^\/api\/7\/envelope\/\?/);
    expect(sent?.headers).not.toHaveProperty('cookie');
    expect(sent?.headers).not.toHaveProperty('referer');
    expect(sent?.headers).not.toHaveProperty('authorization');
    expect(sent?.body).not.toContain(DEMO_CUSTOMER.email);
    expect(sent?.body).not.toContain('gw_');
  });

  test('wait until the sender is loaded for errors at start', async ({ page }) => {
    await page.addInitScript(() =>
      document.addEventListener('DOMContentLoaded', () => void Promise.reject(new Error('Too early'))),
    );
    const chunk = page.waitForRequest(/send-reports/);
    await page.goto(server.origins.tickets);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await chunk;
    const { event } = await nextEvent(server.collector);
    expect(event.exception.values[0]?.value).toBe('Too early');
  });

  test('wait in memory while offline, and are stored nowhere', async ({ page, context, complaints }) => {
    complaints.expected.push(/ERR_INTERNET_DISCONNECTED/);
    const sender = page.waitForResponse(/send-reports/);
    await new PurchasePage(page).open(server.origins.tickets);
    await sender;
    await workerReady(page);
    await context.setOffline(true);
    await reject(page, 'Lost at sea');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(
      'Lost at sea',
    );
    expect(server.collector.received).toEqual([]);
    await context.setOffline(false);
    const { event } = await nextEvent(server.collector);
    expect(event.exception.values[0]?.value).toBe('Lost at sea');
  });

  test('are not sent for foreign errors', async ({ page }) => {
    const sender = page.waitForResponse(/send-reports/);
    await new PurchasePage(page).open(server.origins.tickets);
    await sender;
    for (const text of [
      'The operation either timed out or was not allowed.',
      "Can't find variable: __gCrWeb",
      'at webkit-masked-url://hidden/',
      'Could not reach {address}',
      'Failed to fetch dynamically imported module: /assets/gone.js',
    ]) {
      await reject(page, text);
    }
    await reject(page, 'The last one');
    await nextEvent(server.collector);
    expect(server.collector.received).toHaveLength(1);
    await expect(page.getByText('This page is out of date. Please reload it.')).toBeVisible();
  });
});

test.describe('tag manager and session recording', () => {
  test('see a purchase on its open page: the reference and the total, and no address of the order', async ({
    page,
    context,
  }) => {
    const others = await playOthers(context);
    const purchase = new PurchasePage(page);
    await purchase.open(server.origins.tickets);
    await expect.poll(() => others.loaded()).toEqual([TICKETS_CONTAINER, RECORDER]);
    await purchase.showSailings();
    await purchase.chooseSailing();
    await purchase.keepPlaces();
    await purchase.fillContact({ name: 'Ana Ferry', email: newAddress('ana') });
    await page.getByText('Buying for someone else?').click();
    await page.getByLabel('Traveler’s name').fill('Basil Brackenridge');
    await purchase.continueToPayment();
    await purchase.payWith('4242424242424242');
    await purchase.expectTickets();
    const reference = await purchase.reference();
    expect(others.told()).toEqual([
      { at: `${server.origins.tickets}/`, pushed: { event: 'gtm.js', 'gtm.start': expect.any(Number) } },
      {
        at: expect.stringMatching(/^http:\/\/tickets\.[^?]*\/(\?step=\w+)?$/),
        pushed: {
          event: 'order-completed',
          order_id: reference,
          order_total: expect.stringMatching(/^\d+\.\d\d$/),
        },
      },
    ]);
    expect(JSON.stringify(others.requests)).not.toContain(purchase.orderId());
    expect(JSON.stringify(others.requests)).not.toContain('Brackenridge');
    // The confirmation is a separate document without third-party scripts.
    expect(await page.evaluate(() => ['dataLayer', 'hj'].map((name) => name in window))).toEqual([
      false,
      false,
    ]);
    await page.reload();
    await purchase.expectTickets();
    expect(others.loaded()).toHaveLength(2);
  });

  test('record masked in the portal, with version 6 and a visit id, and not on private pages', async ({
    page,
    context,
  }) => {
    const others = await playOthers(context);
    await signIn(page);
    expect(others.requests).toEqual([]);
    await page.goto(`${server.origins.portal}/orders`);
    await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
    await expect.poll(() => others.loaded()).toEqual([PORTAL_CONTAINER, RECORDER]);
    const recorded = await page.evaluate(() => ({
      settings: Reflect.get(window, '_hjSettings') as unknown,
      commands: (Reflect.get(window, 'hj') as { q: unknown[][] }).q,
      isMasked: document.querySelector('main')?.closest('[data-hj-suppress]') !== null,
    }));
    expect(recorded).toEqual({
      settings: { hjid: 4711, hjsv: 6 },
      commands: [['identify', expect.stringMatching(/^[0-9a-f-]{36}$/), {}]],
      isMasked: true,
    });
    await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
    await page.getByRole('link', { name: 'Trip Cards' }).first().click();
    await expect(page).toHaveURL(/\/trip_cards$/);
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    await page.goto(`${server.origins.portal}/orders`);
    await expect.poll(() => others.loaded().length).toBe(4);
    for (const path of ['/account', '/security', '/payment_methods', '/sign_in', '/password/reset']) {
      await page.goto(server.origins.portal + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    expect(others.loaded()).toHaveLength(4);
  });

  test('do not continue on a private page of the portal', async ({ page, context }) => {
    const others = await playOthers(context);
    await signIn(page);
    await page.goto(`${server.origins.portal}/orders`);
    await expect.poll(() => others.loaded().length).toBe(2);
    await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
    await page.goto(`${server.origins.portal}/orders`);
    await page
      .getByRole('link', { name: /Account/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/account$/);
    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible();
    expect(
      await page.evaluate(() => ['sameDocument', 'dataLayer', 'hj'].map((name) => name in window)),
    ).toEqual([false, false, false]);
  });

  test('are not loaded with Global Privacy Control', async ({ page, context }) => {
    const others = await playOthers(context);
    await page.addInitScript(() =>
      Reflect.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    );
    const reporterLoaded = page.waitForResponse(/send-reports/);
    await new PurchasePage(page).open(server.origins.tickets);
    await reporterLoaded;
    await page.waitForLoadState('networkidle');
    expect(others.requests).toEqual([]);
  });
});

test('analytics wait for consent, which is as easy to refuse as to give, with the keyboard too', async ({
  page,
  context,
}) => {
  await server.setAnalytics({ requires_consent: true });
  const others = await playOthers(context);
  const card = page.getByRole('region', { name: 'May we measure how this site is used?' });
  const [refuse, allow] = ['Refuse', 'Allow'].map((name) => card.getByRole('button', { name, exact: true }));
  await new PurchasePage(page).open(server.origins.tickets);
  await expect(card).toBeVisible();
  await expectAccessible(page);
  expect(await lookOf(refuse!)).toEqual(await lookOf(allow!));

  // The card is the first thing that the keyboard reaches.
  await page.keyboard.press('Tab');
  await expect(card.getByRole('link', { name: 'Privacy' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(refuse!).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(allow!).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(refuse!).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(card).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Analytics' }).focus();
  expect(others.requests).toEqual([]);

  await page.keyboard.press('Enter');
  await expect(card).toBeFocused();
  await expect(card).toContainText('You refuse it at the moment.');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(card).toBeHidden();
  await expect.poll(() => others.loaded()).toEqual([TICKETS_CONTAINER, RECORDER]);
  await server.setAnalytics({});
});

/** What makes one button easier to choose than another. */
async function lookOf(button: Locator) {
  const { height } = (await button.boundingBox()) ?? {};
  const style = await button.evaluate((element) => {
    const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(element);
    return { color, backgroundColor, borderColor, fontSize, fontWeight };
  });
  return { height, ...style };
}

test('a foreign script is blocked, and fails every browser test', async ({ page, context, complaints }) => {
  complaints.expected.push(/Content Security Policy/i);
  await playOthers(context);
  await page.goto(server.origins.tickets);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.src = 'https://stranger.example/x.js';
    return new Promise((resolve) => {
      script.onerror = resolve;
      document.head.append(script);
    });
  });
  await expect
    .poll(() => complaints.seen)
    .toContainEqual(
      `Content Security Policy: script-src-elem forbids https://stranger.example/x.js in ${server.origins.tickets}/`,
    );
});

/** An uncaught error, as thrown by the app’s code. */
function reject(page: Page, text: string): Promise<void> {
  return page.evaluate((message) => void Promise.reject(new Error(message)), text);
}

type Event = {
  request: { url: string };
  exception: { values: { value: string }[] };
  sdk: { settings: unknown };
  breadcrumbs?: { category: string; data: Record<string, string> }[];
};

/** The first event that came, out of its envelope: a line of JSON for the envelope, one for the item, and the item. */
async function nextEvent({ received }: Collector) {
  await expect.poll(() => received.length, { message: 'an event arrives' }).toBeGreaterThan(0);
  const raw = received[0]?.body ?? '';
  const [envelope = '', item = '', event = ''] = raw.split('\n');
  expect(JSON.parse(item)).toMatchObject({ type: 'event' });
  return { raw, envelope: JSON.parse(envelope) as { sdk?: object }, event: JSON.parse(event) as Event };
}

async function version(page: Page): Promise<string> {
  return (
    await page.request.get(
      `${server.origins.portal.replace('my.ferry.localhost', '127.0.0.1')}/version.txt`,
      {
        headers: { host: new URL(server.origins.portal).host },
      },
    )
  ).text();
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.origins.portal}/sign_in`);
  await page.getByLabel('Email').fill(DEMO_CUSTOMER.email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_CUSTOMER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${server.origins.portal}/orders`);
}
