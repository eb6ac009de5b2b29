import { expect, type Page } from '@playwright/test';
import { ConnectionLayer } from './pages/connection-layer.ts';
import { CARDS, type PurchasePage } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, mailsTo, newAddress, test } from './support/fixtures.ts';
import { NO_NETWORK, signInAsDemo, workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

/** Buys tickets for two adults as a guest and opens the form that sends tickets. */
async function buyForTwo(purchase: PurchasePage, page: Page): Promise<void> {
  await purchase.open();
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await purchase.showSailings();
  await purchase.chooseSailing();
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Ana Buyer', email: newAddress('ana') });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await page.getByText('Send a ticket to someone').click();
}

const secondTicket = { name: 'Adult, 2 of 2' };

test('a buyer sends one of two tickets; the companion reads it offline until it is taken back', async ({
  page,
  purchase,
  openBrowser,
  visitor,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(NO_NETWORK);
  await buyForTwo(purchase, page);
  await page.getByRole('heading', { name: 'Each ticket' }).click();
  const codes = page.getByRole('img', { name: /^Ticket code (?!for)/ });
  const second = (await codes.nth(1).getAttribute('aria-label')) ?? '';
  const first = (await codes.nth(0).getAttribute('aria-label')) ?? '';
  await page.getByRole('checkbox', secondTicket).check();
  await page.getByLabel('Their name').fill('Grace');
  await page.getByRole('button', { name: 'Create a link' }).click();
  await expect(page.getByText('The link is ready')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Sent tickets' })).toContainText('Grace');
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  const link = await page.getByText(/\/shared_tickets\/[0-9a-z]{26}$/).innerText();

  const companion = await openBrowser({ proxy: { server: visitor.url } });
  await companion.goto(link);
  await expect(companion.getByRole('heading', { name: 'Your ticket' })).toBeVisible();
  await expect(companion.getByRole('img', { name: second })).toBeVisible();
  await expect(companion.getByRole('img', { name: first })).toHaveCount(0);
  const text = await companion.locator('body').innerText();
  for (const secret of ['Ana', 'example.com', '$', 'Price']) expect(text).not.toContain(secret);
  await expectAccessibleInBothSchemes(companion);
  await expectFitsLargeText(companion);

  await workerReady(companion);
  await companion.context().setOffline(true);
  await companion.reload();
  await expect(companion.getByRole('img', { name: second })).toBeVisible();
  await expect(companion.getByText(/^Saved \d+:\d\d [AP]M today$/).first()).toBeVisible();
  await companion.getByRole('link', { name: 'Show full screen' }).click();
  await expect(companion.getByRole('dialog').getByRole('img', { name: second })).toBeVisible();
  await companion.getByRole('button', { name: 'Close' }).click();
  await companion.goto(ORIGINS.tickets);
  const received = companion.getByRole('article').filter({ hasText: 'Sent to you' });
  await expect(received.getByRole('link')).toHaveAttribute('href', new URL(link).pathname);
  await companion.context().setOffline(false);

  await page.getByRole('button', { name: 'Take back from Grace' }).click();
  await page.getByRole('button', { name: /^Take back what you sent/ }).click();
  await expect(page.getByText(/^The tickets are taken back/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Sent tickets' })).toHaveCount(0);
  await companion.goto(link);
  await expect(companion.getByRole('heading', { name: 'These tickets were taken back' })).toBeVisible();
  await expect(companion.getByRole('img', { name: second })).toHaveCount(0);
  await companion.goto(ORIGINS.tickets);
  await expect(companion.getByLabel('From', { exact: true })).toHaveValue(/./);
  await expect(received).toHaveCount(0);
});

test('a ticket is mailed, and the companion’s page needs no pointer', async ({
  page,
  purchase,
  openBrowser,
  visitor,
}) => {
  await buyForTwo(purchase, page);
  const address = newAddress('grace');
  await page.getByRole('checkbox', secondTicket).check();
  await page.getByLabel('Their email').fill(address);
  await page.getByLabel('Their email').press('Enter');
  await expect(page.getByText(`Sent to ${address}.`)).toBeVisible();
  const [mail] = await mailsTo(address);
  expect(mail?.subject).toBe('A ferry ticket for you');
  expect(mail?.text).not.toContain('Ana');
  const [link = ''] = /http\S+\/shared_tickets\/[0-9a-z]{26}/.exec(mail?.text ?? '') ?? [];
  expect(new URL(link).origin).toBe(ORIGINS.tickets);
  const companion = await openBrowser({ proxy: { server: visitor.url } });
  await companion.goto(link);
  const full = companion.getByRole('link', { name: 'Show full screen' });
  await full.focus();
  await companion.keyboard.press('Enter');
  await expect(companion.getByRole('dialog')).toBeVisible();
  await companion.keyboard.press('Escape');
  await expect(companion.getByRole('dialog')).toHaveCount(0);
});

test('a customer finds orders by plate, name and port, also without a connection', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInAsDemo(page);
  await page.goto(`${ORIGINS.portal}/orders?view=all`);
  const field = page.getByLabel('Search your orders');
  const found = page.locator('[data-order]');
  await field.fill('5kjh-220');
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Past', exact: true })).toBeVisible();
  const expectVehicles = async () => {
    await expect(found.first()).toBeVisible();
    await expect(found.filter({ hasNotText: '1 vehicle' })).toHaveCount(0);
  };
  await expectVehicles();
  const withPlate = await found.count();
  expect(page.url()).not.toContain('5kjh');
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await field.fill('castellanos heron');
  await field.press('Enter');
  await expect.poll(() => found.count()).toBeGreaterThan(withPlate);
  await found.first().getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: /Order / })).toBeVisible();
  await page.goBack();
  await expect(field).toHaveValue('castellanos heron');

  await workerReady(page);
  const layer = new ConnectionLayer(page);
  await layer.lose(visitor.api);
  await field.fill('5KJH 220');
  await field.press('Enter');
  // Another test may have bought one more meanwhile. Before the answer no order is shown.
  await expect.poll(() => found.count()).toBeGreaterThanOrEqual(withPlate);
  await expectVehicles();
  await field.fill('robin');
  await field.press('Enter');
  await expect(page.getByText('Found among the orders saved on this device.')).toBeVisible();
  await expect(found.first()).toBeVisible();
});
