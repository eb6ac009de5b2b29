import { expect, type Page } from '@playwright/test';
import { card, SignInPage } from './pages/portal-pages.ts';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { DEMO_CUSTOMER, newAddress, test } from './support/fixtures.ts';
import { mailAbout, openAccount, signInQuietly } from './support/people.ts';
import { chooseLanguage, expectTranslated, readOwnTexts, stringsIn } from './support/untranslated.ts';

const { tickets, portal, staff } = ORIGINS;

test('every page for visitors is in their language, without a word of another', async ({ page }) => {
  const own = await readOwnTexts();
  await chooseLanguage(page, 'en-XA');
  const addresses = [
    ...['/', '/departures', '/departures/MAD', '/routes'].map((path) => tickets + path),
    ...['/sign_in', '/sign_up', '/password/reset'].map((path) => portal + path),
    `${staff}/`,
  ];
  for (const address of addresses) {
    await page.goto(address);
    await expectTranslated(page, own);
  }
});

test('every step of a purchase and the tickets are in the visitor’s language', async ({ page, purchase }) => {
  test.slow();
  const email = newAddress('xandra');
  // A line may break before each part of an address.
  const own = [...(await readOwnTexts()), 'Xandra Longer', email, ...email.split(/(?=[@.])/)];
  // A quote keeps the language in which it was asked for.
  page.on('response', async (response) => {
    if (response.url().endsWith('/api/quotes')) own.push(...stringsIn(await response.json()));
  });
  await purchase.open();
  await purchase.showSailings();
  await expectTranslatedHere(page, own);
  await purchase.chooseSailing(1);
  await purchase.keepPlaces();
  await expectTranslatedHere(page, own);
  await purchase.fillContact({ name: 'Xandra Longer', email });
  await purchase.continueToPayment();
  await expectTranslatedHere(page, own);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await expectTranslatedHere(page, own);
});

test('every page of the account is in the customer’s language', async ({ page }) => {
  test.slow();
  const own = [...(await readOwnTexts()), ...DEMO_CUSTOMER.email.split(/(?=[@.])/)];
  await page.goto(`${portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  await chooseLanguage(page, 'en-XA');
  for (const path of ['/orders', '/trip_cards', '/account', '/security', '/payment_methods', '/passes']) {
    await page.goto(portal + path);
    await expectTranslated(page, own);
  }
});

test('an account’s language follows its owner to other devices and into mails', async ({
  page,
  openBrowser,
}) => {
  const person = await openAccount('Liesel');
  await page.goto(`${portal}/sign_in`);
  await signInQuietly(page, person);
  await page.goto(`${portal}/account`);
  await card(page, 'Your details').getByRole('combobox').selectOption('Deutsch');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mein Konto');

  const other = await openBrowser({ locale: 'en-US' });
  const screen = new SignInPage(other);
  await screen.open();
  await screen.signInWith(person);
  await expect(other).toHaveURL(`${portal}/orders`);
  await expect(other.locator('html')).toHaveAttribute('lang', 'de');
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Meine Buchungen');
  await mailAbout(person.email, /^Ein neues Gerät ist angemeldet/);

  // The choice in the header is the account's too.
  const saved = other.waitForRequest((request) => request.method() === 'PATCH');
  await other.getByRole('combobox').first().selectOption('Français');
  await expect(other.locator('html')).toHaveAttribute('lang', 'fr');
  expect((await saved).postDataJSON()).toEqual({ language: 'fr' });
});

test('a page from right to left has its layout mirrored and scrolls only up and down', async ({ page }) => {
  await chooseLanguage(page, 'ar-XB');
  await page.goto(tickets);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  const [brand, signIn] = [
    page.getByRole('banner').getByRole('link').nth(1),
    page.getByRole('banner').getByRole('link').last(),
  ];
  const [right, left] = [await brand.boundingBox(), await signIn.boundingBox()];
  expect(right?.x ?? 0).toBeGreaterThan(left?.x ?? 0);
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  ).toBeLessThanOrEqual(0);
});

/** Reloads the page in the pseudo-language, and then in English again. */
async function expectTranslatedHere(page: Page, own: readonly string[]): Promise<void> {
  await chooseLanguage(page, 'en-XA');
  await page.reload();
  await expectTranslated(page, own);
  await chooseLanguage(page, 'en');
  await page.reload();
}
