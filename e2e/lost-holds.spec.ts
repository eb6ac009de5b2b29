import { expect } from '@playwright/test';
import { loseHolds } from '#tests/factories/lost-holds.ts';
import type { PurchasePage } from './pages/purchase-page.ts';
import { newAddress, testOfOwnServer as test } from './support/fixtures.ts';
import { openPostgresOffice, type PostgresOffice } from './support/postgres-office.ts';

let office: PostgresOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openPostgresOffice();
  office.balancer.sendTo((await office.startProcess()).port);
});
test.afterAll(() => office.stop());
test.beforeEach(({ complaints }) => void complaints.expected.push(/status of (404|422)/));

/** Buys up to the completed details, then loses the hold as in a crash of the database. */
async function loseHoldInDetails(purchase: PurchasePage, email: string): Promise<string> {
  await purchase.open(office.origins.tickets);
  await purchase.showSailings();
  await purchase.chooseSailing(1);
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Hilda Held', email });
  const [held] = await office.database.store.query<{ sailing: string }>(
    `select i.sailing_id as sailing from hold_items i join holds h on h.id = i.hold_id
     where h.status = 'active' order by h.inserted_at desc limit 1`,
  );
  await loseHolds(office.database.store);
  return held?.sailing ?? '';
}

test('a buyer whose hold was lost can pay without noticing it', async ({ purchase }) => {
  await loseHoldInDetails(purchase, newAddress('hilda'));
  await purchase.continueToPayment();
  await purchase.payWith('4242424242424242');
  await purchase.expectTickets();
});

test('a buyer whose lost places were sold meanwhile chooses another sailing and keeps all input', async ({
  page,
  purchase,
}) => {
  const email = newAddress('hilda');
  const sailing = await loseHoldInDetails(purchase, email);
  await office.database.store.query(
    `update voyage_capacity set sellable_online = held + sold where voyage_id = (select voyage_id from sailings where id = $1) and resource = 'passenger'`,
    [sailing],
  );
  await page.getByRole('button', { name: 'Go to payment' }).click();
  await expect(page.getByText('Those places were just taken')).toBeVisible();
  const others = page.getByRole('list', { name: 'Sailings with room for your party' });
  await others
    .getByRole('button', { name: /^Choose the / })
    .first()
    .click();
  await purchase.keepPlaces();
  await expect(page.getByLabel('Name')).toHaveValue('Hilda Held');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await purchase.continueToPayment();
  await purchase.payWith('4242424242424242');
  await purchase.expectTickets();
});
