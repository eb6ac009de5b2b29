import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { api } from '#contract/api.ts';
import { expectPrice, nextMonth, pressAndWait } from './pages/timetable.ts';
import { expectAccessibleInBothSchemes, testOfOwnServer as test } from './support/fixtures.ts';
import { type GateOffice, openGateOffice } from './support/gate-office.ts';
import { acceptQuietly } from './support/staff-people.ts';

let office: GateOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openGateOffice();
});
test.afterAll(() => office.stop());

/** The fare of adults on one line, from a day on and until another one. */
const fareLine = (amount: string, from = '', until = '') =>
  `madrona-heron,,,,,saver,passenger,adult,,${amount},,,,,${from},${until},,`;

async function downloadFares(page: Page): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'fares.csv' }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

async function show(page: Page, text: string): Promise<void> {
  await page.getByLabel('Files').setInputFiles({
    ...{ name: 'fares (1).csv', mimeType: 'text/csv' },
    buffer: Buffer.from(text),
  });
  await pressAndWait(page, 'Show the difference', api.checkTimetable.path);
}

test('the office raises a price from next month on', async ({ page, openBrowser }) => {
  test.setTimeout(600_000);
  const { first, last } = nextMonth();
  await acceptQuietly(page, await office.invite('office'));
  await page.getByRole('link', { name: 'Timetable' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Timetable and prices' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'What promo codes brought' })).toContainText('HARBOR10');
  const fares = await downloadFares(page);
  expect(fares).toContain(`${fareLine('9.25')}\n`);
  const raise = (amount: string) =>
    fares.replace(fareLine('9.25'), `${fareLine('9.25', '', last)}\n${fareLine(amount, first)}`);

  await show(page, raise('10.7S'));
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'fares.csv:3 amount: "10.7S" is not an amount of money',
  );
  await expectAccessibleInBothSchemes(page);

  await show(page, raise('10.75'));
  const prices = page.getByRole('table', { name: 'Prices: 2 changed, 0 new, 0 ended' });
  await expect(prices).toContainText('$10.75 from');
  await expect(prices).toContainText('Port Madrona to Heron Island');
  await expect(page.getByText('Files: fares.csv (changed).')).toBeVisible();
  await expect(page.getByText(/^No sailing changes\./)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await pressAndWait(page, 'Apply all of it', api.applyTimetable.path);
  await expect(page.getByText('Done. No passengers are written to.')).toBeVisible();
  expect(await downloadFares(page)).toBe(raise('10.75'));

  const buyer = await openBrowser();
  await expectPrice(buyer, office, last, '$9.25');
  await expectPrice(buyer, office, first, '$10.75');

  const changes = page.getByRole('table', { name: 'Last changes' });
  await expect(changes.getByRole('row', { name: 'Grace Hopper' })).toContainText('fares.csv (changed)');
  await pressAndWait(page, 'Take back the change of', '/check');
  await expect(prices).toContainText('$10.75 from');
  await expectAccessibleInBothSchemes(page);
  await pressAndWait(page, 'Apply all of it', '/take_back');
  await expect(changes.getByRole('row', { name: 'Grace Hopper' })).toHaveCount(2);
  await expect(changes).toContainText('taken back');
  expect(await downloadFares(page)).toBe(fares);
  await expectPrice(buyer, office, first, '$9.25');
});

test('the office raises a price from next month on in the table, and takes it back', async ({
  page,
  openBrowser,
}) => {
  test.setTimeout(600_000);
  const { first, last } = nextMonth();
  await acceptQuietly(page, await office.invite('office'));
  await page.getByRole('link', { name: 'Timetable' }).click();
  await page.getByRole('link', { name: 'Edit the prices' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Prices' })).toBeVisible();
  await page.getByLabel('Line', { exact: true }).selectOption('madrona-heron');
  await page.getByLabel('Type', { exact: true }).selectOption('adult');
  const row = 'madrona-heron, saver, adult';
  const amounts = page.getByLabel(`Amount: ${row}`, { exact: true });
  await expect(amounts).toHaveValue('9.25');
  await expectAccessibleInBothSchemes(page);

  // The keyboard goes down and up a column.
  await amounts.press('ArrowDown');
  await expect(page.getByLabel('Amount: madrona-heron, flex, adult', { exact: true })).toBeFocused();
  await page.keyboard.press('Shift+Enter');
  await expect(amounts).toBeFocused();

  await amounts.fill('9.2S');
  await pressAndWait(page, 'Show the difference', api.checkTimetable.path);
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'fares.csv:2 amount: "9.2S" is not an amount of money',
  );
  await amounts.fill('9.25');

  await page.getByLabel(`Choose ${row}`, { exact: true }).check();
  await page.getByRole('button', { name: 'New price from a day on' }).click();
  const dialog = page.getByRole('dialog', { name: 'New price of 1 row' });
  await dialog.getByLabel('First day of travel').fill(first);
  await dialog.getByLabel('Percent', { exact: true }).fill('10');
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Change the rows' }).click();
  await expect(amounts).toHaveCount(2);
  await expect(amounts.last()).toHaveValue('10.20');
  await expect(page.getByLabel(`Last day: ${row}`, { exact: true }).first()).toHaveValue(last);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await pressAndWait(page, 'Show the difference', api.checkTimetable.path);
  await expect(page.getByText('What would change', { exact: true })).toBeFocused();
  await expect(page.getByText('What would change', { exact: true })).toBeInViewport();
  await expect(page.getByRole('table', { name: 'Prices: 2 changed, 0 new, 0 ended' })).toContainText(
    '$10.20 from',
  );
  await pressAndWait(page, 'Apply all of it', api.applyTimetable.path);
  await expect(page.getByText('Done. No passengers are written to.')).toBeVisible();

  const buyer = await openBrowser();
  await expectPrice(buyer, office, last, '$9.25');
  await expectPrice(buyer, office, first, '$10.20');

  await page.getByRole('tab', { name: 'Promo codes' }).click();
  await expect(page.getByRole('row', { name: 'HARBOR10' })).toContainText('0 orders');
  await page.getByRole('button', { name: 'Add a row' }).click();
  const added = page.getByRole('dialog', { name: 'Add a row' });
  await added.getByLabel('code', { exact: true }).fill('SUMMER');
  await added.getByLabel('kind', { exact: true }).selectOption('percent');
  await added.getByLabel('value', { exact: true }).fill('5');
  await added.getByRole('button', { name: 'Done' }).click();
  await pressAndWait(page, 'Show the difference', api.checkTimetable.path);
  await expect(page.getByText('Promo codes. New: SUMMER. Changed: none. Ended: none.')).toBeVisible();

  await page.getByRole('link', { name: 'Timetable and prices' }).click();
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Discard' }).click();
  const changes = page.getByRole('table', { name: 'Last changes' });
  const newest = changes.getByRole('row').nth(1);
  // The list from before is shown until the newer one arrives.
  await expect(newest).not.toContainText('taken back');
  await newest.getByRole('button').click();
  await pressAndWait(page, 'Apply all of it', '/take_back');
  await expect(newest).toContainText('taken back');
  await expectPrice(buyer, office, first, '$9.25');
});
