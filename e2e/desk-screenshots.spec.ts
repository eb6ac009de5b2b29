import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { testOfOwnServer as test } from './support/fixtures.ts';
import { type GateOffice, openGateOffice } from './support/gate-office.ts';
import { acceptQuietly } from './support/staff-people.ts';

// The pictures of docs/desk.md, created by `npm run screenshots`; not part of the tests.
const folder = fileURLToPath(new URL('./screenshots', import.meta.url));
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 860 };

test.describe('@screenshots', () => {
  let office: GateOffice;
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    office = await openGateOffice();
  });
  test.afterAll(() => office.stop());

  test('of the duty desk and the office', async ({ page }) => {
    test.setTimeout(120_000);
    const [boat] = office.boats;
    const party = await office.buy(boat, 3);
    await office.buy(boat, 2, { vehicle: { type: 'car', length_cm: 450, plate: 'ABC 123' } });
    const day = party.legs[0]?.departs_local.slice(0, 10) ?? '';
    await acceptQuietly(page, await office.invite('manager'));
    await page.setViewportSize(DESKTOP);

    await page.goto(`${office.origin}/boats/${boat}`);
    await page.getByRole('button', { name: 'Report a delay' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').selectOption('weather');
    await dialog.getByRole('button', { name: 'See whom it affects' }).click();
    await dialog.getByRole('button', { name: 'Tell passengers' }).click();
    await expect(page.getByText('Late because of the weather.')).toBeVisible();
    await page.goto(`${office.origin}/boats?port=MAD&day=${day}`);
    await expect(page.getByText('15 min late').first()).toBeVisible();
    await take(page, 'desk-boats');

    await page.goto(`${office.origin}/orders/${party.reference}`);
    await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
    await take(page, 'desk-order');

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${office.origin}/reports`);
    await expect(page.getByRole('table', { name: 'Sales', exact: true })).toBeVisible();
    await take(page, 'desk-report-dark');

    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(PHONE);
    await page.goto(`${office.origin}/boats/${boat}`);
    await expect(page.getByRole('heading', { name: 'Queue' })).toBeVisible();
    await take(page, 'desk-boat-phone');
    await page.getByRole('button', { name: 'Sell tickets' }).click();
    await expect(page.getByRole('spinbutton', { name: 'Adult' })).toBeVisible();
    await take(page, 'desk-sale-phone');
  });
});

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
}
