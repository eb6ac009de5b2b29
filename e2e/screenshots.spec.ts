import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { DEMO_CUSTOMER, newAddress, test } from './support/fixtures.ts';

// The pictures of the README, created by `npm run screenshots`; not part of the tests.
const folder = fileURLToPath(new URL('./screenshots', import.meta.url));
// The screenshots that app stores and browsers show in install dialogs, listed in manifest.webmanifest.
const installFolder = fileURLToPath(new URL('../public/install', import.meta.url));
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 860 };

test.describe('@screenshots', () => {
  test.beforeAll(() => mkdirSync(folder, { recursive: true }));

  test('of buying on a phone', async ({ page, purchase }) => {
    await page.setViewportSize(PHONE);
    await purchase.open();
    await mapDrawn(page);
    await take(page, 'phone-home');
    await purchase.showSailings();
    await take(page, 'phone-sailings');
    await purchase.chooseSailing(2);
    await purchase.keepPlaces();
    await purchase.fillContact({ name: 'Ana Ferry', email: newAddress('ana') });
    await purchase.continueToPayment();
    await purchase.fillCard('4242424242424242');
    await take(page, 'phone-pay');
    await purchase.payButton.click();
    await purchase.expectTickets();
    await take(page, 'phone-tickets');
    await page.emulateMedia({ colorScheme: 'dark' });
    await take(page, 'phone-tickets-dark');
  });

  test('of both hosts on a desk', async ({ page }) => {
    await page.setViewportSize(DESKTOP);
    await new PurchasePage(page).open();
    await mapDrawn(page);
    await take(page, 'desktop-home');
    await openOrders(page);
    await take(page, 'desktop-orders');
  });

  for (const { form, viewport, deviceScaleFactor } of [
    { form: 'narrow', viewport: PHONE, deviceScaleFactor: 2 },
    { form: 'wide', viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
  ]) {
    test(`of both apps for install dialogs, ${form}`, async ({ openBrowser }) => {
      const page = await openBrowser({ baseURL: ORIGINS.tickets, viewport, deviceScaleFactor });
      const purchase = new PurchasePage(page);
      await purchase.open();
      await purchase.showSailings();
      await takeForInstall(page, `tickets-${form}`);
      await openOrders(page);
      await takeForInstall(page, `portal-${form}`);
    });
  }
});

/** It is loaded when the page is idle. */
async function mapDrawn(page: Page): Promise<void> {
  await expect(page.locator('main svg text').first()).toBeVisible();
}

async function openOrders(page: Page): Promise<void> {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await page.getByLabel('Email').fill(DEMO_CUSTOMER.email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_CUSTOMER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  await expect(page.getByText('Loading')).toHaveCount(0);
}

async function takeForInstall(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => window.scrollTo(0, 0));
  const browser = await page.context().newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  writeFileSync(`${installFolder}/${name}.webp`, Buffer.from(data, 'base64'));
}

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' });
}
