import { expect, type Page, type Request, type Response } from '@playwright/test';
import { UNREGISTERING_WORKER } from '#server/pages/front-end.ts';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, newAddress, send, test } from './support/fixtures.ts';
import { openAccount, signInQuietly } from './support/people.ts';
import { openReleases } from './support/releases.ts';
import { expectSettled, NO_NETWORK, workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

const NO_WORKER = /sw\.js|MIME type|when fetching the script|Script error/;

/** Screens of the portal with their unique headings; missing pages have another heading. */
const SIGNED_OUT = {
  '/sign_in': 'Sign in',
  '/sign_up': 'Create an account',
  '/password/reset': 'Reset your password',
  '/password/new': 'Set a new password',
  '/sessions/magic_link/verify': 'Sign in',
  [`/account/verify/${'a'.repeat(43)}`]: 'Confirm your account',
  '/account/verify_email': 'Confirm your new email address',
  '/account/undo_email': 'Keep your old email address',
};
const SIGNED_IN = {
  '/orders': 'My Orders',
  '/account': 'My Account',
  '/security': 'Password & Security',
  '/trip_cards': 'Trip Cards',
  '/payment_methods': 'Payment Methods',
};

async function expectScreens(page: Page, headings: Record<string, string>): Promise<void> {
  for (const [path, heading] of Object.entries(headings)) {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true }), path).toBeVisible();
    await expect(page, path).toHaveURL(ORIGINS.portal + path);
  }
}

test.describe('opening without a network', () => {
  test('the purchase page opens unchanged, with ports, date and price', async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await page.goto(ORIGINS.tickets);
    await workerReady(page);
    visitor.api.stop();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Purchase tickets' })).toBeAttached();
    await expect(page.getByLabel('From', { exact: true })).toHaveValue(/./);
  });

  test('every signed-out screen opens, and an unknown address leads to "not found"', async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    visitor.api.stop();
    await expectScreens(page, SIGNED_OUT);
    await page.goto(`${ORIGINS.portal}/nope`);
    await expect(page).toHaveURL(`${ORIGINS.portal}/404`);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  });

  test('every screen of the account opens, though it was never visited', async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await signInQuietly(page, await openAccount('Ines'));
    await page.goto(`${ORIGINS.portal}/trip_cards`);
    await page.getByRole('button', { name: 'Get a new card' }).click();
    await page.getByLabel('Name').fill('Card of Ines');
    await page.getByRole('button', { name: 'Get the card' }).click();
    const card = page.getByRole('article', { name: 'Card of Ines' });
    const balance = await card.getByRole('link', { name: /^Balance history/ }).getAttribute('href');
    await workerReady(page);
    await expectSettled(page, { api: visitor.api });
    visitor.api.stop();
    await expectScreens(page, {
      ...SIGNED_IN,
      [balance ?? '']: 'Trip Card Balance',
      [balance?.replace(/balance$/, 'top_ups') ?? '']: 'Trip Card Top-ups',
    });
    // Of the card that was seen, not only the frame around it.
    await expect(page.getByText('Card of Ines').first()).toBeVisible();
  });

  test('every step of a purchase and its tickets open, though no file of them can be fetched', async ({
    page,
    purchase,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await page.goto(ORIGINS.tickets);
    await workerReady(page);
    // The API stays available, because only the first step works without it.
    visitor.api.on(/^GET http:\/\/tickets\.[^/]+\/assets\//, 'drop');
    await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
    await purchase.open();
    await purchase.showSailings();
    await purchase.chooseSailing(4);
    await purchase.keepPlaces();
    await purchase.fillContact({ name: 'Petra Unfetched', email: newAddress('petra') });
    await purchase.continueToPayment();
    await purchase.payWith(CARDS.pays);
    await purchase.expectTickets();
    await page.goto(`${ORIGINS.tickets}/nope`);
    await expect(page).toHaveURL(`${ORIGINS.tickets}/404`);
    await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  });

  test('a network that accepts requests and never responds delays no page', async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    await page.goto('about:blank');
    visitor.api.on('/', 'hang');
    // Long before the worker would give the network up.
    await page.goto(`${ORIGINS.portal}/sign_in`, { waitUntil: 'commit', timeout: 15_000 });
    await expect(page.locator('h1')).toBeAttached();
  });

  test('only the first visit needs a network', async ({ page, visitor, complaints }) => {
    complaints.expected.push(NO_NETWORK);
    visitor.api.stop();
    await expect(page.goto(ORIGINS.portal)).rejects.toThrow();
    // The browser's own error page may still be loading.
    await page.waitForURL('chrome-error://chromewebdata/');
    visitor.api.up();
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    visitor.api.stop();
    await page.reload();
    await expect(page.locator('h1')).toBeAttached();
  });

  test('requests for the API and other machine-readable paths are not answered with a page', async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    await page.reload();
    visitor.api.stop();
    const paths = ['/api/ping', '/.well-known/assetlinks.json', '/__reset'];
    for (const path of paths) {
      const status = await page.evaluate(
        (address) =>
          fetch(address).then(
            (response) => response.status,
            () => 'no answer',
          ),
        path,
      );
      expect(status, path).toBe('no answer');
    }
    for (const path of paths) {
      await expect(page.goto(ORIGINS.portal + path), path).rejects.toThrow();
      await page.waitForURL('chrome-error://chromewebdata/');
    }
  });
});

