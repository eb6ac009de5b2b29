import { expect, type Page } from '@playwright/test';
import { CARDS, type PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';
import { openAccount, signInQuietly } from './support/people.ts';

/** The browser itself reports the provider's 402 answers. */
const DECLINED = /status of 402/;

test('a trip card pays a part beside a payment card, which may be declined, and then all of another order', async ({
  page,
  purchase,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(DECLINED);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, await openAccount('Payer'));
  await getCard(page);
  await topUp(page, purchase, '5.00');

  await purchase.goToOwnPayment();
  const part = page.getByRole('radio', { name: /^Ferry money, ending \d{4}/ });
  await part.check();
  await expect(page.getByText(/^From Ferry money, ending \d{4}$/)).toBeVisible();
  await expect(page.getByText('$5.00', { exact: true })).toBeVisible();
  await expect(purchase.cardForm.getByLabel('Card number')).toBeVisible();
  await expectAccessible(page);
  await expectBalance(page, /\$5\.00 of it is set aside for a payment under way\. \$0\.00 can be spent\./);

  await purchase.payWith(CARDS.declined);
  await expect(page.getByRole('alert').filter({ hasText: 'Not paid yet' })).toContainText('declined');
  await expectBalance(page, /^Balance: \$5\.00 as of/);
  await page.reload();
  await expect(part).toBeChecked();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await page.getByRole('heading', { name: 'Price' }).click();
  await expect(page.getByText(/^Paid by trip card ending in \d{4}$/)).toBeVisible();
  await expect(page.getByText('Paid by Visa ending in 4242')).toBeVisible();
  await expectAccessible(page);
  await expectBalance(page, /^Balance: \$0\.00 as of/);

  await topUp(page, purchase, '50.00');
  await purchase.goToOwnPayment(1);
  await part.check();
  await expect(purchase.cardForm.getByLabel('Card number')).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Pay \$.* by trip card$/ }).click();
  await purchase.expectTickets();
  await page.getByRole('heading', { name: 'Price' }).click();
  await expect(page.getByText(/^Paid by trip card ending in \d{4}$/)).toBeVisible();
  await expect(page.getByText(/^Paid by Visa/)).toBeHidden();
});

async function getCard(page: Page): Promise<void> {
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await page.getByRole('button', { name: 'Get a new card' }).click();
  await page.getByLabel('Name').fill('Ferry money');
  await page.getByRole('button', { name: 'Get the card' }).click();
  await expect(page.getByRole('article', { name: 'Ferry money' })).toBeVisible();
}

async function topUp(page: Page, purchase: PurchasePage, amount: string): Promise<void> {
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await page.getByRole('link', { name: 'Top up Ferry money' }).click();
  await page.getByText('Other', { exact: true }).click();
  await page.getByLabel('Amount (USD)').fill(amount);
  await page.getByRole('button', { name: 'Enter card details' }).click();
  await purchase.fillCard(CARDS.pays);
  await page.getByRole('button', { name: `Pay $${amount}` }).click();
  await expect(page.getByRole('status').filter({ hasText: `$${amount} is on Ferry money` })).toBeVisible();
}

/** The card's texts on the portal, in another tab. */
async function expectBalance(page: Page, text: RegExp): Promise<void> {
  const portal = await page.context().newPage();
  await portal.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(portal.getByRole('article', { name: 'Ferry money' }).getByText(text)).toBeVisible();
  await portal.close();
}
