import { expect, type Locator, type Page } from '@playwright/test';
import { api } from '#contract/api.ts';
import { ORIGINS } from './addresses.ts';
import { DEMO_CUSTOMER } from './fixtures.ts';
import { signInQuietly } from './people.ts';
import type { ScriptableApi } from './scriptable-api.ts';

/** Console errors of the browser when the product is unreachable. */
export const NO_NETWORK = /Failed to load resource|net::ERR_|Failed to fetch/;

/** Console errors of the browser when a request is refused because its session has ended. */
export const NOT_SIGNED_IN = /status of 401/;

export const SIGN_IN = `${ORIGINS.portal}/sign_in`;

/** The customer whose orders and trip cards an empty installation begins with. */
export async function signInAsDemo(page: Page): Promise<void> {
  await signInQuietly(page, { ...DEMO_CUSTOMER, name: 'Demo' });
}

/** Waits for the worker, without which the browser shows its own error page offline. */
export async function workerReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

type OrderList = { data: { id: string; legs: { departs_at: string; arrives_at: string }[] }[] };

/** The API’s response with the orders of the signed-in customer. */
export function readOrders(page: Page): Promise<OrderList> {
  return page.evaluate(async (path) => {
    const [, token] = /my-session=([^;]+)/.exec(document.cookie) ?? [];
    const reply = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
    return reply.json();
  }, api.listOrders.path);
}

/** Opens an order of the list by its title, or the next trip, which has a button for it. */
export async function openListedOrder(order: Locator): Promise<void> {
  const title = order.getByRole('heading').getByRole('link');
  await title.or(order.getByRole('link', { name: 'Order details' })).click();
}