test.describe('the cache', () => {
  test('each host caches its own screens and none of the other host', async ({ page }) => {
    await page.goto(ORIGINS.tickets);
    await workerReady(page);
    const tickets = await keptPaths(page);
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    const portal = await keptPaths(page);
    const named = (paths: string[], part: string) => paths.filter((path) => path.includes(part));
    expect(named(tickets, '/sailings-step-')).not.toEqual([]);
    expect(named(portal, '/trip-cards-screen-')).not.toEqual([]);
    for (const part of ['/security-screen-', '/trip-cards-screen-', '/sign-up-screen-', '/top-ups-screen-'])
      expect(named(tickets, part)).toEqual([]);
    for (const part of ['/sailings-step-', '/details-step-', '/pay-step-', '/confirmation-screen-'])
      expect(named(portal, part)).toEqual([]);
  });

  test('settings and version are cached once, however often they are requested', async ({ page }) => {
    await page.goto(ORIGINS.tickets);
    await workerReady(page);
    await page.reload();
    await page.evaluate(async (settings) => {
      for (let time = 0; time < 50; time += 1) {
        await fetch(`${settings}?t=${time}`);
        await fetch(`/version.txt?t=${time}`);
      }
    }, `${ORIGINS.storage}/public/settings/web.json`);
    const kept = await page.evaluate(async () => {
      const requests = await (await caches.open('ferry-settings')).keys();
      return requests.map(({ url }) => url).sort();
    });
    expect(kept).toEqual([`${ORIGINS.storage}/public/settings/web.json`, `${ORIGINS.tickets}/version.txt`]);
  });

  test('no response of the API is cached or passes through the worker', async ({ page, context }) => {
    const byWorker: Request[] = [];
    const fromWorker: Response[] = [];
    context.on('request', (request) => {
      if (request.serviceWorker() !== null) byWorker.push(request);
    });
    page.on('response', (response) => {
      if (response.fromServiceWorker()) fromWorker.push(response);
    });
    await signInQuietly(page, await openAccount('Otis'));
    await page.goto(`${ORIGINS.portal}/orders`);
    await workerReady(page);
    await expectScreens(page, SIGNED_IN);
    const isApi = (each: { url(): string }) => /\/api\//.test(each.url());
    expect(fromWorker.filter((response) => !isApi(response)).length).toBeGreaterThan(0);
    expect(fromWorker.filter(isApi).map((response) => response.url())).toEqual([]);
    expect(byWorker.filter(isApi)).toEqual([]);
    expect((await keptPaths(page)).filter((path) => path.startsWith('/api'))).toEqual([]);
  });
});

test('a tab of the previous release still gets a screen that the new release removed', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await workerReady(page);
  await page.reload();
  const chunk = (await keptPaths(page)).find((path) => /\/sign-up-screen-[^/]*\.js$/.test(path)) ?? '';
  // Unsaved input keeps this tab from being reloaded.
  await page.getByLabel('Email').fill('half@');
  const { publish, first } = await openReleases(visitor);
  publish('2');
  const { body } = await send(ORIGINS.portal, 'GET', '/sw.js');
  const worker = String(body.text).replaceAll(first, '2');
  const entry = new RegExp(`\\{[^{}]*"url":"${chunk}"\\},?`);
  expect(worker).toMatch(entry);
  visitor.api.on('/sw.js', (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(worker.replace(entry, ''));
  });
  visitor.api.on(chunk, { status: 404 });
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const followed = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve),
    );
    await registration?.update();
    while (!registration?.waiting) await new Promise((resolve) => setTimeout(resolve, 100));
    registration.waiting.postMessage({ type: 'SKIP_WAITING' });
    await followed;
  });
  const releases = await page.evaluate(() => caches.keys());
  expect(releases).toEqual(expect.arrayContaining([`ferry-files-${first}`, 'ferry-files-2']));
  // Otherwise the browser's HTTP cache could contain it too.
  await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
  const since = performance.now();
  await page.getByRole('link', { name: 'Create an account' }).first().click();
  await expect(page).toHaveURL(`${ORIGINS.portal}/sign_up`);
  await expect(page.getByLabel('Name')).toBeVisible();
  expect(visitor.api.passages(chunk, since)).toEqual([]);
});

