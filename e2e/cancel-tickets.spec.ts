import { expect, type Page } from '@playwright/test';
import type { Order } from '#contract/orders/schemas.ts';
import { runNpmScript } from '#tests/process/command-line.ts';
import { CARDS, type PurchasePage } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, newAddress, send, test } from './support/fixtures.ts';
import { codeIn, giveTripCard, mailAbout, openAccount, signInQuietly } from './support/people.ts';
import { NO_NETWORK, openCold, workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

/** Buys a one-way trip for adults in the Saver fare, which refunds half until a day before. */
async function buySaver(
  purchase: PurchasePage,
  { adults, email, chooseSailing }: { adults: number; email: string; chooseSailing: () => Promise<void> },
): Promise<void> {
  const { page } = purchase;
  await purchase.open();
  for (let more = 1; more < adults; more += 1) {
    await page.getByRole('button', { name: 'More: Adult' }).click();
  }
  await chooseSailing();
  await page.getByRole('radio', { name: 'Saver' }).check();
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Ana Ferry', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
}

/** Opens the dialog by keyboard. */
async function openDialog(page: Page) {
  const button = page.getByRole('button', { name: 'Cancel tickets' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Cancel tickets' })).toBeVisible();
  return dialog;
}

test('a guest cancels one of three people with a mailed code and sees the money first', async ({
  purchase,
  page,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(/status of 422/);
  const email = newAddress('guest');
  await buySaver(purchase, {
    adults: 3,
    email,
    chooseSailing: async () => {
      await purchase.showSailings();
      await purchase.chooseSailing(1);
    },
  });
  const dialog = await openDialog(page);
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await dialog.getByRole('checkbox', { name: 'Adult' }).last().focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('button', { name: 'See your refund' }).press('Enter');

  await expect(dialog.getByRole('heading', { name: 'Your refund' })).toBeVisible();
  const lines = dialog.locator('dl > div');
  await expect(lines).toHaveText([
    /^Adult.*\$\d+\.\d\d refunded\$\d/,
    /^Not refunded under your fare’s rules-\$/,
    /^Refund\$/,
  ]);
  const refund = (await lines.last().locator('dd').textContent()) ?? '';
  await expect(dialog.getByText(`${refund} goes back to the card you paid with.`)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await dialog.getByRole('button', { name: 'Email me a code' }).press('Enter');

  const code = codeIn(await mailAbout(email, /code/i));
  const field = dialog.getByLabel('Code from the email');
  await expect(field).toBeFocused();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await field.fill(code === '000000' ? '000001' : '000000');
  await page.keyboard.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(code);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Your ticket is canceled' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel tickets' })).toBeFocused();

  await page.getByRole('heading', { name: 'Each ticket' }).click();
  await expect(page.getByRole('article').filter({ hasText: 'Canceled' })).toHaveCount(1);
  await page.getByRole('heading', { name: 'Price' }).click();
  await expect(page.getByText(/^(On its way back|Refunded) to card/)).toBeVisible();
  const mail = await mailAbout(email, /canceled/i);
  expect(mail.text).toContain(`Refund: ${refund}`);
});

test('a fare without a refund says what is still possible', async ({ purchase, page }) => {
  await buySaver(purchase, {
    adults: 1,
    email: newAddress('late'),
    // Within a day: today, or tomorrow's first if the last one of today is gone.
    chooseSailing: async () => {
      await purchase.showSailings(0);
      const isLeft = await page.getByRole('button', { name: /^Choose the / }).count();
      if (isLeft === 0) await purchase.goToLaterDay(1);
      await purchase.chooseSailing(0);
    },
  });
  await expect(
    page.getByText('No refund any more: it is less than 24 hours before departure.'),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Change order' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel tickets' })).toHaveCount(0);
  await expectAccessibleInBothSchemes(page);
});

