import { expect, type Page } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { DEMO_CUSTOMER, test } from './support/fixtures.ts';
import { withOwnBrowser } from './support/own-browser.ts';
import { openAccount, signInQuietly } from './support/people.ts';
import type { SentRequest } from './support/proxy.ts';
import { countLoads } from './support/releases.ts';
import {
  countRecords,
  dumpStorage,
  expectNothingKept,
  expectRecords,
  expectSettled,
  expectSignedOut,
  holdSaving,
  killAndReopen,
  NO_NETWORK,
  NOT_SIGNED_IN,
  openCold,
  readOrders,
  recordNames,
  SIGN_IN,
  signInAndReadOrder,
  signInAsDemo,
  workerReady,
} from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

/** A request that another page sends before it knows of the sign-out. */
const LATE_REQUEST = NOT_SIGNED_IN;

test('signing out leaves nothing in memory, storage or history, and ends the session on the server', async ({
  page,
  visitor,
}) => {
  const reference = await signInAndReadOrder(page);
  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page).toHaveURL(SIGN_IN);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await expectNothingKept(page);
  expect(await dumpStorage(page)).not.toContain(reference);
  const isSignOut = (sent: SentRequest) => sent.method === 'DELETE' && sent.url.includes('sign_out');
  await expect.poll(() => visitor.requests.some(isSignOut)).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL(SIGN_IN);
  await expect(page.getByText(reference)).toBeHidden();
});

test('signing out works without a network, and the data does not come back with it', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  const reference = await signInAndReadOrder(page);
  await workerReady(page);
  visitor.api.stop();
  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page).toHaveURL(SIGN_IN);
  await expect(page.getByText('You are signed out on this device.', { exact: false })).toBeVisible();
  await expectNothingKept(page);
  visitor.api.up();
  const again = await openCold(page);
  await again.goto(`${ORIGINS.portal}/orders`);
  await expectSignedOut(again, reference);
});

test('signing out in one tab takes the other to the sign-in page, and nothing is written after it', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(LATE_REQUEST);
  const reference = await signInAndReadOrder(page);
  const other = await page.context().newPage();
  await other.goto(`${ORIGINS.portal}/orders?order=${reference}`);
  await expect(other.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page).toHaveURL(SIGN_IN);
  await expect(other).toHaveURL(SIGN_IN);
  await expect(other.getByText(reference)).toBeHidden();
  await expectNothingKept(page);
  await other.close();
  await expectNothingKept(page);
});

test('signing out in the account removes private details from pages of the ticket host', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(LATE_REQUEST);
  await signInAsDemo(page);
  await page.goto(`${ORIGINS.portal}/orders`);
  const [order] = (await readOrders(page)).data;
  await page.goto(`${ORIGINS.tickets}/orders/${order?.id}/confirmation#main`);
  await expect(page.getByText(DEMO_CUSTOMER.email).first()).toBeVisible();
  const account = await page.context().newPage();
  await account.goto(`${ORIGINS.portal}/sign_out`);
  await expect(account.getByText('You are signed out.')).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByText(/^d•+@/).first()).toBeVisible();
  await expect(page.getByText(DEMO_CUSTOMER.email)).toBeHidden();
});

test('a tab that has not yet heard of a sign-out cannot save data after it', async ({ page }) => {
  await signInAndReadOrder(page);
  const other = await page.context().newPage();
  await other.addInitScript(() => {
    window.addEventListener('storage', (event) => event.stopImmediatePropagation());
  });
  await other.goto(`${ORIGINS.portal}/orders`);
  await expect(other.getByText(/^Updated /)).toBeVisible();
  await expectSettled(other);
  const saving = await holdSaving(other);
  await other.getByRole('button', { name: 'Refresh' }).click();
  await saving.expectBegun();
  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page).toHaveURL(SIGN_IN);
  await expectNothingKept(page);
  await saving.release();
  for (const database of ['account-data', 'first-paint'])
    expect(await recordNames(other, database)).toEqual([]);
  await other.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(other).toHaveURL(SIGN_IN);
  await expectNothingKept(page);
});

