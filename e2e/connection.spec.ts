import { expect, type Locator, type Page } from '@playwright/test';
import { BROKEN_REQUEST, holdTime, openHeld, openPortal, openTab } from './pages/connection-layer.ts';
import { ORIGINS } from './support/addresses.ts';
import { test } from './support/fixtures.ts';
import { expectSettled } from './support/saved.ts';
import type { Matcher } from './support/scriptable-api.ts';

test.use({ serviceWorkers: 'allow' });

const PING = '/api/ping';
const ORDERS = '/api/customers/orders';
const SESSION_PING = '/api/customers/sessions/ping';
const TRIP_CARDS = /^GET \S+\/api\/customers\/trip_cards(\?|$)/;

test.beforeEach(({ complaints }) => {
  complaints.expected.push(BROKEN_REQUEST);
});

test('orders stay readable, in full contrast, under a layer that says that the connection is lost', async ({
  page,
  visitor,
}) => {
  const layer = await openPortal(page, '/orders');
  const order = page.locator('[data-order] p').first();
  await expect(order).toBeVisible();
  visitor.api.down();
  await refresh(page);
  await expect(layer.lost).toBeVisible();
  await expect(page.getByText("We're unable to connect to the server right now.")).toBeVisible();
  await expect(layer.spinner).toBeVisible();
  await expect(layer.cover).toHaveCount(0);
  expect(await layer.dock.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);

  expect(await isHitAt(page, order)).toBe(true);
  await order.selectText();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(await order.innerText());
  // The text has no tint over it, and can be scrolled out from under the card.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const footer = await page.getByRole('contentinfo').boundingBox();
    const card = await layer.dock.locator('> div').boundingBox();
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(card?.y ?? 0);
    expect(card?.height ?? 1000).toBeLessThanOrEqual(844 * 0.4);
  }).toPass({ timeout: 5000 });
});

test('controls that need a connection are disabled with a reason, and saved screens can be opened', async ({
  page,
  visitor,
}) => {
  const layer = await openPortal(page, '/trip_cards');
  await page.getByRole('link', { name: 'My Orders' }).click();
  await expect(page.locator('[data-order]').first()).toBeVisible();
  await layer.lose(visitor.api);
  const refresh = page.getByRole('button', { name: 'Refresh' });
  await expect(refresh).toHaveAttribute('aria-disabled', 'true');
  await expect(refresh).toHaveAccessibleDescription('This needs a connection.');
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Trip Cards' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Trip Cards' })).toBeVisible();
  await expect(layer.dock).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get a new card' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Security' }).click();
  await expect(layer.cover).toBeVisible();
  await page.getByRole('link', { name: 'See saved orders' }).click();
  await expect(page).toHaveURL(`${ORIGINS.portal}/orders`);
  await expect(layer.dock).toBeVisible();
  await expect(layer.cover).toHaveCount(0);

  await layer.restore(visitor.api);
  await expect(refresh).not.toHaveAttribute('aria-disabled');
});