test('a customer cancels the return with the refund on a trip card, and reads that without a connection', async ({
  purchase,
  page,
  visitor,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(NO_NETWORK);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  const person = await openAccount('Robin');
  await giveTripCard(person, 'Ferry money');
  await signInQuietly(page, person);
  await purchase.open(ORIGINS.tickets);
  await page.getByRole('radio', { name: 'Return' }).check();
  await purchase.showSailings();
  await purchase.chooseSailing(0);
  await page
    .getByRole('region', { name: /^Return/ })
    .getByRole('button', { name: /^Choose the / })
    .last()
    .click();
  await page.getByRole('radio', { name: 'Flexible' }).check();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  const reference = await purchase.reference();

  await page.goto(`${ORIGINS.portal}/orders?order=${reference}`);
  const dialog = await openDialog(page);
  await dialog.getByRole('checkbox', { name: 'Adult' }).last().check();
  await dialog.getByRole('button', { name: 'See your refund' }).click();
  await expect(dialog.getByText(/goes back to your Visa ending in 4242/)).toBeVisible();
  await dialog.getByRole('radio', { name: /^Ferry money ending in \d{4}/ }).check();
  const destination = dialog.getByText(/^\$[\d.]+ is put on Ferry money ending in \d{4} at once\.$/);
  const [refund = ''] = (await destination.innerText()).split(' ');
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Cancel this ticket' }).click();
  await expect(dialog.getByRole('heading', { name: 'Your ticket is canceled' })).toBeVisible();
  await expect(destination).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const back = page.getByRole('region', { name: 'Return tickets' });
  await expect(back.getByText('Canceled').first()).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);

  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(page.getByRole('article', { name: 'Ferry money' })).toContainText(refund);
  await page.goto(`${ORIGINS.portal}/orders`);
  await expect(page.getByText('Your next trip')).toBeVisible();
  await workerReady(page);
  visitor.api.stop();
  const cold = await openCold(page);
  await cold.goto(`${ORIGINS.portal}/orders?order=${reference}`);
  const saved = cold.getByRole('region', { name: 'Return tickets' });
  await expect(saved.getByText('Canceled').first()).toBeVisible();
  await saved.getByRole('heading').first().click();
  await expect(saved.getByText(/^Last checked \d+:\d\d [AP]M today$/)).toBeVisible();
  const button = cold.getByRole('button', { name: 'Cancel tickets' });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAttribute('title', /connection/);
});

test('a customer whose sailing is canceled travels on another one from My Orders, or gets the full refund', async ({
  purchase,
  page,
}) => {
  test.slow();
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, await openAccount('Robin'));
  await purchase.open(ORIGINS.tickets);
  // No other test buys on this day.
  await purchase.showSailings(4);
  await purchase.chooseSailing(1);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await cancelSailing(new URL(page.url()).pathname.split('/')[2] ?? '');

  await page.goto(`${ORIGINS.portal}/orders`);
  await page.getByRole('link', { name: 'Order details' }).click();
  const canceled = page.getByRole('heading', { name: /^Your .+ sailing is canceled$/ });
  await expect(canceled).toBeVisible();
  await expect(page.getByText(/^We keep places for you on the sailing below until/)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await page
    .getByRole('button', { name: /^Travel at / })
    .first()
    .press('Enter');
  await page.getByRole('button', { name: 'Move all tickets' }).press('Enter');
  await expect(page.getByText(/^You now travel at .+ We emailed your new tickets\.$/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'You can still choose another sailing' })).toBeVisible();
  await expect(canceled).toHaveCount(0);

  await page.getByRole('button', { name: /^Get a full refund \(\$/ }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'See your refund' }).click();
  await expect(dialog.getByText('We cause this cancellation, so all of it is refunded.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel this ticket' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/^(On its way back|Refunded) to Visa ending in 4242/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'You can still choose another sailing' })).toHaveCount(0);
});

/** Cancels the sailing of an order as the operator does. */
async function cancelSailing(orderId: string): Promise<void> {
  const { body } = await send(ORIGINS.tickets, 'GET', `/api/orders/${orderId}`);
  const [leg] = (body.data as Order).legs;
  const env = { NODE_ENV: 'test', DATA_DIR: process.env.E2E_DATA_DIR ?? '' };
  const { stdout, stderr } = await runNpmScript('sailings', ['cancel', leg?.sailing_id ?? ''], { env });
  expect(stdout, stderr).toContain('Orders written to: 1.');
}
