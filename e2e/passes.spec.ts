import { expect } from '@playwright/test';
import { CARDS } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, test } from './support/fixtures.ts';
import { openAccount, signInQuietly } from './support/people.ts';
import { expectSettled, killAndReopen, NO_NETWORK, workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

const TRIP_CARDS = `${ORIGINS.portal}/trip_cards`;

test('a customer buys a pass by card, buys tickets with it, gets a trip back, and reads the balance offline', async ({
  page,
  purchase,
  visitor,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(NO_NETWORK);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, await openAccount('Commuter'));
  await page.goto(TRIP_CARDS);
  await page.getByRole('link', { name: 'Buy a pass' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Buy a pass' })).toBeVisible();
  await page.getByRole('radio', { name: /^10-trip pass, \$74\.00/ }).check();
  await expect(page.getByText(/^Valid on: Port Madrona - Heron Island; /)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await page.getByRole('button', { name: 'Enter card details' }).click();
  await purchase.fillCard(CARDS.pays);
  await page.getByRole('button', { name: 'Pay $74.00' }).click();
  await expect(page.getByRole('status').filter({ hasText: '10 trips added' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('link', { name: 'See your pass' }).click();
  const pass = page.getByRole('article', { name: '10-trip pass' });
  await expect(pass.getByText('10 trips', { exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await pass.getByRole('link', { name: 'Show code' }).click();
  await expect(page.getByText(/^10 trips as of/)).toBeVisible();

  await purchase.goToOwnPayment();
  await page.getByRole('radio', { name: /^10-trip pass, ending \d{4}/ }).check();
  await expect(page.getByText('Use 1 of 10 trips for 1 × Adult.')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Pay with 1 trip' }).click();
  await purchase.expectTickets();
  await page.getByRole('heading', { name: 'Price' }).click();
  await expect(page.getByText(/^Paid by pass ending in \d{4}$/)).toBeVisible();

  const reference = await purchase.reference();

  await workerReady(page);
  await page.goto(TRIP_CARDS);
  await expect(pass.getByText('9 trips', { exact: true })).toBeVisible();
  await pass.getByRole('link', { name: 'Balance history' }).click();
  await expect(page.getByText('-1 trip', { exact: true })).toBeVisible();
  await expect(page.getByText('Balance 9 trips')).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  await page.goto(`${ORIGINS.portal}/orders?order=${reference}`);
  await page.getByRole('button', { name: 'Cancel tickets' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'See your refund' }).click();
  await expect(dialog.getByText(/^1 trip is put back on your pass ending in \d{4} at once\.$/)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Cancel this ticket' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.goto(TRIP_CARDS);
  await expect(pass.getByText('10 trips', { exact: true })).toBeVisible();
  await workerReady(page);
  await expectSettled(page, { api: visitor.api });
  visitor.api.stop();
  const reopened = await killAndReopen(page);
  await reopened.goto(TRIP_CARDS);
  await expect(reopened.getByRole('article', { name: '10-trip pass' })).toContainText(
    /10 trips as of .* today/,
  );
});
