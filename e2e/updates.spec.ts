import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, type Page } from '@playwright/test';
import { ConnectionLayer } from './pages/connection-layer.ts';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { test as base, DEMO_CUSTOMER, expectAccessible, newAddress } from './support/fixtures.ts';
import { signInQuietly } from './support/people.ts';
import {
  countLoads,
  countSteps,
  doesWorkerInstall,
  doesWorkerWait,
  expectBrowserLooked,
  lookAndJudge,
  lookAtAgain,
  openFollowing,
  openReleases,
  putBehind,
  type Releases,
  runningRelease,
  stepsOf,
  waitUntilFollowing,
} from './support/releases.ts';

const test = base.extend<{ releases: Releases }>({
  releases: async ({ visitor }, use) => {
    await use(await openReleases(visitor));
  },
});
test.use({ serviceWorkers: 'allow' });

const SIGN_IN = `${ORIGINS.portal}/sign_in`;
const READY = 'A new version is ready. Reload when you have finished.';
const OUTDATED = 'This page is out of date. Please reload it.';
const FAILED = 'The new version could not start yet. Please try again.';
const DEMO = { name: 'Robin', ...DEMO_CUSTOMER };

async function expectRunning(page: Page, release: string): Promise<void> {
  // The page may be navigating at this moment. A worker that is not ended within ten seconds is told again.
  await expect.poll(() => runningRelease(page).catch(() => null), { timeout: 25_000 }).toBe(release);
}

function storedVersion(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('version-production'));
}

/** A page can be read before it counts as loaded. */
async function expectLoads(loads: { count: number }, count: number): Promise<void> {
  await expect.poll(() => loads.count).toBe(count);
}

async function expectNoReload(loads: { count: number }, page: Page, release: string): Promise<void> {
  expect(loads.count).toBe(0);
  expect(await runningRelease(page)).toBe(release);
}

