import { expect } from '@playwright/test';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { TapCounter } from './pages/tap-counter.ts';
import { WalletPage } from './pages/wallet-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';
import { openAccount, signInQuietly } from './support/people.ts';

/** The browser itself reports the provider's 402 answers. */
const DECLINED = /status of 402/;

test('cards are added, also by 3-D Secure, chosen and deleted on a phone', async ({ page, complaints }) => {
  complaints.expected.push(DECLINED);
  const person = await openAccount('Wallet');
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, person);
  const wallet = new WalletPage(page);
  await wallet.open();
  await expect(page).toHaveTitle(/^Payment Methods \| /);
  await expect(page.getByText('No saved cards')).toBeVisible();
  await expectAccessible(page);

  await wallet.startAdding();
  await expectAccessible(page);
  await wallet.send(CARDS.declined);
  await expect(page.getByRole('alert').filter({ hasText: 'Not added yet' })).toContainText('declined');
  await wallet.send(CARDS.pays);
  await expect(page.getByText('Visa •••• 4242 is added and is your primary card.').first()).toBeVisible();
  await expect(wallet.cards).toHaveText([/Visa ••••\s4242.*Primary.*Credit card, expires 12\/34/s]);

  await wallet.startAdding();
  await wallet.send(CARDS.asksForAuthentication);
  await wallet.purchase.answerBank('Fail authentication');
  await expect(page.getByRole('alert').filter({ hasText: 'Not added yet' })).toBeVisible();
  await wallet.send(CARDS.asksForAuthentication);
  await wallet.purchase.answerBank('Complete authentication');
  await expect(wallet.cards).toHaveCount(2);
  await expectAccessible(page);

  await wallet.choose('Visa ending in 3220', 'Make primary');
  await expect(wallet.cards.first()).toContainText('3220');
  await expect(wallet.cards.first()).toContainText('Primary');

  await wallet.choose('Visa ending in 3220', 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete Visa •••• 3220?' });
  await expect(dialog).toContainText('Visa •••• 4242 becomes your primary card.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep this card' }).click();
  await expect(wallet.cards).toHaveCount(2);
  await wallet.choose('Visa ending in 3220', 'Delete');
  await page.getByRole('button', { name: 'Delete this card' }).click();
  await expect(wallet.cards).toHaveText([/Visa ••••\s4242.*Primary/s]);
});

test('a page reloaded during the bank’s challenge, and a card with a lost response, show the actual state', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/);
  const person = await openAccount('Reload');
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, person);
  const wallet = new WalletPage(page);
  await wallet.open();
  await wallet.startAdding();
  await wallet.send(CARDS.asksForAuthentication);
  await expect(
    wallet.purchase.bankPage.getByRole('button', { name: 'Complete authentication' }),
  ).toBeVisible();
  await page.reload();
  await expect(page.getByText('The card has not been added. Please enter it again.')).toBeVisible();

  // The card reaches the provider; all requests to the product fail from now on.
  await wallet.purchase.fillCard(CARDS.pays);
  await page.route('**/api/customers/payment_cards', (route) => route.abort('internetdisconnected'));
  await page.getByRole('button', { name: 'Add this card' }).click();
  await expect(page.getByText('We’re still checking whether your card was added')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/customers/payment_cards');
  await expect(wallet.cards).toHaveText([/Visa ••••\s4242/]);
});

test('a card that pays can be saved; with it a ticket takes five taps and nothing typed, and its code one tap', async ({
  openBrowser,
}) => {
  const person = await openAccount('Traveller');
  const page = await openBrowser({ hasTouch: true });
  const purchase = new PurchasePage(page);
  const counter = new TapCounter();
  await counter.watch(page);
  await page.goto(ORIGINS.tickets);
  await signInQuietly(page, person);
  await purchase.goToOwnPayment(7);
  await page.getByRole('checkbox', { name: 'Save this card for next time' }).check();
  await expectAccessible(page);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();

  const wallet = new WalletPage(page);
  await expect(async () => {
    await wallet.open();
    await expect(wallet.cards).toHaveText([/Visa ••••\s4242.*Primary/s], { timeout: 2000 });
  }).toPass();

  await purchase.open(ORIGINS.tickets);
  counter.take();
  await purchase.tapToContinue();
  await expect(page.getByRole('radio', { name: 'Visa ending in 4242' })).toBeChecked();
  await expectAccessible(page);
  await purchase.payButton.tap();
  await purchase.expectTickets();
  expect(counter.take()).toEqual({ taps: 5, fields: 0 });

  await page.goto(`${ORIGINS.portal}/orders`);
  await page.getByRole('link', { name: 'Show tickets' }).first().tap();
  await expect(page.getByRole('dialog').getByRole('img', { name: /^Ticket code/ })).toBeVisible();
  expect(counter.take()).toEqual({ taps: 1, fields: 0 });
});

test('a card form that does not load is reported, and can be retried', async ({ page, complaints }) => {
  complaints.expected.push(/ERR_FAILED|Failed to load|stripe\.js/i);
  const person = await openAccount('Blocked');
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, person);
  const wallet = new WalletPage(page);
  await wallet.open();
  await page.route('**/endive/stripe.js', (route) => route.abort());
  await page.getByRole('button', { name: 'Add a card' }).click();
  await expect(page.getByText('The card form could not load')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/endive/stripe.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await wallet.send(CARDS.pays);
  await expect(wallet.cards).toHaveCount(1);
});
