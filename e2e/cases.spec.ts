import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import type { Order } from '#contract/orders/schemas.ts';
import { chooseBoat, clockOf, expectAnswer, openGate, scan } from './pages/gate.ts';
import { moveToOfferedBoat, openOrderPage } from './pages/order-page.ts';
import { dayAhead } from './support/day-ahead.ts';
import { type DeskOffice, openDeskOffice, signInAs } from './support/desk-office.ts';
import { expectAccessibleInBothSchemes, newAddress, testOfOwnServer as test } from './support/fixtures.ts';

/*
 * What a duty desk does on some days, from the first click to the books. After all of it the database keeps every promise of
 * the ticket office, and the audit log has what was done.
 */

let office: DeskOffice;
test.use({ serviceWorkers: 'allow', timezoneId: 'America/Los_Angeles' });
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  office = await openDeskOffice({ REFUND_LIMIT: '5' });
});
test.afterAll(() => office.stop());
test.beforeEach(({ complaints }) => {
  test.setTimeout(300_000);
  // Before signing in, and while there is no network.
  complaints.expected.push(/401/, /ERR_INTERNET_DISCONNECTED/);
});

test.afterEach(async () => {
  expect(await office.checkBooks(), 'the database keeps every promise').toEqual([]);
});

const BROKEN_ORDERS = 30;
const AT_ONCE = 5;
const PHONE = '+13605550142';

/** Several orders of the same party, a few at once as in a busy hour. */
async function buyMany(sailing: string, orders: number, adults: number): Promise<Order[]> {
  const bought: Order[] = [];
  while (bought.length < orders) {
    const count = Math.min(AT_ONCE, orders - bought.length);
    bought.push(
      ...(await Promise.all(
        Array.from({ length: count }, () => office.buy(sailing, adults, { phone: PHONE })),
      )),
    );
  }
  return bought;
}

const history = (page: Page) => page.getByRole('list', { name: 'History' });

async function expectLogged(page: Page, action: string, ...texts: string[]): Promise<void> {
  await page.goto(`${office.origin}/audit?action=${action}`);
  const log = page.getByRole('table', { name: 'Audit log' });
  for (const text of texts) await expect(log).toContainText(text);
}

