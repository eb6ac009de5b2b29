import { expect, type Page } from '@playwright/test';
import { CARDS } from './pages/purchase-page.ts';
import { WalletPage } from './pages/wallet-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { newAddress, test } from './support/fixtures.ts';
import { withOwnBrowser } from './support/own-browser.ts';
import { openAccount, signInQuietly } from './support/people.ts';
import {
  countRecords,
  dumpStorage,
  expectRecords,
  expectSettled,
  holdSaving,
  killAndReopen,
  NO_NETWORK,
  openCold,
  openListedOrder,
  readEverything,
  signInAndReadOrder,
  signInAsDemo,
  workerReady,
} from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

/** Of the car of the demo customer. */
const PLATE = '5KJH 220';
const TRIP_CARDS = /^GET .*\/api\/customers\/trip_cards(\?|$)/;
const SAVED_TODAY = /^Saved \d+:\d\d [AP]M today$/;

test('orders, tickets, cards, balances and top-ups are complete after a cold start without a network', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await signInAsDemo(page);
  const { reference, cardId, balance } = await readEverything(page);
  await workerReady(page);
  visitor.api.stop();
  const cold = await openCold(page);
  await cold.goto(`${ORIGINS.portal}/orders?source=pwa`);
  await expect(cold.getByText(reference).first()).toBeVisible();
  await expect(cold.getByText(SAVED_TODAY).first()).toBeVisible();
  await cold.goto(`${ORIGINS.portal}/orders?order=${reference}`);
  await expect(cold.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  await expect(cold.getByText(SAVED_TODAY).first()).toBeVisible();
  await cold.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(cold.getByText(balance).first()).toBeVisible();
  await cold.goto(`${ORIGINS.portal}/trip_cards/${cardId}/balance`);
  await expect(cold.getByText(balance).first()).toBeVisible();
  await expect(cold.getByText('No transactions yet')).toBeVisible();
  await expect(cold.getByText(SAVED_TODAY).first()).toBeVisible();
  await cold.goto(`${ORIGINS.portal}/trip_cards/${cardId}/top_ups`);
  await expect(cold.getByRole('heading', { name: 'Earlier top-ups' })).toBeVisible();
});