test.describe('a release', () => {
  test('runs in an idle tab after exactly one reload', async ({ page, releases }) => {
    await openFollowing(page, SIGN_IN);
    const loads = countLoads(page);
    releases.publish('2');
    await lookAtAgain(page);
    // At once: who looks for it again later looks after half a minute.
    await expectRunning(page, '2');
    await waitUntilFollowing(page);
    await lookAndJudge(page);
    await expectLoads(loads, 1);
    expect(await storedVersion(page)).toBe('2');
  });

  test('runs in a tab of a first visit, whose pages no worker answers for yet', async ({
    page,
    releases,
  }) => {
    await page.goto(SIGN_IN);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await waitUntilFollowing(page);
    const loads = countLoads(page);
    releases.publish('2');
    await lookAtAgain(page);
    await expectRunning(page, '2');
    await waitUntilFollowing(page);
    await lookAndJudge(page);
    await expectLoads(loads, 1);
  });

  test('is reverted in tabs the same way when it is withdrawn', async ({ page, releases }) => {
    await openFollowing(page, SIGN_IN);
    releases.publish('2');
    await lookAtAgain(page);
    await expectRunning(page, '2');
    await waitUntilFollowing(page);
    releases.publish(releases.first);
    await lookAtAgain(page);
    await expectRunning(page, releases.first);
    await waitUntilFollowing(page);
    expect(await storedVersion(page)).toBe(releases.first);
  });

  test('waits for its worker when only its version file is there yet', async ({ page, releases }) => {
    await openFollowing(page, SIGN_IN);
    await page.clock.install();
    await countSteps(page);
    const loads = countLoads(page);
    releases.announce('2');
    await lookAtAgain(page);
    await expect.poll(() => stepsOf(page)).toMatchObject({ searchesEnded: 1 });
    await expectNoReload(loads, page, releases.first);
    releases.publish('2');
    await page.clock.fastForward(31_000);
    await page.clock.runFor(3000);
    await expectRunning(page, '2');
    await expectLoads(loads, 1);
  });

  test('has no effect if it cannot be installed, and the next release is installed', async ({
    page,
    releases,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(/status of 404|Failed to load resource/);
    await openFollowing(page, SIGN_IN);
    const loads = countLoads(page);
    releases.publish('2');
    visitor.api.on('/__shell', { status: 404, body: 'Not found' });
    await lookAtAgain(page);
    await expect.poll(() => visitor.api.passages(/__shell\?release=2/).length).toBeGreaterThan(0);
    await expect.poll(() => doesWorkerInstall(page)).toBe(false);
    await expectNoReload(loads, page, releases.first);
    visitor.api.clear('/__shell');
    releases.publish('3');
    await lookAtAgain(page);
    await expectRunning(page, '3');
    await expectLoads(loads, 1);
  });

  test('is only announced while the customer types, and loses no input', async ({ page, releases }) => {
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await signInQuietly(page, DEMO);
    await openFollowing(page, `${ORIGINS.portal}/account`);
    await page.getByLabel('Name').fill('Robin Changed');
    const loads = countLoads(page);
    releases.publish('2');
    await lookAtAgain(page);
    await expect(page.getByText(READY)).toBeVisible();
    await expectNoReload(loads, page, releases.first);
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await expectRunning(page, '2');
    await expect(page.getByLabel('Name')).toHaveValue('Robin Changed');
    await expectLoads(loads, 1);
  });
});

test.describe('an unfinished purchase', () => {
  test('is not interrupted by a release, which starts afterwards', async ({ page, purchase, releases }) => {
    await openFollowing(page, `${ORIGINS.tickets}/`);
    await purchase.waitUntilUsable();
    const loads = countLoads(page);
    await page.getByRole('button', { name: 'More: Adult' }).click();
    releases.publish('2');
    await lookAtAgain(page);
    await purchase.showSailings();
    await purchase.chooseSailing(2);
    await purchase.keepPlaces();
    await expect(page.getByText(READY)).toBeVisible();
    await purchase.fillContact({ name: 'Una Interrupted', email: newAddress('una') });
    await purchase.continueToPayment();
    await purchase.payWith(CARDS.pays);
    await purchase.expectTickets();
    expect(loads.count).toBe(0);
    await putBehind(page);
    await expectRunning(page, '2');
    await purchase.expectTickets();
    await expectLoads(loads, 1);
  });

  test('cannot be reloaded by hand between payment and response', async ({
    page,
    purchase,
    releases,
    visitor,
  }) => {
    await openFollowing(page, `${ORIGINS.tickets}/`);
    await purchase.goToPayment({ name: 'Paula Paying', email: newAddress('paula') }, 3);
    releases.publish('2');
    await lookAtAgain(page);
    await expect(page.getByText(READY)).toBeVisible();
    const loads = countLoads(page);
    await purchase.fillCard(CARDS.pays);
    const reloadRefused = Promise.withResolvers<void>();
    visitor.api.on(/^POST .*\/confirm/, { after: reloadRefused.promise });
    await purchase.payButton.click();
    await expect.poll(() => visitor.api.passages(/^POST .*\/confirm/).length).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await expect(page.getByText(/payment is on its way/i)).toBeVisible();
    reloadRefused.resolve();
    await purchase.expectTickets();
    expect(loads.count).toBe(0);
    expect(await runningRelease(page)).toBe(releases.first);
    await putBehind(page);
    await expectRunning(page, '2');
    await expectLoads(loads, 1);
  });
});

test.describe('tabs', () => {
  test('wait for the busy one, and then each reloads once', async ({ page, context, releases }) => {
    await openFollowing(page, SIGN_IN);
    const busy = await context.newPage();
    await openFollowing(busy, `${ORIGINS.portal}/sign_up`);
    await busy.getByLabel('Name').fill('Bea');
    await countSteps(page);
    const loads = [countLoads(page), countLoads(busy)];
    releases.publish('2');
    await lookAtAgain(page);
    await lookAtAgain(busy);
    await expect(busy.getByText(READY)).toBeVisible();
    await expect.poll(async () => (await stepsOf(page)).votes).toBeGreaterThan(0);
    expect(loads.map(({ count }) => count)).toEqual([0, 0]);
    await busy.getByRole('link', { name: 'Sign in' }).click();
    // In sight, it would be spared for half a minute after that press.
    await putBehind(busy);
    await expectRunning(page, '2');
    await expectRunning(busy, '2');
    await lookAndJudge(page);
    for (const each of loads) await expectLoads(each, 1);
  });
});

test.describe('a worker', () => {
  test('that cannot activate is announced to a customer who waits for it, and starts when it can', async ({
    page,
    releases,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(/Failed to load resource|ERR_/);
    await openFollowing(page, SIGN_IN);
    const held: ServerResponse[] = [];
    visitor.api.on(
      '/assets/held.js',
      (_: IncomingMessage, outgoing: ServerResponse) => void held.push(outgoing),
    );
    await page.evaluate(() => void fetch('/assets/held.js').catch(() => undefined));
    await expect.poll(() => held.length).toBe(1);
    const loads = countLoads(page);
    await page.getByLabel('Email').fill('robin@');
    releases.publish('2');
    await lookAtAgain(page);
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await expect(page.getByText(FAILED)).toBeVisible({ timeout: 20_000 });
    expect(loads.count).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    for (const outgoing of held) outgoing.destroy();
    await expectRunning(page, '2');
    await expectLoads(loads, 1);
  });

  test('delays nothing if it cannot be loaded, and is found at the next check', async ({
    page,
    releases,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(/Failed to load resource|ERR_/);
    await openFollowing(page, SIGN_IN);
    await page.clock.install();
    const loads = countLoads(page);
    const held: ServerResponse[] = [];
    visitor.api.on('/sw.js', (_: IncomingMessage, outgoing: ServerResponse) => void held.push(outgoing));
    releases.announce('2');
    await lookAtAgain(page);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
    expect(loads.count).toBe(0);
    await expect.poll(() => held.length).toBe(1);
    await page.clock.fastForward(11_000);
    visitor.api.up();
    for (const outgoing of held) outgoing.destroy();
    releases.publish('2');
    await page.clock.fastForward(31_000);
    await page.clock.runFor(3000);
    await expectRunning(page, '2');
    await expectLoads(loads, 1);
  });
});

test.describe('a version file', () => {
  test('without a version has no effect despite a new release, and the next valid one starts it', async ({
    page,
    releases,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(/Failed to load resource|ERR_/);
    await openFollowing(page, SIGN_IN);
    await expectBrowserLooked(visitor);
    const loads = countLoads(page);
    await countSteps(page);
    releases.publish('2');
    for (const [what, answer] of [
      ['a page', { status: 200, body: '<!doctype html><title>Free Wi-Fi</title>' }],
      ['21 characters', { status: 200, body: '2'.repeat(21) }],
      ['nothing', { status: 200, body: '' }],
      ['an error', { status: 500, body: '2' }],
      ['no answer at all', 'drop'],
    ] as const) {
      visitor.api.on('/version.txt', answer);
      await lookAndJudge(page);
      expect(await stepsOf(page), what).toMatchObject({ searches: 0 });
    }
    visitor.api.clear('/version.txt');
    await lookAtAgain(page);
    await expectRunning(page, '2');
    await expectLoads(loads, 1);
  });

  test('cached by the worker starts no update despite a new release', async ({
    page,
    releases,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(/Failed to load resource|ERR_/);
    await openFollowing(page, SIGN_IN);
    await expectBrowserLooked(visitor);
    const loads = countLoads(page);
    await countSteps(page);
    // As it would be had the network given it, but without anybody having heard of it then.
    await page.evaluate(async () => {
      const kept = await caches.open('ferry-settings');
      const last = await kept.match('/version.txt');
      await kept.put('/version.txt', new Response('2', { headers: last?.headers ?? {} }));
    });
    releases.publish('2');
    // Nothing else is out of reach: a page that lost its connection would not look at all.
    visitor.api.on('/version.txt', 'drop');
    const told = page.evaluate(
      () =>
        new Promise<unknown>((resolve) => {
          navigator.serviceWorker.addEventListener('message', ({ data }) => {
            if (data.type === 'VERSION') resolve(data);
          });
        }),
    );
    await lookAndJudge(page);
    expect(await told).toMatchObject({ text: '2', source: 'cache' });
    expect(await stepsOf(page)).toMatchObject({ searches: 0 });
    visitor.api.clear('/version.txt');
    await lookAtAgain(page);
    await expectRunning(page, '2');
    await expectLoads(loads, 1);
  });
});

test('a release waits while the API is lost, and starts with one reload when it is back', async ({
  page,
  releases,
  visitor,
  complaints,
}) => {
  complaints.expected.push(/Failed to load resource|ERR_/);
  await page.goto(SIGN_IN);
  await signInQuietly(page, DEMO);
  await openFollowing(page, `${ORIGINS.portal}/orders`);
  await expectBrowserLooked(visitor);
  await page.clock.install();
  const loads = countLoads(page);
  const layer = new ConnectionLayer(page);
  await layer.lose(visitor.api);
  // Beside the orders, which can be read on: an open dialog would hold a reload by itself.
  await expect(layer.dock).toBeVisible();
  releases.publish('2');
  const since = performance.now();
  await countSteps(page);
  await lookAtAgain(page);
  // By itself the page does not look now, but whatever else may let the worker come.
  await page.evaluate(async () => {
    const { postMessage } = ServiceWorker.prototype;
    const asked = new Promise<void>((resolve) => {
      ServiceWorker.prototype.postMessage = function (
        message: unknown,
        options?: StructuredSerializeOptions | Transferable[],
      ) {
        postMessage.call(this, message, options as StructuredSerializeOptions);
        if (this.state === 'installed') resolve();
      };
    });
    Object.assign(window, { asked });
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
  await expect.poll(() => doesWorkerWait(page)).toBe(true);
  await page.clock.runFor(1000);
  // Which release it is of, as the page asks each that comes.
  await page.evaluate(() => (window as unknown as { asked: Promise<void> }).asked);
  // The page checks every few seconds whether it can reload.
  const expectWaiting = async () => {
    await page.clock.runFor(40_000);
    expect(await stepsOf(page)).toMatchObject({ votes: 0 });
    expect(loads.count).toBe(0);
    expect(await doesWorkerWait(page)).toBe(true);
  };
  await expectWaiting();
  expect(visitor.api.passages('/version.txt', since)).toEqual([]);
  visitor.api.clear('/api/');
  await page.clock.runFor(1000);
  await expect(layer.restored).toBeVisible();
  await expectWaiting();
  const back = performance.now();
  await layer.keepWorking.click();
  await putBehind(page);
  await expectRunning(page, '2');
  // Once by the page that was left, once by the one that follows releases from here on.
  await expect.poll(() => visitor.api.passages('/version.txt', back).length).toBe(2);
  await page.clock.runFor(40_000);
  await expectLoads(loads, 1);
});

test.describe('a missing or blocked file', () => {
  test('waits for a lost connection if it is a screen’s, and asks to reload without a report if it was deleted', async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(/Failed to load resource|dynamically imported module|404|ERR_|Failed to fetch/);
    await openFollowing(page, SIGN_IN);
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/late-start-')),
    );
    await page.evaluate(async () => {
      for (const name of await caches.keys()) await caches.delete(name);
    });
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.clearBrowserCache');
    const loads = countLoads(page);
    visitor.api.stop();
    await page.getByRole('link', { name: 'Create an account' }).first().click();
    await expect(page.getByText('Connection Lost')).toBeVisible();
    visitor.api.up();
    await expect(page.getByLabel('Name')).toBeVisible();
    await expect(page.getByText(OUTDATED)).toBeHidden();
    await page.getByRole('button', { name: 'Keep working' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().click();

    visitor.api.on('/assets/', { status: 404, body: 'Not found' });
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(page.getByText(OUTDATED)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Please reload the page' })).toBeVisible();
    await expectAccessible(page);
    expect(loads.count).toBe(0);
    visitor.api.up();
    await page.getByRole('button', { name: 'Reload Page' }).click();
    await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  });

  test('reloads the page once, then offers a retry, if it is the card provider’s', async ({
    page,
    purchase,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(/ERR_|Failed to load|stripe\.js/i);
    visitor.api.on('/endive/stripe.js', 'drop');
    await purchase.open();
    await purchase.showSailings();
    await purchase.chooseSailing(3);
    await purchase.keepPlaces();
    await purchase.fillContact({ name: 'Sky Blocked', email: newAddress('blocked') });
    const loads = countLoads(page);
    await page.getByRole('button', { name: 'Go to payment' }).click();
    await expect(page.getByText('The card form could not load')).toBeVisible();
    await expectLoads(loads, 1);
    visitor.api.up();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(purchase.cardForm.getByLabel('Card number')).toBeVisible();
    await expectLoads(loads, 1);
  });

  test('causes at most two automatic reloads in ten minutes', async ({ page, releases }) => {
    await openFollowing(page, SIGN_IN);
    const loads = countLoads(page);
    releases.publish('2');
    await lookAtAgain(page);
    await expectRunning(page, '2');
    await waitUntilFollowing(page);
    await page.evaluate(() => {
      const message = 'Maximum call stack size exceeded';
      window.dispatchEvent(new ErrorEvent('error', { message, error: new RangeError(message) }));
    });
    await expect.poll(() => loads.count).toBe(2);
    await waitUntilFollowing(page);
    releases.publish('3');
    await lookAtAgain(page);
    await expect(page.getByText(READY)).toBeVisible();
    await expectLoads(loads, 2);
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await expectRunning(page, '3');
    await expectLoads(loads, 3);
  });
});
