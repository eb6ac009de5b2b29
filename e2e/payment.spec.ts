import { expect } from '@playwright/test';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, newAddress, send, test } from './support/fixtures.ts';

/** The browser logs the provider's 402 responses, which these tests cause on purpose. */
const DECLINED = /status of 402/;

// Few per order, because too many declines block it.
for (const { name, cards } of [
  {
    name: 'a card that is declined, without enough money or stolen',
    cards: [
      [CARDS.declined, /declined/],
      [CARDS.insufficientFunds, /not enough money/],
      [CARDS.stolen, /declined/],
    ],
  },
  {
    name: 'a card that is expired, lost, mistyped or fails at the bank',
    cards: [
      [CARDS.expired, /expired/],
      [CARDS.lost, /declined/],
      [CARDS.wrongCode, /security code/],
      [CARDS.processingError, /could not process/],
    ],
  },
] as const) {
  test(`${name} is refused with a clear message, and another card pays the same order`, async ({
    purchase,
    page,
    complaints,
  }) => {
    complaints.expected.push(DECLINED);
    await purchase.goToPayment({ name: 'Dee Clined', email: newAddress('declined') }, 3);
    const reference = await purchase.reference();
    for (const [number, reason] of cards) {
      await purchase.payWith(number);
      await expect(page.getByRole('alert').filter({ hasText: reason }).first()).toBeVisible();
      await expect(page).not.toHaveURL(/confirmation/);
    }
    await purchase.payWith(CARDS.pays);
    await purchase.expectTickets();
    expect(await purchase.reference()).toBe(reference);
  });
}

test('a passed 3-D Secure challenge completes the payment', async ({ purchase }) => {
  await purchase.goToPayment({ name: 'Thea Dee', email: newAddress('secure') }, 4);
  await purchase.payWith(CARDS.asksForAuthentication);
  await purchase.answerBank('Complete authentication');
  await purchase.expectTickets();
});

test('a failed 3-D Secure challenge charges nothing, and the next try pays', async ({
  purchase,
  page,
  complaints,
}) => {
  complaints.expected.push(DECLINED);
  await purchase.goToPayment({ name: 'Thea Dee', email: newAddress('secure') }, 4);
  await purchase.payWith(CARDS.asksForAuthentication);
  await purchase.answerBank('Fail authentication');
  await expect(page.getByRole('alert').filter({ hasText: /\w/ }).first()).toBeVisible();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
});

test('a visitor pays by wallet on a phone, also after a card in it was declined', async ({
  purchase,
  page,
  complaints,
}) => {
  complaints.expected.push(DECLINED);
  await purchase.goToPayment({ name: 'Wally Pay', email: newAddress('wallet') }, 4);
  await expectAccessible(page);
  await purchase.payByWallet('0002');
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /declined/ })
      .first(),
  ).toBeVisible();
  await purchase.payByWallet('4242');
  await purchase.expectTickets();
});