test('a refund above the limit is asked for by the office, confirmed by a manager, and reaches the card', async ({
  page,
  openBrowser,
}) => {
  const [, boat] = office.boats;
  const { id, reference } = await office.buy(boat, 1);
  await signInAs(page, office, 'office');
  await page.goto(`${office.origin}/orders/${reference}`);
  await page.getByRole('button', { name: 'Refund beyond the rules' }).click();
  const form = page.getByRole('dialog', { name: 'Refund beyond the rules' });
  await form.getByRole('radio', { name: 'Everything' }).check();
  await form.getByLabel('Reason').fill('Fell ill at the port');
  await form.getByRole('button', { name: 'See the refund' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for this refund' }).click();
  await expect(page.getByText('A manager, not you, has to confirm it.')).toBeVisible();

  const manager = await openBrowser();
  await signInAs(manager, office, 'manager');
  await manager.getByRole('link', { name: 'To do' }).click();
  await manager.getByRole('link', { name: reference }).click();
  await expect(manager.getByText('Reason: Fell ill at the port', { exact: true })).toBeVisible();
  await manager.getByRole('button', { name: /^Refund \$/ }).click();
  await expect(history(manager)).toContainText(/Refund/);
  const read = async (): Promise<Order> => (await office.send(`/api/orders/${id}`)).json().data;
  await expect.poll(async () => (await read()).refunds.map(({ status }) => status)).toEqual(['succeeded']);
  expect((await read()).refunded).toBe((await read()).paid);
  await expectLogged(manager, 'refund_asked', reference, 'Fell ill at the port');
  await expectLogged(manager, 'order_refunded', reference);
});

test('a boat that breaks with thirty orders: they are seen, written to, and those who have not answered are called', async ({
  page,
  openBrowser,
}) => {
  const [boat] = office.boats;
  const orders = await buyMany(boat, BROKEN_ORDERS, 1);
  await signInAs(page, office, 'office');
  await page.goto(`${office.origin}/boats/${boat}`);
  await page.getByRole('button', { name: 'Cancel the boat' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').selectOption('technical');
  await dialog.getByRole('button', { name: 'See whom it affects' }).click();
  await expect(dialog.getByText(`Passengers of ${BROKEN_ORDERS} orders are written to.`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel the boat' }).click();
  await expect(page.getByText(`Done. Passengers of ${BROKEN_ORDERS} orders are written to.`)).toBeVisible();
  const list = page.getByRole('table', { name: 'Orders on this boat' });
  await expect(list.getByText('Waits for an answer')).toHaveCount(BROKEN_ORDERS);

  const [first, second] = orders;
  if (!first || !second) throw new Error('Nothing was bought.');
  await test.step('one answers online, and another one by telephone', async () => {
    await moveToOfferedBoat(await openOrderPage(openBrowser, office, first.id));
    await page.goto(`${office.origin}/orders/${second.reference}`);
    await page.getByRole('button', { name: 'Cancel tickets' }).click();
    const choice = page.getByRole('dialog', { name: 'Cancel tickets' });
    await choice.getByRole('checkbox').first().check();
    await choice.getByRole('button', { name: 'See the refund' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 ticket' }).click();
    await expect(history(page)).toContainText('Canceled tickets');
  });

  await test.step('the boat shows who answered, and whom to call', async () => {
    await page.goto(`${office.origin}/boats/${boat}`);
    await expect(list.getByText('Waits for an answer')).toHaveCount(BROKEN_ORDERS - 2);
    await expect(list.getByRole('row', { name: first.reference })).toContainText('Moved to another boat');
    await expect(list.getByRole('row', { name: second.reference })).toContainText('Refunded');
    const silent = list.getByRole('row').filter({ hasText: orders[2]?.reference ?? '' });
    await expect(silent.locator(`a[href="tel:${PHONE}"]`)).toBeVisible();
    await page.goto(`${office.origin}/to_do`);
    await expect(page.getByRole('table', { name: 'Passengers who have not answered' })).toContainText(
      orders[2]?.reference ?? '',
    );
  });

  const manager = await openBrowser();
  await signInAs(manager, office, 'manager');
  await expectLogged(manager, 'sailing_canceled', 'Grace Hopper');
  await expectLogged(manager, 'tickets_canceled', second.reference);
});

test('twenty tickets are let aboard at a gate without a network, and reported when it is back', async ({
  page,
  context,
}) => {
  const [, boat] = office.boats;
  const orders = await buyMany(boat, 4, 5);
  const codes = orders.flatMap(({ tickets }) => tickets.map(({ barcode }) => barcode.payload));
  expect(codes).toHaveLength(20);
  await openGate(page, office);
  await chooseBoat(page, clockOf(orders[0]?.legs[0]?.departs_local ?? ''));
  await context.setOffline(true);
  for (const code of codes) {
    await scan(page, code);
    await expectAnswer(page, 'Let aboard');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
  }
  await expect(page.getByText(/not sent yet/)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/not sent yet/)).toBeHidden({ timeout: 60_000 });
  for (const { id } of orders) {
    const { tickets } = (await office.send(`/api/orders/${id}`)).json().data as Order;
    expect(tickets.map(({ status }) => status)).toEqual(tickets.map(() => 'boarded'));
  }
});

test('a school gets passes on 24 plastic cards and one invoice, which it pays later', async ({
  page,
  openBrowser,
}) => {
  const numbers = await office.issueCards(24);
  const email = newAddress('school');
  await signInAs(page, office, 'desk');
  await page.getByRole('link', { name: 'Trip cards', exact: true }).click();
  await page.getByRole('radio', { name: '10-trip pass' }).check();
  await page.getByLabel('One number per line').fill([...numbers, '9000 0000 0000 0002'].join('\n'));
  await page.getByLabel('Company, school or agency').fill('Kelp School');
  await page.getByLabel('Address', { exact: true }).fill('5 Shore Road, Port Madrona');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'See the sale' }).click();

  await test.step('a card that cannot get it is named, and nothing is sold', async () => {
    await expect(page.getByRole('alert').filter({ hasText: '9000 0000 0000 0002' })).toContainText(
      'Check its digits',
    );
    await page.getByRole('button', { name: 'Take them off the list' }).click();
    await page.getByRole('button', { name: 'See the sale' }).click();
  });
  const sale = page.getByRole('dialog', { name: 'Sell 24 trip cards' });
  await expect(sale.getByRole('definition').filter({ hasText: '$1,776.00' })).toBeVisible();
  await expect(sale).toContainText('Due');
  await expectAccessibleInBothSchemes(page);
  await sale.getByRole('button', { name: 'Sell on an invoice' }).click();
  await expect(page.getByRole('cell', { name: '10 trips' })).toHaveCount(24);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await test.step('a pupil who loses the card gets another number with the trips', async () => {
    const lost = page.getByRole('button', { name: /^Lost: / }).first();
    const name = (await lost.getAttribute('aria-label')) ?? '';
    await lost.click();
    const dialog = page.getByRole('dialog', { name });
    await expectAccessibleInBothSchemes(page);
    await dialog.getByRole('button', { name: 'Block and replace it' }).click();
    await expect(page.getByRole('button', { name, exact: true })).toBeHidden();
    await expect(page.getByRole('cell', { name: '10 trips' })).toHaveCount(24);
  });
  const mail = await office.readMail(email, /^Invoice R-/);
  expect(mail).toContain('$1,776.00');

  await test.step('the office notes the transfer, and the general ledger has it', async () => {
    const accounts = await openBrowser();
    await signInAs(accounts, office, 'office');
    await accounts.goto(`${office.origin}/invoices?q=Kelp`);
    await expect(accounts.getByRole('link', { name: 'Trip cards' }).last()).toBeVisible();
    await accounts.getByRole('button', { name: 'Note a transfer' }).click();
    const transfer = accounts.getByRole('dialog', { name: /^Transfer for R-/ });
    await transfer.getByRole('button', { name: 'Note it' }).click();
    await expect(accounts.getByText('The invoice is paid.')).toBeVisible();
    await accounts.getByRole('tab', { name: /^Paid/ }).click();
    await expect(accounts).toHaveURL(/\?state=paid&q=Kelp$/);
    await accounts.goto(`${office.origin}/reports?report=ledger`);
    const ledger = accounts.getByRole('table', { name: 'General ledger', exact: true });
    const booked = ledger.getByRole('row').filter({ hasText: '$1,776.00' });
    await expect(booked.filter({ hasText: 'Value of trip cards and passes' })).toHaveCount(1);
    await expect(booked).toHaveCount(2);
  });

  const manager = await openBrowser();
  await signInAs(manager, office, 'manager');
  await expectLogged(manager, 'cards_sold', 'Grace Hopper', '24');
});

/** The rows of the report that is shown, as they are downloaded. */
async function saveReport(page: Page): Promise<Record<string, string>[]> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  return parse(await readFile(await (await download).path(), 'utf8'), { bom: true, columns: true });
}

const sumOf = (rows: readonly Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);

test('the accountant reads the sales of a month with their tax, and the loads of some days with their vehicles', async ({
  page,
}) => {
  const boat = office.boats.at(-1) ?? '';
  await signInAs(page, office, 'office');
  await page.getByRole('link', { name: 'Reports' }).click();
  const sales = page.getByRole('table', { name: 'Sales', exact: true });
  for (const header of ['Tax rate', 'Net', 'Tax', 'Gross'])
    await expect(sales.getByRole('columnheader', { name: header, exact: true })).toBeVisible();
  const before = await saveReport(page);
  const { total, legs } = await office.buy(boat, 2, {
    vehicle: { type: 'car', length_cm: 450, plate: '5KJH220' },
  });
  await page.reload();
  const sold = await saveReport(page);
  expect(sumOf(sold, 'gross') - sumOf(before, 'gross')).toBe(total);
  for (const row of sold) expect(sumOf([row], 'net') + sumOf([row], 'tax')).toBe(sumOf([row], 'gross'));

  await page.getByLabel('Report', { exact: true }).selectOption('Loads');
  const loads = page.getByRole('table', { name: 'Loads', exact: true });
  await expect(loads.getByRole('columnheader', { name: 'Vehicles', exact: true })).toBeVisible();
  const [leg] = legs;
  const [day = '', time = ''] = leg?.departs_local.slice(0, 16).split('T') ?? [];
  // The boat after midnight belongs to the day before.
  await page.goto(`${office.origin}/reports?report=loads&from=${dayAhead(-1)}&until=${dayAhead(1)}`);
  await expect(loads).toBeVisible();
  const sailed = await saveReport(page);
  expect(sailed.length).toBeGreaterThan(1);
  const serviceDay = time.startsWith('00') ? dayAhead(0) : day;
  expect(
    sailed.filter((row) => row.route === 'MAD-HER' && row.day === serviceDay && row.time === time),
  ).toEqual([
    expect.objectContaining({
      ...{ vessel: leg?.vessel_name, people: '2', vehicles: '1' },
      lane_sold: expect.stringMatching(/^[1-9]/),
    }),
  ]);
});

test('a promo code is used, and the office sees what it brought', async ({ page }) => {
  const [, boat] = office.boats;
  await signInAs(page, office, 'office');
  const row = page
    .getByRole('table', { name: 'What promo codes brought' })
    .getByRole('row', { name: 'HARBOR10' });
  /** Orders, discounts and revenue. */
  const readBrought = async () => {
    await page.goto(`${office.origin}/timetable`);
    await expect(row).toBeVisible();
    const texts = await row.getByRole('cell').allInnerTexts();
    return texts.slice(-3).map((text) => Math.round(Number(text.replaceAll(/[^\d.]/g, '')) * 100));
  };
  const before = await readBrought();
  const { total, discount } = await office.buy(boat, 2, { promoCode: 'HARBOR10' });
  expect(discount).toBeGreaterThan(0);
  const after = await readBrought();
  expect(after.map((figure, index) => figure - (before[index] ?? 0))).toEqual([100, discount, total]);
});
