import { expect } from '@playwright/test';
import { EASTBOUND } from '#tests/factories/island-line.ts';
import { CARDS } from './pages/purchase-page.ts';
import { expectAccessible, newAddress, testOfOwnServer as test } from './support/fixtures.ts';
import { type IslandOffice, openIslandOffice } from './support/island-office.ts';
import { acceptQuietly } from './support/staff-people.ts';

let office: IslandOffice;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openIslandOffice(
    { 'trip-1': EASTBOUND },
    { 'route_rules.csv': 'route_id,needs_passenger_list\nislands,yes\n' },
  );
});
test.afterAll(() => office.stop());

test('a purchase on a route that needs a passenger list asks for the details, which the staff reads', async ({
  page,
  purchase,
  openBrowser,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await purchase.open(office.origin);
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Lopez' });
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Orcas' });
  await purchase.showSailings();
  await purchase.chooseSailing();
  await purchase.keepPlaces();
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Email').fill(newAddress('ada'));
  await page.getByLabel('Family name').fill('Lovelace');
  await page.getByLabel('Forenames').fill('Ada Augusta');
  await page.getByRole('button', { name: 'Go to payment' }).click();
  await expect(page.getByText('Choose the nationality.').first()).toBeVisible();
  await page.getByLabel('Date of birth').fill('1985-12-10');
  await page.getByLabel('Gender').selectOption('Female');
  await page.getByLabel('Nationality').selectOption('United Kingdom');
  await expectAccessible(page);
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await expect(page.getByText('The details of all travelers are entered.')).toBeVisible();
  await expect(page.getByText('Ada Augusta Lovelace').first()).toBeVisible();
  await expect(page.getByText('1985-12-10')).toHaveCount(0);
  await page.getByRole('button', { name: 'Enter the details again' }).click();
  await expect(page.getByLabel('Family name')).toHaveValue('');
  await expectAccessible(page);

  const { legs } = await page.evaluate(async (id) => {
    const reply = await fetch(`/api/orders/${id}`);
    return (await reply.json()).data as { legs: { sailing_id: string }[] };
  }, purchase.orderId());
  const printed = await office.run('staff', 'invite', newAddress('gate'), 'gate', '--name', 'Grace Hopper');
  const staff = await openBrowser();
  await acceptQuietly(staff, /http\S+#token=\S+/.exec(printed)?.[0] ?? '');
  await staff.goto(`${new URL(staff.url()).origin}/passenger_lists/${legs[0]?.sailing_id}`);
  await expect(staff.getByRole('rowheader', { name: 'Lovelace, Ada Augusta' })).toBeVisible();
  await expect(staff.getByText('1985-12-10')).toBeVisible();
  await expectAccessible(staff);
  await staff.getByRole('button', { name: 'Correct' }).click();
  const dialog = staff.getByRole('dialog');
  await expect(dialog.getByLabel('Date of birth')).toHaveValue('1985-12-10');
  await dialog.getByLabel('Forenames').fill('Ada');
  await dialog.getByRole('button', { name: 'Save details' }).click();
  await expect(staff.getByRole('rowheader', { name: 'Lovelace, Ada', exact: true })).toBeVisible();
});
