import { expect } from '@playwright/test';
import { expectSoundLayout } from './pages/layout-problems.ts';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { newAddress, test } from './support/fixtures.ts';
import { signInAsDemo } from './support/saved.ts';

/** Of each page the address and the name of what people come for. */
const PUBLIC_PAGES = [
  ['/departures', null],
  ['/routes', null],
] as const;
const PORTAL_PAGES = [
  ['/orders', 'Order details'],
  ['/trip_cards', null],
] as const;

test('each step of buying a return holds together at every width, with its main action in view', async ({
  page,
  purchase,
}) => {
  test.slow();
  await purchase.open();
  await page.getByText('Return', { exact: true }).click();
  await expectSoundLayout(page, page.getByRole('button', { name: 'Show sailings' }));
  await purchase.showSailings();
  await expectSoundLayout(page, purchase.chooseButtons.first());
  await purchase.chooseSailing(1);
  await page
    .getByRole('region', { name: /^Return/ })
    .getByRole('button', { name: /^Choose the / })
    .last()
    .click();
  await expectSoundLayout(page, page.getByRole('button', { name: 'Continue', exact: true }));
  await purchase.keepPlaces();
  await expectSoundLayout(page, page.getByRole('button', { name: 'Go to payment' }));
  await purchase.fillContact({ name: 'Ana Ferry', email: newAddress('ana') });
  await purchase.continueToPayment();
  await expectSoundLayout(page, purchase.payButton);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await expect(page.getByText('Cancel tickets')).toBeVisible();
  await expectSoundLayout(page, page.getByRole('img', { name: /^Ticket code/ }).first());
});

test('pages for travelers hold together at every width', async ({ page }) => {
  for (const [path] of PUBLIC_PAGES) {
    await page.goto(ORIGINS.tickets + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectSoundLayout(page);
  }
  await page
    .locator('main')
    .getByRole('link', { name: / → | to | – / })
    .first()
    .click();
  await expect(page).toHaveURL(/\/routes\/./);
  await expectSoundLayout(page);
});

test('pages of an account hold together at every width', async ({ page }) => {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInAsDemo(page);
  for (const [path, action] of PORTAL_PAGES) {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectSoundLayout(
      page,
      action === null ? undefined : page.getByRole('link', { name: action }).first(),
    );
  }
  await page.goto(`${ORIGINS.portal}/orders`);
  await page.getByRole('link', { name: 'Order details' }).click();
  await expect(page.getByText('Cancel tickets')).toBeVisible();
  await expectSoundLayout(page, page.getByRole('img', { name: /^Ticket code/ }).first());
});
