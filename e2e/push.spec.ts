import { type CDPSession, expect, type Page, type Worker } from '@playwright/test';
import type { TestCall } from '#tests/factories/island-line.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { dayAhead } from './support/day-ahead.ts';
import { expectAccessibleInBothSchemes, newAddress, testOfOwnServer as test } from './support/fixtures.ts';
import { type IslandOffice, openIslandOffice } from './support/island-office.ts';
import { type Subscription, subscribeAtStandIn } from './support/push.ts';
import { workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

const DAYS_AHEAD = 1;
const TRIPS: Record<string, TestCall[]> = {
  morning: [
    ['lopez', '9:00:00', '9:00:00'],
    ['orcas', '9:30:00', '9:30:00'],
  ],
};

type Received = { text: string; urgency: string };

let office: IslandOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openIslandOffice(TRIPS);
});
test.afterAll(() => office.stop());

/** Invents a browser at the stand-in of the push services. */
async function createSubscription(): Promise<Subscription> {
  return (await office.server.send('/api/browsers', { host: 'push', method: 'POST' })).json();
}

async function listReceived({ endpoint }: Subscription): Promise<Received[]> {
  const path = `/api/pushes?endpoint=${encodeURIComponent(endpoint)}`;
  return (await office.server.send(path, { host: 'push' })).json().data;
}

async function buy(page: Page): Promise<void> {
  const purchase = new PurchasePage(page);
  await purchase.open(office.origin);
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Lopez' });
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Orcas' });
  await purchase.showSailings(DAYS_AHEAD);
  await page.getByRole('button', { name: 'Choose the 9:00 AM sailing' }).click();
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Isla Islander', email: newAddress('push') });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
}

async function findRegistration(browser: CDPSession): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const own = registrations.find(({ scopeURL }) => scopeURL === `${office.origin}/`);
    if (own) resolve(own.registrationId);
  });
  await browser.send('ServiceWorker.enable');
  return promise;
}

type Shown = { title: string; tag: string; data: unknown };
/** The part of the worker's scope that tests change; their own scope is that of Node. */
type WatchedWorker = {
  shown: Shown[];
  opened: string[];
  registration: {
    showNotification(title: string, options?: { tag?: string; data?: unknown }): Promise<void>;
  };
  clients: { openWindow(address: string): Promise<null> };
  dispatchEvent(event: Event): boolean;
};

/** Has the worker keep what it shows and opens, which a browser without a screen does not. */
async function watchWorker(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WatchedWorker;
    Object.assign(scope, { shown: [], opened: [] });
    scope.registration.showNotification = async (title, options) => {
      const tag = options?.tag ?? '';
      scope.shown = [...scope.shown.filter((each) => each.tag !== tag), { title, tag, data: options?.data }];
    };
    scope.clients.openWindow = async (address) => {
      scope.opened.push(address);
      return null;
    };
  });
}

const listShown = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as WatchedWorker).shown);

/** Presses the notification. @returns the addresses that the worker opens */
function press(worker: Worker): Promise<string[]> {
  return worker.evaluate(async () => {
    const scope = globalThis as unknown as WatchedWorker;
    const [notification] = scope.shown;
    const handled: Promise<unknown>[] = [];
    const event = Object.assign(new Event('notificationclick'), {
      notification: { ...notification, close: () => undefined },
      waitUntil: (work: Promise<unknown>) => handled.push(work),
    });
    scope.dispatchEvent(event);
    await Promise.all(handled);
    return scope.opened;
  });
}

test('a browser in which notifications are blocked says where to allow them', async ({ page, context }) => {
  test.setTimeout(120_000);
  await context.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await buy(page);
  await expect(page.getByText('Notifications of this site are blocked.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Tell me' })).toBeHidden();
});

test('a passenger who asked for it is told of a late boat though no page is open, until it is turned off', async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const subscription = await createSubscription();
  await subscribeAtStandIn(context, subscription);
  await buy(page);
  await workerReady(page);
  const control = page.getByText('Tell me on this device if the boat is late, canceled or moved');
  await expect(control).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Tell me' }).click();
  await expect(page.getByText('We tell you on this device if the boat is late')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Turn off' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  const order = page.url();

  const delay = (minutes: number) =>
    office.run('sailings', 'delay', dayAhead(DAYS_AHEAD), 'LOP', '9:00', String(minutes));
  await delay(40);
  await expect.poll(() => listReceived(subscription), { timeout: 90_000 }).toHaveLength(1);
  const [push] = await listReceived(subscription);
  const message = JSON.parse(push?.text ?? '');
  expect(message.title).toMatch(/^Your 9:00 AM P[DS]T boat to Orcas is 40 minutes late$/);

  // With no page of the order open, the worker shows what the push service delivers.
  await page.goto(`${office.origin}/departures`);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no worker.');
  const browser = await context.newCDPSession(page);
  const registrationId = await findRegistration(browser);
  const deliver = () =>
    browser.send('ServiceWorker.deliverPushMessage', {
      ...{ origin: office.origin, registrationId, data: push?.text ?? '' },
    });
  await watchWorker(worker);
  for (const _ of [1, 2]) await deliver();
  await expect.poll(() => listShown(worker)).toMatchObject([{ title: message.title, tag: message.path }]);
  expect(await press(worker)).toEqual([order]);
  await page.goto(order);
  await expect(page.getByText('40 min late').first()).toBeVisible();

  await page.getByText('Messages about this order').click();
  const messages = page.getByRole('list', { name: 'Messages about this order' });
  await expect(messages.getByText(/^Notification on /)).toHaveCount(1);
  await expect(messages.getByText('Your ferry tickets')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByRole('button', { name: 'Tell me' })).toBeFocused();
  await delay(90);
  await page.reload();
  await expect(page.getByText('90 min late').first()).toBeVisible();
  expect(await listReceived(subscription)).toHaveLength(1);
});
