import { expect, type Page } from '@playwright/test';
import { followDesk } from '#contract/desk/live/endpoints.ts';
import type { Order } from '#contract/orders/schemas.ts';
import { chooseBoat, clockOf, expectAnswer, openGate, scan } from './pages/gate.ts';
import { type DeskOffice, openDeskOffice, signInAs } from './support/desk-office.ts';
import { testOfOwnServer as test } from './support/fixtures.ts';

let office: DeskOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openDeskOffice();
});
test.afterAll(() => office.stop());
test.beforeEach(({ complaints }) => {
  test.setTimeout(300_000);
  // Before signing in.
  complaints.expected.push(/401/);
});

/** The boats of the day of an order, on a document that is not loaded again. @returns the row of its boat */
async function openBoard(page: Page, { legs: [leg] }: Order) {
  const day = leg?.departs_local.slice(0, 10);
  await page.goto(`${office.origin}/boats?port=MAD&day=${day}`);
  const row = page.getByRole('row').filter({ has: page.locator(`a[href="/boats/${leg?.sailing_id}"]`) });
  await expect(row).toBeVisible();
  await page.evaluate(() => Reflect.set(window, 'sameDocument', true));
  return row;
}

const expectSameDocument = async (page: Page) =>
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);

/** Sells one adult a ticket for cash. */
async function sell(page: Page, boat: string): Promise<void> {
  await page.goto(`${office.origin}/boats/${boat}`);
  await page.getByRole('button', { name: 'Sell tickets' }).click();
  await page.getByRole('button', { name: 'Show the price' }).click();
  await page.getByRole('button', { name: /taken: sell$/ }).click();
  await page.getByRole('dialog', { name: 'Sold: Adult' }).getByRole('button', { name: 'Done' }).click();
}

test('a sale, a scan and a delay appear on another window’s board by events alone', async ({
  page,
  openBrowser,
}) => {
  const [boat] = office.boats;
  const order = await office.buy(boat, 2);
  // The board would also ask by itself, every 15 seconds.
  await page.addInitScript(() => {
    const start = window.setInterval;
    Object.assign(window, {
      setInterval: (handler: TimerHandler, delay?: number) =>
        (delay ?? 0) < 15_000 ? start(handler, delay) : 0,
    });
  });
  await signInAs(page, office, 'desk', 'Ida Lewis');
  const following = page.waitForResponse((response) => response.url().includes(followDesk.path));
  const row = await openBoard(page, order);
  expect((await following).status()).toBe(200);
  await expect(row).toContainText('2 of 450');

  const worker = await openBrowser();
  await openGate(worker, office, { role: 'manager' });
  await test.step('a sale', async () => {
    await sell(worker, boat);
    await expect(row).toContainText('3 of 450');
  });
  await test.step('a scan', async () => {
    await worker.goto(`${office.origin}/gate`);
    await chooseBoat(worker, clockOf(order.legs[0]?.departs_local ?? ''));
    await scan(worker, order.party_codes?.[0]?.barcode.payload ?? '');
    await expectAnswer(worker, 'Let aboard', 'All 2 aboard');
    await expect(row).toContainText('2 of 3');
  });
  await test.step('a delay', async () => {
    await worker.goto(`${office.origin}/boats/${boat}`);
    await worker.getByRole('button', { name: 'Report a delay' }).click();
    await worker.getByRole('button', { name: 'See whom it affects' }).click();
    await worker.getByRole('dialog').getByRole('button', { name: 'Tell passengers' }).click();
    await expect(row).toContainText('15 min late');
  });
  await expectSameDocument(page);
});

test('a sale appears on the board within fifteen seconds where events are held back', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(/ERR_FAILED/);
  const [, boat] = office.boats;
  const order = await office.buy(boat, 2);
  await page.clock.install();
  await page.route(
    ({ pathname }) => pathname === followDesk.path,
    (route) => route.abort(),
  );
  await signInAs(page, office, 'desk', 'Grace Darling');
  const row = await openBoard(page, order);
  await expect(row).toContainText('2 of 450');
  await page.clock.pauseAt(new Date(await page.evaluate(() => Date.now() + 1000)));

  const seller = await openBrowser();
  await signInAs(seller, office, 'desk', 'Ida Lewis');
  await sell(seller, boat);
  await expect(row).toContainText('2 of 450');
  await page.clock.runFor(15_000);
  await page.clock.resume();
  await expect(row).toContainText('3 of 450');
  await expectSameDocument(page);
});