test.describe('priority', () => {
  test('the first screen is painted before the worker is requested', async ({ page }) => {
    await page.goto(ORIGINS.tickets);
    await workerReady(page);
    const { painted, asked } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      asked:
        performance
          .getEntriesByType('resource')
          .find(({ name }) => /\/assets\/late-start-[^/]*\.js$/.test(name))?.startTime ?? Number.NaN,
    }));
    expect(asked).toBeGreaterThan(painted);
  });

  test('a page reloaded past the worker works like one with it', async ({ page }) => {
    await page.goto(ORIGINS.tickets);
    await workerReady(page);
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.reload', { ignoreCache: true });
    await expect(page.getByRole('heading', { level: 1, name: 'Purchase tickets' })).toBeVisible();
    expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
    await page.getByRole('button', { name: 'Show sailings' }).click();
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Purchase tickets');
  });

  for (const [what, answer] of [
    ['a page instead of a worker', 'portal'],
    ['a failure instead of a worker', { status: 500 }],
    ['nothing instead of a worker', 'drop'],
  ] as const)
    test(`${what} disables only the worker`, async ({ page, visitor, complaints }) => {
      complaints.expected.push(NO_NETWORK, NO_WORKER);
      visitor.api.on('/sw.js', answer);
      await page.goto(`${ORIGINS.portal}/sign_in`);
      await expect.poll(() => visitor.api.passages('/sw.js').length).toBeGreaterThan(0);
      await page.getByRole('link', { name: 'Create an account' }).first().click();
      await expect(page).toHaveURL(`${ORIGINS.portal}/sign_up`);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      // While the browser asks for the worker, it counts as registered.
      await expect.poll(() => registrations(page)).toBe(0);
    });

  test('a stopped worker resumes without loss', async ({ page, visitor, complaints }) => {
    complaints.expected.push(NO_NETWORK);
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    await page.reload();
    const browser = await page.context().newCDPSession(page);
    await browser.send('ServiceWorker.enable');
    await browser.send('ServiceWorker.stopAllWorkers');
    visitor.api.stop();
    await page.goto(`${ORIGINS.portal}/sign_up`);
    await expect(page.locator('h1')).toBeAttached();
  });
});

test.describe('switching off', () => {
  test('a retired worker deletes all its caches, and pages continue to work', async ({ page, visitor }) => {
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    visitor.api.on('/sw.js', (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(UNREGISTERING_WORKER);
    });
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect.poll(() => registrations(page)).toBe(0);
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    await page.getByRole('link', { name: 'Create an account' }).first().click();
    await expect(page).toHaveURL(`${ORIGINS.portal}/sign_up`);
    expect(loads).toBeLessThanOrEqual(1);
  });

  test('settings that switch the worker off unregister it from every page that reads them', async ({
    page,
    visitor,
  }) => {
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    visitor.api.on('/public/settings/web.json', {
      status: 200,
      body: { sw: { disabled: true } },
      headers: { 'access-control-allow-origin': '*', 'content-type': 'application/json' },
    });
    await page.reload();
    await expect.poll(() => registrations(page)).toBe(0);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Until that load the worker went on serving the page, and may have kept an answer that was under way.
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    expect(await registrations(page)).toBe(0);
  });

  test('"start over" clears the browser’s data, and only its own button does', async ({ page }) => {
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await workerReady(page);
    await page.evaluate(() => localStorage.setItem('kept', 'yes'));
    await page.goto(`${ORIGINS.portal}/__reset`);
    expect(await registrations(page)).toBe(1);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete and start over' }).click();
    await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
    await expect.poll(() => registrations(page)).toBe(0);
    expect(await page.evaluate(() => localStorage.getItem('kept'))).toBeNull();
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    const origin = new URL(ORIGINS.front).origin;
    const stranger = await send(ORIGINS.portal, 'POST', '/__reset', { headers: { origin } });
    expect(stranger.status).toBe(403);
    expect(stranger.headers['clear-site-data']).toBeUndefined();
  });
});

function registrations(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
}

function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths;
  });
}
