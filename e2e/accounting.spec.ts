import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { dayAhead } from './support/day-ahead.ts';
import { expectAccessibleInBothSchemes, newAddress, test } from './support/fixtures.ts';
import { buyQuietly } from './support/people.ts';
import { acceptQuietly, invite } from './support/staff-people.ts';

test('a buyer gets a receipt for a company, and the office finds the sale in the report of the month', async ({
  page,
  purchase,
}) => {
  test.slow();
  await purchase.buyTicket({ name: 'Petronella Quist', email: newAddress('receipt') });

  await page.getByText('Receipt', { exact: true }).click();
  await page.getByLabel('Made out to a company').check();
  await page.getByRole('button', { name: 'Get a receipt' }).click();
  await expect(page.getByRole('link', { name: 'Enter the name.' })).toBeVisible();
  await page.getByLabel('Name of the company').fill('Kelp & Sons');
  await page.getByLabel('Address').fill('5 Shore Road, Port Madrona');
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Get a receipt' }).click();
  const receipts = page.getByRole('list', { name: 'Receipts' });
  await expect(receipts).toContainText(/Receipt R-\d{4}-\d{6}/);
  await expect(receipts).toContainText('$9.25, Kelp & Sons');
  const downloading = page.waitForEvent('download');
  await receipts.getByRole('link', { name: 'PDF' }).click();
  const pdf = await (await downloading).path();
  expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-');

  const { link } = await invite('office', 'Luca Pacioli');
  await acceptQuietly(page, link);
  await page.getByRole('link', { name: 'Reports' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sales' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Sales', exact: true })).toContainText('Adult');
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.getByLabel('Report', { exact: true }).selectOption('Payments and refunds');
  await expect(page.getByRole('table', { name: 'Payments and refunds', exact: true })).toContainText(
    'Payment card',
  );
  const exporting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const csv = await readFile(await (await exporting).path(), 'utf8');
  expect(csv.split('\n')[0]).toBe('source,method,payments,refunds,net,currency');
});

test('the office sees a payout of the card provider with the order that it contains', async ({ page }) => {
  test.slow();
  const reference = await buyQuietly({ name: 'Amedeo Avogadro', email: newAddress('payout') });

  await page.goto(ORIGINS.pay);
  await page.getByRole('button', { name: 'Pay out now', exact: true }).click();
  const payouts = page.getByRole('region', { name: 'Payouts' });
  await expect(async () => {
    await page.reload();
    await expect(payouts.getByRole('row').nth(1)).toContainText('paid', { timeout: 1000 });
  }).toPass();

  const { link } = await invite('office', 'Luca Pacioli');
  await acceptQuietly(page, link);
  await page.goto(`${ORIGINS.staff}/reports?report=card_money`);
  const owed = page.getByRole('table', { name: 'Owed by the card provider', exact: true });
  await expect(owed).toContainText('Not paid out yet');
  // On the last evening of a month it arrives in the next one.
  const days = `from=${dayAhead(-1)}&until=${dayAhead(2)}`;
  await page.goto(`${ORIGINS.staff}/reports?report=payouts&${days}`);
  const report = page.getByRole('table', { name: 'Payouts', exact: true });
  await expect(report).toContainText('Arrived');
  await report.getByRole('link').last().click();
  const items = page.getByRole('table', { name: 'Items' });
  await expect(items.getByRole('link', { name: reference })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const exporting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const csv = await readFile(await (await exporting).path(), 'utf8');
  expect(csv).toContain(`,${reference},9.25,`);
});

test('the office settles a payout with items that are not in the books, by a note', async ({ page }) => {
  test.slow();
  const { link } = await invite('office', 'Luca Pacioli');
  await acceptQuietly(page, link);
  const payout = { kind: 'payout_unmatched', payout_id: 'po_other', arrives_on: '2026-06-02' };
  const notes: unknown[] = [];
  // A payout is listed a day after the provider has told what it consists of.
  const work = await page.evaluate(async () => (await fetch('/api/staff/desk/work')).json());
  await page.route('**/api/staff/desk/work*', async (route) => {
    const payouts = notes.length > 0 ? [] : [{ ...payout, amount: 4700, currency: 'USD', unmatched: 2 }];
    await route.fulfill({ json: { ...work, data: { ...work.data, payouts } } });
  });
  await page.route('**/api/staff/payouts/po_other/settle', async (route) => {
    notes.push(route.request().postDataJSON());
    await route.fulfill({
      json: { success: true, data: { payout_id: 'po_other' }, errors: [], status_code: 200 },
    });
  });

  await page.goto(`${ORIGINS.staff}/to_do`);
  const list = page.getByRole('table', { name: 'Payouts with items that are not in the books' });
  await list.getByRole('button', { name: 'Settled: payout of Tue, June 2, 2026' }).click();
  const dialog = page.getByRole('dialog', {
    name: 'Are the items of the payout of Tue, June 2, 2026 settled?',
  });
  await dialog.getByRole('button', { name: 'It is settled' }).click();
  await expect(dialog.getByRole('link', { name: 'Write what you found out or did.' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await dialog.getByLabel('What was done').fill('Sold at the dashboard, booked by hand.');
  await dialog.getByRole('button', { name: 'It is settled' }).click();
  await expect(page.getByText('Settled.')).toBeVisible();
  await expect(list).toBeHidden();
  expect(notes).toEqual([{ note: 'Sold at the dashboard, booked by hand.' }]);
});