/** Reads the customer's next order with its tickets, and waits until it is kept. */
export async function readOrder(page: Page): Promise<string> {
  await page.goto(`${ORIGINS.portal}/orders`);
  const order = page.locator('[data-order]').first();
  const reference = (await order.getAttribute('data-order')) ?? '';
  await openListedOrder(order);
  await expect(page.getByRole('heading', { level: 1, name: `Order ${reference}` })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  await expectRecords(page, 'account-data', 2);
  return reference;
}

/** Signs in as the demo customer and reads their next order; returns its reference. */
export async function signInAndReadOrder(page: Page): Promise<string> {
  await signInAsDemo(page);
  return readOrder(page);
}

/** The same as `readOrder`, and a trip card got for it with all its screens. */
export async function readEverything(
  page: Page,
): Promise<{ reference: string; cardId: string; balance: string }> {
  const reference = await readOrder(page);
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  const name = `Card of ${crypto.randomUUID().slice(0, 8)}`;
  await page.getByRole('button', { name: 'Get a new card' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Get the card' }).click();
  await expect(page.getByRole('article', { name })).toBeFocused();
  const card = page.getByRole('article', { name });
  const link = card.getByRole('link', { name: /^Balance history/ });
  const cardId = /trip_cards\/([^/]+)\/balance/.exec((await link.getAttribute('href')) ?? '')?.[1] ?? '';
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Trip Card Balance' })).toBeVisible();
  await expect(page.getByText('No transactions yet')).toBeVisible();
  await expectSettled(page);
  const balance = (await page.locator('main strong').first().textContent()) ?? '';
  await page.goto(`${ORIGINS.portal}/trip_cards/${cardId}/top_ups`);
  await expect(page.getByRole('heading', { name: 'Earlier top-ups' })).toBeVisible();
  await expectSettled(page);
  return { reference, cardId, balance };
}

export function recordNames(page: Page, database: string): Promise<string[]> {
  return page.evaluate(readRecordNames, database);
}

/**
 * Runs in the page: the keys of a database's records. A database that does not exist is not created: an empty one would
 * break the app.
 */
export function readRecordNames(name: string): Promise<string[]> {
  const opening = indexedDB.open(name);
  return new Promise<string[]>((resolve, reject) => {
    let exists = true;
    opening.onupgradeneeded = () => {
      exists = false;
      opening.transaction?.abort();
    };
    opening.onerror = () => (exists ? reject(opening.error) : resolve([]));
    opening.onsuccess = () => {
      const database = opening.result;
      const reading = database.transaction('records').objectStore('records').getAllKeys();
      reading.onerror = () => reject(reading.error);
      reading.onsuccess = () => {
        database.close();
        resolve(reading.result.map(String));
      };
    };
  });
}

export async function countRecords(page: Page, database: string): Promise<number> {
  return (await recordNames(page, database)).length;
}

type Saving = { begun: number; done: number; release: () => void };

function hold(): void {
  const held = Promise.withResolvers<void>();
  const saving: Saving = { begun: 0, done: 0, release: held.resolve };
  Object.assign(window, { saving });
  const { encrypt } = crypto.subtle;
  crypto.subtle.encrypt = async (...given: Parameters<typeof encrypt>) => {
    saving.begun += 1;
    await held.promise;
    const sealed = await encrypt.apply(crypto.subtle, given);
    saving.done += 1;
    return sealed;
  };
}

/** Delays the encryption of saved data in this document or the next, as on a slow device. */
export async function holdSaving(page: Page, { of = 'this' }: { of?: 'this' | 'the next' } = {}) {
  await (of === 'this' ? page.evaluate(hold) : page.addInitScript(hold));
  const find = (key: 'begun' | 'done') =>
    page.evaluate((name) => (window as unknown as { saving: Saving }).saving[name], key);
  return {
    expectBegun: () => expect.poll(() => find('begun')).toBeGreaterThan(0),
    /** Continues. The writes are then queued in the database, so that later reads see them. */
    async release() {
      await page.evaluate(() => (window as unknown as { saving: Saving }).saving.release());
      await expect.poll(async () => (await find('done')) === (await find('begun'))).toBe(true);
    },
  };
}

export async function expectRecords(page: Page, database: string, atLeast = 1): Promise<void> {
  await expect
    .poll(() => countRecords(page, database), { message: `${database} holds something` })
    .toBeGreaterThanOrEqual(atLeast);
}

/**
 * Nothing has been written for a while: all that was read is kept. With `api` also nothing has been asked for, and no
 * answer is missing, however long the server takes.
 */
export async function expectSettled(
  page: Page,
  { database = 'account-data', api: connection }: { database?: string; api?: ScriptableApi } = {},
): Promise<void> {
  let last = '';
  const isSettled = async () => {
    const before = last;
    const records = await countRecords(page, database);
    const sent = connection?.passages('/api/') ?? [];
    last = `${records} records, ${sent.length} requests`;
    return records > 0 && last === before && sent.every(({ endedAt }) => endedAt !== undefined);
  };
  await expect.poll(isSettled, { message: 'all is kept', intervals: [600] }).toBe(true);
}

/** Every storage of this origin as text, byte for byte: databases, caches, local and session storage. */
export function dumpStorage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const parts: string[] = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    const textOf = (value: unknown): string => {
      if (value instanceof ArrayBuffer) return textOf(new Uint8Array(value));
      // Both as one byte for each letter and as two.
      if (value instanceof Uint8Array) {
        return new TextDecoder('latin1').decode(value) + new TextDecoder('utf-16').decode(value);
      }
      if (typeof value !== 'object' || value === null) return String(value);
      if (Array.isArray(value)) return value.map(textOf).join(' ');
      return Object.entries(value)
        .map(([key, field]) => `${key}=${textOf(field)}`)
        .join(' ');
    };
    const done = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const records = database.transaction(store).objectStore(store);
        parts.push(
          `${name}/${store}`,
          textOf(await done(records.getAllKeys())),
          textOf(await done(records.getAll())),
        );
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        parts.push(request.url, textOf([...(response?.headers ?? [])]), (await response?.text()) ?? '');
      }
    }
    return parts.join('\n');
  });
}

/** Another document in the same browser; nothing of the last one's memory is left. */
export async function openCold(page: Page): Promise<Page> {
  const context = page.context();
  const cold = await context.newPage();
  await page.close();
  return cold;
}

/** Simulates a phone that ends the app: the page gets no event, and the next one starts with the saved data. */
export async function killAndReopen(page: Page): Promise<Page> {
  const browser = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  browser.send('Page.crash').catch(() => undefined);
  await crashed;
  return openCold(page);
}

/** Checks that this device has no data of an account. */
export async function expectNothingKept(page: Page): Promise<void> {
  for (const database of ['account-data', 'first-paint']) {
    await expect.poll(() => countRecords(page, database), { message: `${database} is empty` }).toBe(0);
  }
}

/** Checks that the sign-in page is open, and no data of the account is shown or saved. */
export async function expectSignedOut(page: Page, reference: string): Promise<void> {
  await expect(page).toHaveURL(SIGN_IN);
  await expect(page.getByText(reference)).toBeHidden();
  await expectNothingKept(page);
}