test('a browser that was ended and opened again without a network shows orders, tickets, code and balance', async ({
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await withOwnBrowser(visitor.url, complaints, async (browser) => {
    await signInAsDemo(browser.page);
    const { reference, cardId, balance } = await readEverything(browser.page);
    await workerReady(browser.page);
    visitor.api.stop();
    const page = await browser.restart();
    await page.goto(`${ORIGINS.portal}/orders?source=pwa`);
    await expect(page.getByText(reference).first()).toBeVisible();
    await page.goto(`${ORIGINS.portal}/orders?order=${reference}`);
    await expect(page.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
    await expect(page.getByText(SAVED_TODAY).first()).toBeVisible();
    await page.goto(`${ORIGINS.portal}/trip_cards/${cardId}/balance`);
    await expect(page.getByText(balance).first()).toBeVisible();
    await expect(page.getByText('No transactions yet')).toBeVisible();
    // The same after a crash that leaves no time to write.
    const again = await browser.killAndRestart();
    await again.goto(`${ORIGINS.portal}/orders?order=${reference}`);
    await expect(again.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  });
});

test('saved data survives failed requests for newer data', async ({ page, visitor, complaints }) => {
  complaints.expected.push(NO_NETWORK);
  const reference = await signInAndReadOrder(page);
  await workerReady(page);
  visitor.api.on('/api/customers/orders', { status: 500, body: {} });
  await page.goto(`${ORIGINS.portal}/orders`);
  await expect(page.getByText('Your orders could not be updated.', { exact: false })).toBeVisible();
  await expect(page.getByText(reference).first()).toBeVisible();
  visitor.api.stop();
  const cold = await openCold(page);
  await cold.goto(`${ORIGINS.portal}/orders`);
  await expect(cold.getByText(reference).first()).toBeVisible();
});

test('a screen seen before is painted before the app runs, and taken over without a shift', async ({
  page,
}) => {
  const reference = await signInAndReadOrder(page);
  await workerReady(page);
  const again = await openCold(page);
  await again.addInitScript(() => {
    const seen = window as { shifted?: number };
    seen.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        seen.shifted = (seen.shifted ?? 0) + entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await openPainted(again);
  await expect(again.getByText(reference).first()).toBeVisible();
  expect(await again.evaluate(() => (window as { shifted?: number }).shifted)).toBeLessThan(0.02);
});

test('tickets asked for on the painted screen are shown, although the app is not loaded yet', async ({
  page,
}) => {
  await signInAndReadOrder(page);
  await workerReady(page);
  const again = await openCold(page);
  await openPainted(again);
  await pressWhenPainted(again, 'a[href*="show="]');
  await again.goto(`${ORIGINS.portal}/orders`);
  await expect(again.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  expect(await wasAppLoaded(again)).toBe('false');
});

test('a tab pressed on the painted screen leads to its screen, and back', async ({ page }) => {
  await signInAndReadOrder(page);
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await workerReady(page);
  const again = await openCold(page);
  await openPainted(again);
  await pressWhenPainted(again, 'nav a[href="/trip_cards"]');
  await again.goto(`${ORIGINS.portal}/orders`);
  await expect(again.getByRole('heading', { level: 1, name: 'Trip Cards' })).toBeVisible();
  await expect(again).toHaveURL(`${ORIGINS.portal}/trip_cards`);
  expect(await wasAppLoaded(again)).toBe('false');
  await again.goBack();
  await expect(again.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
});

const PRESSED = 'pressed-while-app-loaded';

/** Clicks a link once, in the frame in which it is painted. */
function pressWhenPainted(page: Page, selector: string) {
  return page.addInitScript(
    ([key, link]) => {
      if (sessionStorage.getItem(key) !== null) return;
      new MutationObserver((_, observer) => {
        const painted = document.querySelector<HTMLElement>(`#root ${link}`);
        if (painted === null) return;
        observer.disconnect();
        sessionStorage.setItem(key, String(document.querySelector('script[crossorigin]') !== null));
        painted.click();
      }).observe(document, { childList: true, subtree: true });
    },
    [PRESSED, selector] as const,
  );
}

function wasAppLoaded(page: Page): Promise<string | null> {
  return page.evaluate((key) => sessionStorage.getItem(key), PRESSED);
}

test('a storage that never responds delays the app briefly and loses no data', async ({ page }) => {
  await signInAsDemo(page);
  await page.addInitScript(() => {
    indexedDB.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await page.goto(`${ORIGINS.portal}/orders`);
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  await expect(page.locator('[data-order]').first()).toBeVisible();
});

test('without any storage the app works, but saves nothing', async ({ page }) => {
  await signInAsDemo(page);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get: () => {
        throw new DOMException('Denied', 'SecurityError');
      },
    });
  });
  await page.goto(`${ORIGINS.portal}/orders`);
  await expect(page.locator('[data-order]').first()).toBeVisible();
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(page.getByRole('heading', { level: 1, name: 'Trip Cards' })).toBeVisible();
});

test('on a full device nothing is saved, and the app works with a connection', async ({ page }) => {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await workerReady(page);
  await signInAsDemo(page);
  const browser = await page.context().newCDPSession(page);
  const { origin } = new URL(ORIGINS.portal);
  await browser.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...given) {
      const begun = transaction.apply(this, given);
      begun.addEventListener('abort', () => refused.push(`${this.name}: ${begun.error?.name}`));
      return begun;
    };
  });
  const refused = () => page.evaluate(() => Reflect.get(window, 'refused') as string[]);
  for (const [path, shown] of [
    ['/orders', page.locator('[data-order]').first()],
    ['/trip_cards', page.getByRole('button', { name: 'Get a new card' })],
  ] as const) {
    await page.goto(ORIGINS.portal + path);
    for (const database of ['account-data', 'first-paint'])
      await expect.poll(refused, { message: path }).toContain(`${database}: QuotaExceededError`);
    await expect(shown).toBeVisible();
    expect(await countRecords(page, 'account-data')).toBe(0);
  }
  // The page still responds when its storage does not.
  await page.goto(`${ORIGINS.portal}/orders`);
  await openListedOrder(page.locator('[data-order]').first());
  await expect(page.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  await browser.send('Storage.overrideQuotaForOrigin', { origin });
  await page.goto(`${ORIGINS.portal}/orders`);
  await expectRecords(page, 'account-data');
});

test('of two tabs’ balances the newer one is read from a cold start, though the older one is saved later', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  // A tab that receives another tab's data saves it again.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'));
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await workerReady(page);
  await signInQuietly(page, await openAccount('Tabitha'));
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await page.getByRole('button', { name: 'Get a new card' }).click();
  await page.getByLabel('Name').fill('Card of Tabitha');
  const read = page.waitForResponse(
    (answer) => TRIP_CARDS.test(`GET ${answer.url()}`) && answer.request().method() === 'GET',
  );
  await page.getByRole('button', { name: 'Get the card' }).click();
  const cards = await (await read).text();
  await expectSettled(page);
  const answerBalance = (amount: number) =>
    visitor.api.on(TRIP_CARDS, (_, outgoing) => {
      const body = cards.replaceAll(/"balance":\d+/g, `"balance":${amount}`);
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  const saving = await holdSaving(page, { of: 'the next' });
  answerBalance(1111);
  await page.reload();
  await expect(page.getByText('$11.11').first()).toBeVisible();
  await saving.expectBegun();

  const other = await page.context().newPage();
  answerBalance(2222);
  await other.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(other.getByText('$22.22').first()).toBeVisible();
  await expectSettled(other);
  visitor.api.stop();
  await other.reload();
  await expect(other.getByText('$22.22').first()).toBeVisible();
  await other.close();

  await saving.release();
  await expectRecords(page, 'account-data');
  // Ended so that it has no time to save anything else.
  const cold = await killAndReopen(page);
  await cold.goto(`${ORIGINS.portal}/trip_cards`);
  // Rendered by the app, not by the snapshot of the screen.
  await expect(cold.getByText('Connection Lost')).toBeVisible();
  await expect(cold.getByText('$22.22').first()).toBeVisible();
  await expect(cold.getByText('$11.11')).toBeHidden();
});

test('a broken record is dropped alone', async ({ page, visitor, complaints }) => {
  complaints.expected.push(NO_NETWORK);
  const reference = await signInAndReadOrder(page);
  await workerReady(page);
  await expectRecords(page, 'account-data', 2);
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('account-data');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('records', 'readwrite');
          const records = transaction.objectStore('records');
          records.put({ schema: 1, nonsense: true }, 'broken');
          records.put('nonsense', 'worse');
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
          transaction.onerror = () => reject(transaction.error);
        };
      }),
  );
  const before = await countRecords(page, 'account-data');
  visitor.api.stop();
  const cold = await openCold(page);
  await cold.goto(`${ORIGINS.portal}/orders`);
  await expect(cold.getByText(reference).first()).toBeVisible();
  await expect.poll(() => countRecords(cold, 'account-data')).toBe(before - 2);
});