test('an interrupted sign-out is completed by the next start, before anything is shown', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  const reference = await signInAndReadOrder(page);
  await workerReady(page);
  visitor.api.on(/^DELETE .*sign_out/, 'hang');
  await page.evaluate(() => {
    IDBDatabase.prototype.transaction = () => {
      throw new Error('The disk is slow just now.');
    };
  });
  await page.getByRole('button', { name: /account menu/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect
    .poll(() => page.context().cookies())
    .not.toContainEqual(expect.objectContaining({ name: 'my-session' }));
  visitor.api.stop();
  const again = await killAndReopen(page);
  // A page of the same origin without the app.
  await again.goto(`${ORIGINS.portal}/icon.svg`);
  expect(await countRecords(again, 'account-data')).toBeGreaterThan(0);
  await again.goto(`${ORIGINS.portal}/orders`);
  await expectSignedOut(again, reference);
  await expect.poll(() => again.evaluate(() => localStorage.getItem('wipe'))).toBeNull();
});

for (const { storage, prepare } of [
  { storage: 'a fast storage', prepare: async () => {} },
  {
    storage: 'a storage that answers late',
    prepare: (page: Page) => page.addInitScript(answerLate, 'ended-sessions'),
  },
]) {
  test(`a browser killed after a sign-out without a network starts signed out, with ${storage}`, async ({
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NO_NETWORK);
    await withOwnBrowser(visitor.url, complaints, async (browser) => {
      const reference = await signInAndReadOrder(browser.page);
      await workerReady(browser.page);
      const signedIn = await browser.restart();
      await signedIn.goto(`${ORIGINS.portal}/orders`);
      await expect(signedIn.getByText(reference).first()).toBeVisible();
      visitor.api.down();
      await signedIn.goto(`${ORIGINS.portal}/sign_out`);
      await expect(signedIn.getByText('You are signed out on this device.', { exact: false })).toBeVisible();
      // The session's cookie is still on the disk: browsers take their time to delete it there.
      const again = await browser.killAndRestart();
      await prepare(again);
      visitor.api.up();
      visitor.requests.length = 0;
      await again.goto(`${ORIGINS.portal}/orders`);
      await expectSignedOut(again, reference);
      const believed = visitor.requests.filter(({ headers }) => headers.authorization !== undefined);
      expect(believed.filter(({ url }) => !url.endsWith('/sign_out'))).toEqual([]);
      // Another start finds no session any more, and the server none that this one could have.
      await expect.poll(() => again.evaluate(() => document.cookie)).not.toContain('my-session');
    });
  });
}

/** Delays reads of this database until after the app has started, as on a slow phone. */
function answerLate(database: string): void {
  const { get } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.get = function (this: IDBObjectStore, key) {
    const request = get.call(this, key);
    if (this.transaction.db.name !== database) return request;
    Object.defineProperty(request, 'onsuccess', {
      set: (listener: (event: Event) => void) =>
        request.addEventListener('success', (event) => setTimeout(() => listener(event), 600)),
    });
    return request;
  };
}

test('a session that the server ended is removed with all saved data', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NOT_SIGNED_IN);
  const reference = await signInAndReadOrder(page);
  visitor.api.on('/api/customers/', {
    status: 401,
    body: {
      success: false,
      errors: [{ code: 'unauthorized', message: 'Please sign in.' }],
      status_code: 401,
    },
  });
  const loads = countLoads(page);
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
  await expectSignedOut(page, reference);
  // The screen that was asked for and the sign-in page, which is at rest now.
  await page.waitForLoadState('networkidle');
  expect(loads.count).toBe(2);
});

test('another customer’s cookie never shows the previous customer’s data', async ({ page }) => {
  const reference = await signInAndReadOrder(page);
  // All data written from now on belongs to Bea.
  await expectSettled(page);
  await expectRecords(page, 'first-paint');
  const before = await namesOfAll(page);
  await page.context().clearCookies();
  await signInQuietly(page, await openAccount('Bea'));
  const next = await openCold(page);
  await next.addInitScript((text) => {
    new MutationObserver(() => {
      if (document.body?.textContent?.includes(text)) (window as { leaked?: boolean }).leaked = true;
    }).observe(document, { childList: true, subtree: true, characterData: true });
  }, reference);
  await next.goto(`${ORIGINS.portal}/orders`);
  await expect(next.getByText('No orders yet')).toBeVisible();
  expect(await next.evaluate(() => (window as { leaked?: boolean }).leaked ?? false)).toBe(false);
  await expect.poll(async () => (await namesOfAll(next)).filter((name) => before.includes(name))).toEqual([]);
});

test('a tab that was frozen while another customer signed in restarts for them', async ({ page }) => {
  const reference = await signInAndReadOrder(page);
  await page.context().clearCookies();
  await signInQuietly(page, await openAccount('Cleo'));
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByText(reference)).toBeHidden();
  await expect(page).toHaveURL(`${ORIGINS.portal}/orders`);
  await expect(page.getByText('No orders yet')).toBeVisible();
});

test('without cookie and network the sign-in page shows without the customer’s data', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  const reference = await signInAndReadOrder(page);
  await workerReady(page);
  visitor.api.stop();
  await page.context().clearCookies();
  const cold = await openCold(page);
  await cold.goto(`${ORIGINS.portal}/orders`);
  await expectSignedOut(cold, reference);
});

/** Of every record of a customer on this device; whose it is shows in its name. */
async function namesOfAll(page: Page): Promise<string[]> {
  return [...(await recordNames(page, 'account-data')), ...(await recordNames(page, 'first-paint'))];
}
