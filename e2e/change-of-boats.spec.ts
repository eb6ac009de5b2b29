import { expect } from '@playwright/test';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, newAddress, test } from './support/fixtures.ts';
import { expectSettled, NO_NETWORK, openCold, workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

test('ports without a direct boat are reached with a change, there and back, with tickets for every boat', async ({
  page,
  purchase,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NO_NETWORK);
  await purchase.open();
  await page.getByText('Return', { exact: true }).click();
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Kestrel Harbor' });
  await purchase.showSailings();
  const journey = purchase.sailings.first();
  await expect(journey).toContainText(/change at Heron Island \(\d+ min\)/);
  await expectAccessible(page);
  await purchase.chooseSailing();
  const outward = page.getByRole('region', { name: 'Outbound' });
  await expect(outward).toContainText(/change at Heron Island \(\d+ min\) · MV \w+, then MV \w+/);
  await purchase.chooseSailing();
  await expect(page.getByRole('region', { name: 'Return' })).toContainText(/change at Heron Island/);
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Chandra Change', email: newAddress('chandra') });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  for (const direction of ['Outbound', 'Return']) {
    const second = page.getByRole('region', { name: `${direction} tickets, second boat` });
    await expect(page.getByRole('region', { name: `${direction} tickets, first boat` })).toBeVisible();
    await expect(second).toContainText(/Change at Heron Island · (\d+ h )?\d+ min/);
  }
  await expect(page.getByRole('img', { name: /^Ticket code/ })).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show full screen' }).first().click();
  await expect(page.getByText(/Outbound, first boat: Port Madrona to Heron Island/)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();

  await workerReady(page);
  await expectSettled(page, { database: 'device-data' });
  const confirmation = page.url();
  const reference = await purchase.reference();
  visitor.api.stop();
  const cold = await openCold(page);
  await cold.goto(confirmation);
  await expect(cold.getByRole('img', { name: /^Ticket code/ })).toHaveCount(1);
  await cold.getByRole('heading', { name: 'Outbound tickets, second boat' }).click();
  await expect(cold.getByRole('img', { name: /^Ticket code/ })).toHaveCount(2);
  await expect(cold.getByText(/^Change at Heron Island · (\d+ h )?\d+ min$/).first()).toBeVisible();
  visitor.api.up();
  await cold.goto(ORIGINS.tickets);
  await expect(cold.getByRole('heading', { name: 'Your tickets on this device' })).toBeVisible();
  const order = cold.getByRole('article').filter({ hasText: reference });
  await expect(order.getByText(/^Change at Heron Island · (\d+ h )?\d+ min$/)).toHaveCount(2);
  await expectAccessible(cold);
});
