import { expect, type Page } from '@playwright/test';
import { CARDS, type PurchasePage } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { expectAccessibleInBothSchemes, newAddress, test } from './support/fixtures.ts';
import { codeIn, mailAbout } from './support/people.ts';

/** Buys tickets for one adult on a later sailing of tomorrow. */
async function buy(purchase: PurchasePage, email: string): Promise<void> {
  await purchase.open();
  await purchase.showSailings();
  await purchase.chooseSailing(1);
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Ana Ferry', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
}

/** Adds an adult and chooses the first sailing, up to the payment of the difference. */
async function changeToPayment(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Change order' }).click();
  await expect(page.getByRole('heading', { name: 'Change your order' })).toBeVisible();
  await page.getByRole('radio', { name: 'Your trip' }).check({ force: true });
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await expectAccessibleInBothSchemes(page);
  await page
    .getByRole('list', { name: /^Sailings on/ })
    .getByRole('button')
    .first()
    .click();
  await expect(page.getByText('Already paid for your earlier tickets')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await page.getByRole('button', { name: 'Email me a code' }).click();
  await page.getByLabel('Code from the email').fill(codeIn(await mailAbout(email, /code/i)));
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByText('Your tickets stay valid until this is paid.')).toBeVisible();
}

const ticketsOn = (page: Page) => page.getByRole('heading', { name: 'Your tickets' });

test('a guest adds a person on another sailing and pays the difference by 3-D Secure', async ({
  purchase,
  page,
}) => {
  test.slow();
  const email = newAddress('change');
  await buy(purchase, email);
  await changeToPayment(page, email);
  await expectAccessibleInBothSchemes(page);
  await purchase.payWith(CARDS.asksForAuthentication);
  await purchase.answerBank('Complete authentication');
  await expect(ticketsOn(page)).toBeVisible();
  await expect(page.getByText('This order was changed.')).toBeVisible();
  await mailAbout(email, /Your order is changed/);
});

test('a change that is interrupted and given up leaves the order as it was', async ({ purchase, page }) => {
  test.slow();
  const email = newAddress('change');
  await buy(purchase, email);
  await changeToPayment(page, email);
  await purchase.payWith(CARDS.asksForAuthentication);
  await expect(purchase.bankPage.getByRole('button', { name: 'Complete authentication' })).toBeVisible();
  await page.reload();
  await expect(purchase.cardForm.getByLabel('Card number')).toBeVisible();
  await page.getByRole('button', { name: 'Keep my order as it is' }).click();
  await expect(page.getByRole('radio', { name: 'Your trip' })).toBeVisible();
  await page.goto(page.url().replace(/change$/, 'confirmation'));
  await expect(ticketsOn(page)).toBeVisible();
  await expect(page.getByText('This order was changed.')).toBeHidden();
});