test('a half-filled form is covered, and afterwards unchanged with the focus in it', async ({
  page,
  visitor,
}) => {
  const layer = await openPortal(page, '/account');
  await page.getByRole('button', { name: 'Change email' }).click();
  const field = page.getByLabel('New email');
  await field.pressSequentially('somebody.new@exam');
  await layer.lose(visitor.api);
  await expect(layer.cover).toBeVisible();
  expect(await layer.cover.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
  await page.keyboard.type('x');
  await layer.restore(visitor.api);
  await layer.keepWorking.click();
  await expect(layer.cover).toHaveCount(0);
  await expect(field).toBeFocused();
  await page.keyboard.type('ple.com');
  await expect(field).toHaveValue('somebody.new@example.com');
});

test('without any response saved data shows at once and no request exceeds its time limit', async ({
  page,
  visitor,
}) => {
  await page.clock.install();
  const layer = await openPortal(page, '/orders');
  await page.getByRole('link', { name: 'Trip Cards' }).click();
  await expect(page.getByRole('button', { name: 'Get a new card' })).toBeVisible();
  await expectSettled(page, { api: visitor.api });
  await holdTime(page);
  await layer.arrivals();
  const before = performance.now();
  const underWay = (matcher: Matcher) =>
    visitor.api.passages(matcher, before).filter(({ endedAt }) => endedAt === undefined).length;
  visitor.api.on(ORDERS, 'hang');
  visitor.api.on(PING, 'hang');
  await page.getByRole('link', { name: 'My Orders' }).click();
  await expect(page.locator('[data-order]').first()).toBeVisible();
  await refresh(page);
  await expect.poll(() => underWay(ORDERS)).toBeGreaterThan(0);
  // The session request has a shorter time limit; under load the server answers it late.
  await expect.poll(() => underWay(SESSION_PING)).toBe(0);
  await layer.arrivals();
  await page.clock.runFor(7900);
  expect(await layer.lost.count()).toBe(0);
  await page.clock.runFor(100);
  await expect(layer.lost).toBeVisible();
  // Orders that were prefetched meanwhile began later.
  await page.clock.runFor(8000);
  await expect.poll(() => underWay(ORDERS)).toBe(0);
});

test('an unanswered session request delays no navigation, and signs no customer out', async ({
  page,
  visitor,
}) => {
  const layer = await openHeld(page, '/orders', visitor.api);
  visitor.api.on(SESSION_PING, 'hang');
  const before = performance.now();
  const ends = () => visitor.api.passages(SESSION_PING, before).map(({ endedAt }) => endedAt);
  await page.getByRole('link', { name: 'Trip Cards' }).click();
  await expectShown(page.getByRole('button', { name: 'Get a new card' }));
  await expect.poll(ends).toEqual([undefined]);
  await page.clock.runFor(3000);
  await expect.poll(() => ends()[0]).toBeDefined();
  // After the loss the page pings at once, and the API answers.
  await expect(layer.restored).toBeVisible();
  await expect(page).toHaveURL(`${ORIGINS.portal}/trip_cards`);
  // A missing answer signs no customer out, and no request is sent while the API is away.
  visitor.api.down();
  await layer.hint();
  await expect(layer.lost).toBeVisible();
  const away = performance.now();
  await page.getByRole('link', { name: 'My Orders' }).click();
  await expect(page).toHaveURL(`${ORIGINS.portal}/orders`);
  await layer.arrivals();
  expect(visitor.api.passages(SESSION_PING, away)).toEqual([]);
});

test('one tab of three pings every second, also while earlier pings hang, of which four are under way at most', async ({
  page,
  visitor,
  context,
}) => {
  await context.clock.install();
  const first = await openPortal(page, '/orders');
  const layers = [first, await openTab(context, '/orders'), await openTab(context, '/trip_cards')];
  await holdTime(page);
  await first.lose(visitor.api);
  for (const layer of layers) await expect(layer.lost).toBeVisible();
  const count = () => visitor.api.passages(PING).length;
  const expectPings = async (expected: number) => {
    await expect.poll(count).toBe(expected);
    for (const layer of layers) await layer.arrivals();
    expect(count()).toBe(expected);
  };
  // A malformed response, because browsers repeat a request by themselves when its connection closes.
  visitor.api.on(PING, { status: 503 });
  await context.clock.runFor(1000);
  for (const layer of layers) await layer.arrivals();
  const before = count();
  for (const pings of [1, 2, 3, 4]) {
    await context.clock.runFor(1000);
    await expectPings(before + pings);
  }
  visitor.api.on(PING, 'hang');
  const hanging = performance.now();
  for (const pings of [5, 6, 7, 8, 9, 10, 11]) {
    await context.clock.runFor(1000);
    await expectPings(before + pings);
  }
  expect(visitor.api.mostAtOnce(PING, hanging)).toBe(4);
  visitor.api.up();
  await context.clock.runFor(1000);
  for (const layer of layers) await expect(layer.restored).toBeVisible();
});

test('after a minute the spinner stops, reloading is offered, and the pings continue', async ({
  page,
  visitor,
}) => {
  const layer = await openHeld(page, '/orders', visitor.api);
  await layer.lose(visitor.api);
  await page.clock.runFor(58_000);
  await expect(layer.spinner).toBeVisible();
  await expect(layer.reload).toHaveCount(0);
  await page.clock.runFor(3000);
  await expect(layer.spinner).toHaveCount(0);
  await expect(layer.reload).toBeVisible();
  await layer.arrivals();
  const before = visitor.api.passages(PING).length;
  await page.clock.runFor(1000);
  await expect.poll(() => visitor.api.passages(PING).length).toBeGreaterThan(before);
});

test('when the API is back, pinging ends and each list on screen is requested once', async ({
  page,
  visitor,
}) => {
  const layer = await openHeld(page, '/trip_cards', visitor.api);
  await layer.lose(visitor.api);
  const since = performance.now();
  await layer.restoreAtNextPing(visitor.api);
  await expect(
    page.getByText("We're able to connect to the server again. Please reload the page."),
  ).toBeVisible();
  await layer.open();
  await expect(layer.reload).toBeVisible();
  await expect(page.getByRole('button', { name: 'Get a new card' })).not.toHaveAttribute('aria-disabled');
  for (const once of [TRIP_CARDS, SESSION_PING]) {
    await expect.poll(() => visitor.api.passages(once, since).length).toBe(1);
  }
  await layer.expectAnswered(visitor.api, since);
  const found = performance.now();
  await page.clock.runFor(3000);
  await layer.arrivals();
  expect(visitor.api.passages(PING, found)).toEqual([]);
  for (const once of [TRIP_CARDS, SESSION_PING]) {
    expect(visitor.api.passages(once, since)).toHaveLength(1);
  }
  await layer.dismiss();
});

test('a request canceled by navigation does not count as a lost connection', async ({ page, visitor }) => {
  const layer = await openHeld(page, '/trip_cards', visitor.api);
  visitor.api.on(ORDERS, 'hang');
  const since = performance.now();
  await page.getByRole('link', { name: 'My Orders' }).click();
  await expect.poll(() => visitor.api.passages(ORDERS, since).length).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await expectShown(page.getByRole('heading', { level: 1, name: 'My Account' }));
  await expect.poll(() => visitor.api.passages(ORDERS, since).at(-1)?.endedAt).toBeDefined();
  await layer.arrivals();
  await expect(layer.lost).toHaveCount(0);
  await expect(layer.restored).toHaveCount(0);
  expect(visitor.api.passages(PING, since)).toEqual([]);
});

test('the device’s offline event is verified, and ignored while the API responds', async ({
  page,
  visitor,
}) => {
  const layer = await openHeld(page, '/orders', visitor.api);
  const since = performance.now();
  await layer.hint();
  await expect.poll(() => visitor.api.passages(PING, since).length).toBe(1);
  await layer.expectAnswered(visitor.api, since);
  await page.clock.runFor(3000);
  await layer.arrivals();
  await expect(layer.lost).toHaveCount(0);
  expect(visitor.api.passages(PING, since)).toHaveLength(1);
});

test('a captive portal’s page is not mistaken for the API', async ({ page, visitor }) => {
  const layer = await openPortal(page, '/orders');
  visitor.api.down('portal');
  await refresh(page);
  await expect(layer.lost).toBeVisible();
  const since = performance.now();
  await expect.poll(() => visitor.api.passages(PING, since).length).toBeGreaterThan(1);
  await expect(layer.lost).toBeVisible();
  await layer.restore(visitor.api);
});

test('an unstable connection changes one layer, and causes few requests', async ({ page, visitor }) => {
  const layer = await openHeld(page, '/trip_cards', visitor.api);
  await page.evaluate(() => {
    document.documentElement.dataset.sameDocument = 'yes';
  });
  const since = performance.now();
  for (let drop = 0; drop < 5; drop += 1) {
    await layer.lose(visitor.api);
    await expect(layer.cover.or(layer.dock)).toHaveCount(1);
    await layer.restoreAtNextPing(visitor.api);
    await expect(layer.cover.or(layer.dock)).toHaveCount(1);
    await layer.expectAnswered(visitor.api, since);
  }
  // Ends just after ten seconds from the first return, when later requests are still within their limit.
  await page.clock.runFor(6500);
  await expect(page.getByRole('button', { name: 'Get a new card' })).not.toHaveAttribute('aria-disabled');
  expect(visitor.api.passages(TRIP_CARDS, since).length).toBeLessThanOrEqual(2);
  expect(await page.evaluate(() => document.documentElement.dataset.sameDocument)).toBe('yes');
});

test('a hidden tab does not ping, and pings at once when it becomes visible', async ({ page, visitor }) => {
  const layer = await openHeld(page, '/orders', visitor.api);
  await layer.lose(visitor.api);
  await layer.setVisibility('hidden');
  await layer.arrivals();
  const hidden = performance.now();
  await page.clock.runFor(3000);
  await layer.arrivals();
  expect(visitor.api.passages(PING, hidden)).toEqual([]);
  await layer.setVisibility('visible');
  // The clock is stopped, so this is not the ping of the next second.
  await expect.poll(() => visitor.api.passages(PING, hidden).length).toBeGreaterThan(0);
});

for (const [bearer, serviceWorkers] of [
  ['the service worker', 'allow'],
  ['a channel where there is no worker', 'block'],
] as const) {
  test(`another tab learns of it from the first, through ${bearer}`, async ({ openBrowser, visitor }) => {
    const page = await openBrowser({ serviceWorkers, proxy: { server: visitor.url } });
    const context = page.context();
    await context.clock.install();
    if (serviceWorkers === 'allow') {
      await context.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'));
    }
    const first = await openPortal(page, '/orders');
    const second = await openTab(context, '/trip_cards');
    if (serviceWorkers === 'allow') {
      await second.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    }
    // The screen also prefetches data for offline use.
    await expectSettled(second.page, { api: visitor.api });
    await holdTime(page);
    await second.arrivals();
    const asked: string[] = [];
    second.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    visitor.api.down();
    await refresh(first.page);
    await expect(second.lost).toBeVisible();
    // No time has passed and no request of this tab has failed, so the other tab told it.
    expect(asked.filter((path) => path !== PING)).toEqual([]);
    visitor.api.up();
    await context.clock.runFor(1000);
    await expect(first.restored).toBeVisible();
    await expect(second.restored).toBeVisible();
  });
}

test('a worker that was stopped meanwhile has no effect, and passes messages on again', async ({
  page,
  visitor,
  context,
}) => {
  // Otherwise the tabs would communicate without the worker.
  await context.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'));
  const first = await openPortal(page, '/orders');
  const second = await openTab(context, '/trip_cards');
  await second.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await first.lose(visitor.api);
  await expect(second.lost).toBeVisible();
  const devtools = await context.newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await devtools.send('ServiceWorker.stopAllWorkers');
  const stopped = performance.now();
  await expect.poll(() => visitor.api.passages(PING, stopped).length).toBeGreaterThan(1);
  await expect(first.lost).toBeVisible();
  await expect(second.lost).toBeVisible();
  visitor.api.up();
  await expect(first.restored).toBeVisible();
  await expect(second.restored).toBeVisible();
  await first.keepWorking.click();
  await first.lose(visitor.api);
  await expect(second.lost).toBeVisible();
});

/** Causes a request of the screen, unless an earlier one has already disabled the button. */
async function refresh(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click');
}

/** Answers are shown by timers of the held clock. */
async function expectShown(element: Locator): Promise<void> {
  await expect(async () => {
    await element.page().clock.runFor(10);
    await expect(element).toBeVisible({ timeout: 200 });
  }).toPass();
}

/** Whether a click at its center reaches it. */
async function isHitAt(page: Page, target: ReturnType<Page['locator']>): Promise<boolean> {
  const box = await target.boundingBox();
  const element = await target.elementHandle();
  if (box === null || element === null) return false;
  return page.evaluate(
    ([node, x, y]) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (node.contains(hit) || hit.contains(node));
    },
    [element, box.x + box.width / 2, box.y + box.height / 2] as const,
  );
}