test.describe('no private text can be read in any storage of the browser', () => {
  /** As whole words: a longer name or number may contain them by chance. */
  const lastFour = (card: string) => new RegExp(`(?<![0-9A-Za-z])${card.slice(-4)}(?![0-9A-Za-z])`);

  function expectSecret(storage: string, secrets: readonly (string | RegExp)[]): void {
    for (const secret of secrets) {
      if (typeof secret === 'string') expect(secret.length).toBeGreaterThan(6);
      const isThere = typeof secret === 'string' ? storage.includes(secret) : secret.test(storage);
      expect(isThere, `${secret} is in no storage`).toBe(false);
    }
  }

  test('of orders, tickets, cards and the account of a customer', async ({ page }) => {
    await signInAsDemo(page);
    const { reference, cardId } = await readEverything(page);
    await page.goto(`${ORIGINS.portal}/account`);
    await expect(page.getByText('demo@harborline.example').first()).toBeVisible();
    await page.goto(`${ORIGINS.portal}/orders`);
    await expectRecords(page, 'first-paint');
    // The return with a car, whose tickets name its plate.
    const drive = page.locator('[data-order]').filter({ hasText: 'Return' }).first();
    const driveReference = (await drive.getAttribute('data-order')) ?? '';
    await openListedOrder(drive);
    await expect(page.getByText(PLATE).first()).toBeAttached();
    await expect(page.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
    await expectSettled(page);
    const cookies = await page.context().cookies();
    const token = cookies.find(({ name }) => name === 'my-session')?.value ?? '';
    const storage = await dumpStorage(page);
    expect(storage).toContain('account-data/records');
    const people = ['demo@harborline.example', 'Castellanos'];
    expectSecret(storage, [reference, driveReference, PLATE, cardId, token, ...people]);
  });

  test('of a payment card that is saved, shown and paid with', async ({ page, purchase }) => {
    await page.goto(`${ORIGINS.portal}/sign_in`);
    const person = await openAccount('Perpetua');
    await signInQuietly(page, person);
    const wallet = new WalletPage(page);
    await wallet.open();
    await workerReady(page);
    // Checks first that no other saved data contains these digits.
    expectSecret(await dumpStorage(page), [lastFour(CARDS.paysByDebit)]);
    await wallet.startAdding();
    await wallet.send(CARDS.paysByDebit);
    await expect(wallet.cards).toHaveText([/Visa ••••\s5556/]);
    await page.goto(`${ORIGINS.portal}/orders`);
    await expectSettled(page);
    await wallet.open();
    await expect(wallet.cards).toHaveCount(1);
    const secrets = [lastFour(CARDS.paysByDebit), person.email, 'Perpetua'];
    expectSecret(await dumpStorage(page), secrets);
    await purchase.goToOwnPayment(6);
    await expect(page.getByRole('radio', { name: 'Visa ending in 5556' })).toBeChecked();
    expectSecret(await dumpStorage(page), secrets);
    await purchase.payButton.click();
    await purchase.expectTickets();
    await workerReady(page);
    expectSecret(await dumpStorage(page), [...secrets, await purchase.reference(), purchase.orderId()]);
  });

  test('of a visitor who buys tickets for a car', async ({ page, purchase }) => {
    const email = newAddress('paloma');
    const secrets = [
      email,
      'Quillfeather',
      'Brackenridge',
      '8XQR 417',
      '8XQR417',
      lastFour(CARDS.paysByPrepaid),
    ];
    await purchase.open();
    await page.getByLabel('Vehicle').selectOption({ label: 'Car, SUV or pickup' });
    await page.getByText('Under 18 ft', { exact: true }).click();
    await purchase.showSailings();
    await purchase.chooseSailing();
    await purchase.keepPlaces();
    await purchase.fillContact({ name: 'Paloma Quillfeather', email, plate: '8XQR 417' });
    await page.getByText('Buying for someone else?').click();
    await page.getByLabel('Traveler’s name').fill('Basil Brackenridge');
    expectSecret(await dumpStorage(page), secrets);
    await purchase.continueToPayment();
    expectSecret(await dumpStorage(page), secrets);
    await purchase.payWith(CARDS.paysByPrepaid);
    await purchase.expectTickets();
    await expect(page.getByText('8XQR 417').first()).toBeAttached();
    await expect(page.getByText('Basil Brackenridge').first()).toBeAttached();
    await expectRecords(page, 'device-data', 2);
    await expectSettled(page, { database: 'device-data' });
    const storage = await dumpStorage(page);
    expect(storage).toContain('device-data/records');
    expectSecret(storage, [...secrets, await purchase.reference(), purchase.orderId()]);
  });
});

test('a browser that deletes all storage under an open tab signs no customer out, and saves again', async ({
  page,
}) => {
  await signInAndReadOrder(page);
  // The app opens its own database again at any time, so another one shows when all are deleted.
  await page.evaluate(() => void indexedDB.open('deleted-with-the-rest'));
  await expect.poll(() => databaseNames(page)).toContain('deleted-with-the-rest');
  const browser = await page.context().newCDPSession(page);
  await browser.send('Storage.clearDataForOrigin', {
    origin: ORIGINS.portal,
    storageTypes: 'indexeddb,local_storage,cache_storage,service_workers',
  });
  // The browser answers before it has deleted everything.
  await expect.poll(() => databaseNames(page)).not.toContain('deleted-with-the-rest');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expectRecords(page, 'account-data', 2);
  await page.goto(`${ORIGINS.portal}/orders`);
  await expect(page.locator('[data-order]').first()).toBeVisible();
  await expectRecords(page, 'account-data', 2);
});

test('the sailings of a viewed day can be read without a network', async ({
  page,
  purchase,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await purchase.open();
  await workerReady(page);
  await purchase.showSailings();
  const sailings = page.getByRole('list', { name: /^Sailings on/ });
  const first = (await sailings.getByRole('listitem').first().locator('time').first().textContent()) ?? '';
  expect(first).toMatch(/\d/);
  await expectRecords(page, 'device-data', 2);
  await expectSettled(page, { database: 'device-data' });
  visitor.api.stop();
  await page.reload();
  await expect(sailings.getByText(first).first()).toBeVisible();
  await expect(page.getByText(SAVED_TODAY).first()).toBeVisible();
});

test('a visitor’s tickets stay in their browser, also without a network, until they are deleted', async ({
  page,
  purchase,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await purchase.goToPayment({ name: 'Guest Traveller', email: newAddress('guest') });
  await purchase.payWith('4242424242424242');
  await purchase.expectTickets();
  const reference = await purchase.reference();
  const address = page.url();
  await workerReady(page);
  await expectRecords(page, 'device-data', 2);
  await expectSettled(page, { database: 'device-data' });
  visitor.api.stop();
  const cold = await openCold(page);
  await cold.goto(address);
  await expect(cold.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  await expect(cold.getByText(SAVED_TODAY).first()).toBeVisible();
  visitor.api.up();
  await cold.goto(ORIGINS.tickets);
  await expect(cold.getByRole('heading', { name: 'Your tickets on this device' })).toBeVisible();
  await cold.getByRole('link', { name: reference }).click();
  await expect(cold).toHaveURL(address);
  // It comes last, above the buttons, which would move while they are pressed.
  await expect(cold.getByText(/if the boat is late, canceled or moved/)).toBeVisible();
  await cold.getByRole('button', { name: 'Remove from this device' }).click();
  await cold.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(
    cold.getByText('Your tickets are no longer kept on this device.', { exact: false }),
  ).toBeVisible();
  expect(await countRecords(cold, 'device-data')).toBe(0);
  await cold.goto(ORIGINS.tickets);
  await expect(cold.getByLabel('From', { exact: true })).toHaveValue(/./);
  await expect(cold.getByRole('heading', { name: 'Your tickets on this device' })).toBeHidden();
});

/** A request that meets the deletion of the databases is never answered, so it is asked again after half a second. */
function databaseNames(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const unanswered = new Promise<string[]>((resolve) => {
      setTimeout(() => resolve(['deleted-with-the-rest']), 500);
    });
    const names = indexedDB.databases().then((databases) => databases.map(({ name }) => name ?? ''));
    return Promise.race([names, unanswered]);
  });
}

/** Opens My Orders until it is painted from its snapshot, which is taken when the screen is idle. */
async function openPainted(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto(`${ORIGINS.portal}/orders`);
    await expect(page.getByText(/^Updated /)).toBeVisible();
    const paints = await page.evaluate(
      () => performance.getEntriesByName('first-paint-of-saved-data').length,
    );
    expect(paints).toBe(1);
  }).toPass({ intervals: [2000] });
}
