import { expect, type Locator, type Page } from '@playwright/test';
import { openPortal } from './pages/connection-layer.ts';
import { ORIGINS } from './support/addresses.ts';
import { test } from './support/fixtures.ts';
import { openAccount, signInQuietly } from './support/people.ts';
import { readCodes } from './support/read-code.ts';
import { readOrder } from './support/saved.ts';

const SCHEMES = ['light', 'dark'] as const;

/** The browser darkens every page, as some phones do at night, whether or not the page has dark colors. */
async function forceDark(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setAutoDarkModeOverride', { enabled: true });
}

/** The code is read from the screen in both themes of the page. */
async function expectReadable(page: Page, code: Locator): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await code.evaluate((element) => element.scrollIntoView({ block: 'start', inline: 'center' }));
    const message = `${await code.getAttribute('aria-label')} is read in forced dark over ${colorScheme}`;
    await expect.poll(async () => (await readCodes(page)).length, { message }).toBe(1);
  }
}

test('forced dark mode darkens the pages that show codes', async ({ page }) => {
  await page.goto(ORIGINS.tickets);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.getByRole('button', { name: 'Show sailings' })).toBeEnabled();
  const before = await page.screenshot();
  await forceDark(page);
  await expect.poll(async () => (await page.screenshot()).equals(before)).toBe(false);
});

test('tickets, the full screen and trip cards show codes that are read in forced dark mode', async ({
  page,
}) => {
  await openPortal(page, '/trip_cards');
  await forceDark(page);
  await page
    .getByRole('link', { name: /^Show code of/ })
    .first()
    .click();
  const card = page.getByRole('img', { name: /^Code of/ });
  await expectReadable(page, card);
  await page.keyboard.press('Escape');

  await readOrder(page);
  const ticket = page.getByRole('img', { name: /^Ticket code/ }).first();
  await expectReadable(page, ticket);
  await ticket.click();
  const view = page.getByRole('dialog', { name: 'Your tickets' });
  await expectReadable(page, view.getByRole('img', { name: /code/i }).first());
});

test('an authenticator app reads the setup code in forced dark mode', async ({ page }) => {
  const person = await openAccount('Noor');
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, person);
  await page.goto(`${ORIGINS.portal}/security`);
  await forceDark(page);
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  await expectReadable(page, page.getByRole('img', { name: /scan/ }));
});