test('a page reloaded on the payment step shows the same order again', async ({ purchase, page }) => {
  await purchase.goToPayment({ name: 'Re Load', email: newAddress('reload') }, 5);
  const reference = await purchase.reference();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Payment' })).toBeVisible();
  await expect.poll(() => purchase.reference()).toBe(reference);
  const id = await page.evaluate(() => /ord_[0-9a-z]{26}/.exec(JSON.stringify({ ...sessionStorage }))?.[0]);
  await page.goto(`/orders/${id}/confirmation`);
  await expect(page.getByRole('heading', { level: 1, name: 'Not paid yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(purchase.cardForm.getByLabel('Card number')).toBeVisible();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
});

test('a page reloaded during the bank’s challenge returns to the bank or another card, and pays once', async ({
  purchase,
  page,
}) => {
  await purchase.goToPayment({ name: 'Re Load', email: newAddress('reload') }, 5);
  await purchase.payWith(CARDS.asksForAuthentication);
  await expect(purchase.bankPage.getByRole('button', { name: 'Complete authentication' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Continue to my bank' }).click();
  await expect(purchase.bankPage.getByRole('button', { name: 'Complete authentication' })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Nothing has been charged yet.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Do not pay' }).click();
  await expect(purchase.cardForm.getByLabel('Card number')).toBeVisible();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await expectPaidOnce(purchase.orderId());
});

test('a customer who goes back and forward during the bank’s challenge gets the tickets when it is passed', async ({
  purchase,
  page,
}) => {
  await purchase.goToPayment({ name: 'Back Forth', email: newAddress('forth') }, 5);
  await purchase.payWith(CARDS.asksForAuthentication);
  await expect(purchase.bankPage.getByRole('button', { name: 'Complete authentication' })).toBeVisible();
  await page.goBack();
  await page.goForward();
  await expect(page.getByText('Your bank needs to check it’s you')).toBeVisible();
  await expect(page.getByText(/You have not been charged/)).toHaveCount(0);
  await purchase.answerBank('Complete authentication');
  await purchase.expectTickets();
  await expectPaidOnce(purchase.orderId());
});

test('a tab that is closed during the payment leaves its order in the browser, which leads to the tickets', async ({
  purchase,
  page,
}) => {
  await purchase.goToPayment({ name: 'Clo Sed', email: newAddress('closed') }, 5);
  const reference = await purchase.reference();
  await purchase.payWith(CARDS.asksForAuthentication);
  await expect(purchase.bankPage.getByRole('button', { name: 'Complete authentication' })).toBeVisible();
  const next = await page.context().newPage();
  await page.close();
  await next.goto('/');
  await expect(next.getByText(`Order ${reference} is not finished`)).toBeVisible();
  await expectAccessible(next);
  await next.getByRole('link', { name: 'See your order' }).click();
  await expect(next.getByRole('heading', { level: 1, name: 'Not paid yet' })).toBeVisible();
  await next.getByRole('button', { name: /^Pay \$/ }).click();
  const payment = new PurchasePage(next);
  await expect(payment.cardForm.getByLabel('Card number')).toBeVisible();
  await payment.payWith(CARDS.pays);
  await payment.expectTickets();
  await expectPaidOnce(payment.orderId());
});

async function expectPaidOnce(orderId: string): Promise<void> {
  const order = await send(ORIGINS.tickets, 'GET', `/api/orders/${orderId}`);
  const { paid, total, refunds } = order.body.data as { paid: number; total: number; refunds: unknown[] };
  expect(paid).toBe(total);
  expect(refunds).toEqual([]);
}

test('a connection lost between paying and the answer ends at the tickets, paid once', async ({
  purchase,
  page,
  complaints,
}) => {
  complaints.expected.push(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to load resource/);
  await purchase.goToPayment({ name: 'Lee Lost', email: newAddress('lost') }, 6);
  await purchase.fillCard(CARDS.pays);
  // The payment reaches the provider; all requests to the product fail from now on.
  await page.route('**/api/**', (route) =>
    route.request().url().startsWith(ORIGINS.pay) ? route.fallback() : route.abort('internetdisconnected'),
  );
  await purchase.payButton.click();
  await expect(page.getByText(/don’t pay again/i).first()).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/**');
  await purchase.expectTickets();
});

test('a card form that does not load is reported, loses no input and can be retried', async ({
  purchase,
  page,
  complaints,
}) => {
  complaints.expected.push(/ERR_FAILED|Failed to load|stripe\.js/i);
  await purchase.open();
  await page.route('**/endive/stripe.js', (route) => route.abort());
  await purchase.showSailings();
  await purchase.chooseSailing(3);
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Sky Blocked', email: newAddress('blocked') });
  await page.getByRole('button', { name: 'Go to payment' }).click();
  await expect(page.getByText(/card form could not load/i)).toBeVisible();
  await page.unroute('**/endive/stripe.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
});
