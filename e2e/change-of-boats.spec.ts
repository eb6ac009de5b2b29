import { expect } from '@playwright/test';
import { CARDS } from './pages/purchase-page.ts';
import { expectAccessible, newAddress, test } from './support/fixtures.ts';

test('ports without a direct boat are reached with a change, there and back, with tickets for every boat', async ({
  page,
  purchase,
}) => {
  await purchase.open();
  await page.getByText('Return', { exact: true }).click();
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Kestrel Harbor' });
  await purchase.showSailings();
  const journey = purchase.sailings.first();
  await expect(journey).toContainText(/change at Heron Island \(\d+ min\)/);
  await expectAccessible(page);
  await purchase.chooseSailing();
  const outward = page.getByRole('region', { name: 'Outbound' });
  await expect(outward).toContainText(/Port Madrona.*Change at Heron Island.*Kestrel Harbor/);
  await purchase.chooseSailing();
  await expect(page.getByRole('region', { name: 'Return' })).toContainText(/Change at Heron Island/);
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Chandra Change', email: newAddress('chandra') });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  const parts = [
    'Outbound, first boat',
    'Outbound, second boat',
    'Return, first boat',
    'Return, second boat',
  ];
  for (const part of parts) {
    await expect(page.getByRole('region', { name: `${part} tickets` })).toBeVisible();
  }
  await expect(page.getByRole('img', { name: /^Ticket code/ })).toHaveCount(4);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show full screen' }).first().click();
  await expect(page.getByText(/Outbound, first boat: Port Madrona to Heron Island/)).toBeVisible();
});
