import { expect } from '@playwright/test';
import { addDays } from '#domain/time/days.ts';
import { walkTo } from './pages/keyboard.ts';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  testOfOwnServer as test,
} from './support/fixtures.ts';
import { type GateOffice, openGateOffice } from './support/gate-office.ts';
import { acceptQuietly } from './support/staff-people.ts';

let office: GateOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openGateOffice();
});
test.afterAll(() => office.stop());

test('the office sees whom a canceled boat affects before it is canceled, and takes it back', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const [boat] = office.boats;
  const party = await office.buy(boat, 3);
  const day = party.legs[0]?.departs_local.slice(0, 10) ?? '';
  await acceptQuietly(page, await office.invite('office'));
  await page.getByRole('link', { name: 'Boats' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Boats' })).toBeVisible();
  await page.getByLabel('Port').selectOption({ label: 'Port Madrona' });
  await expect(page).toHaveURL(/port=MAD/);
  await page.goto(`${office.origin}/boats`);
  const boats = page.getByRole('table', { name: /Boats from Port Madrona/ });
  await expect(boats).toBeVisible();
  await page.getByLabel('Another day').fill(addDays(day, 9));
  await expect(page).toHaveURL(new RegExp(`day=${addDays(day, 9)}`));
  await expect(boats).toBeVisible();
  await page.goto(`${office.origin}/boats?port=MAD&day=${day}`);
  await expect(boats).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  await page.goto(`${office.origin}/boats/${boat}`);
  const orders = page.getByRole('table', { name: 'Orders on this boat' });
  await expect(orders).toContainText(party.reference);
  await expectAccessibleInBothSchemes(page);

  await page.getByRole('button', { name: 'Cancel the boat' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').selectOption('weather');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'See whom it affects' }).click();
  await expect(dialog.getByText(/^Passengers of \d+ orders? are written to\.$/)).toBeVisible();
  await expect(dialog.getByRole('row', { name: party.reference })).toContainText('Waits for an answer');
  await expectAccessible(page);

  await dialog.getByRole('button', { name: 'Back' }).click();
  await expect(dialog.getByLabel('Reason')).toHaveValue('weather');
  await dialog.getByRole('button', { name: 'See whom it affects' }).click();
  await dialog.getByRole('button', { name: 'Cancel the boat' }).click();
  await expect(page.getByText(/^Done\. Passengers of \d+ orders? are written to\.$/)).toBeVisible();
  await expect(page.getByText('Canceled because of the weather.')).toBeVisible();
  await expect(orders.getByRole('row', { name: party.reference })).toContainText('Waits for an answer');

  await page.getByRole('button', { name: /^Undo: Canceled/ }).click();
  const undo = page.getByRole('dialog', { name: /^Undo: Canceled/ });
  await expect(undo.getByText(/^Passengers of \d+ orders? are written to\.$/)).toBeVisible();
  await expectAccessible(page);
  await undo.getByRole('button', { name: 'Back' }).click();
  await expect(undo).toBeHidden();
  await expect(page.getByText('Canceled because of the weather.')).toBeVisible();

  await page.getByRole('button', { name: /^Undo: Canceled/ }).click();
  await expect(undo.getByRole('row', { name: party.reference })).toContainText('Travels as bought');
  await undo.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(undo).toBeHidden();
  await expect(orders.getByRole('row', { name: party.reference })).toContainText('Travels as bought');
  await expect(page.getByText('Canceled because of the weather.')).toBeHidden();
});

test('the office closes a port for two days, and opens it again', async ({ page }) => {
  const [boat] = office.boats;
  const party = await office.buy(boat, 2);
  const day = party.legs[0]?.departs_local.slice(0, 10) ?? '';
  await acceptQuietly(page, await office.invite('office'));
  await page.goto(`${office.origin}/boats?port=MAD&day=${day}`);
  const canceled = page.getByRole('table', { name: /Boats from Port Madrona/ }).getByText('Canceled');
  await page.getByRole('button', { name: 'Close the port' }).click();
  // The demo cancels one of tomorrow’s boats.
  const before = await canceled.count();
  const dialog = page.getByRole('dialog', { name: 'Close Port Madrona' });
  await expect(dialog.getByLabel('First day')).toHaveValue(day);
  // In the evening the next boat is one after midnight, which belongs to the day before.
  await dialog.getByLabel('First day').fill(addDays(day, -1));
  await dialog.getByLabel('Reason').selectOption('weather');
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'See whom it affects' }).click();
  await expect(dialog.getByRole('row', { name: party.reference })).toContainText('Waits for an answer');
  await dialog.getByRole('button', { name: 'Close the port' }).click();
  const closures = page.getByRole('list', { name: 'Closed' });
  await expect(closures).toContainText('Weather');
  await expect.poll(() => canceled.count()).toBeGreaterThan(before);
  await expectAccessible(page);
  await closures.getByRole('button', { name: /^Undo: Port closed/ }).click();
  const undo = page.getByRole('dialog', { name: /^Undo: Port closed/ });
  await expect(undo.getByRole('row', { name: party.reference })).toContainText('Travels as bought');
  await undo.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(undo).toBeHidden();
  await expect(closures).toBeHidden();
  await expect(canceled).toHaveCount(before);
});

/** Pressing a key takes 0.28 s on average, deciding what to do 1.35 s (keystroke-level model). In seconds. */
const KEY = 0.28;
const DECISION = 1.35;

test('the desk sells one adult a ticket by keyboard alone within 20 seconds, for cash and at the card terminal', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const [, boat] = office.boats;
  await acceptQuietly(page, await office.invite('desk'));
  await page.goto(`${office.origin}/boats/${boat}`);
  const sell = page.getByRole('button', { name: 'Sell tickets' });
  await expect(sell).toBeVisible();
  await page.locator('main').focus();
  const press = (key: string) => page.keyboard.press(key);
  const sold = page.getByRole('dialog', { name: 'Sold: Adult' });

  let keys = (await walkTo(page, sell)) + 3;
  await press('Enter');
  await expect(page.getByRole('spinbutton', { name: 'Adult' })).toBeFocused();
  await expectAccessibleInBothSchemes(page);
  await press('Enter');
  const fare = page.getByLabel('Fare');
  await expect(fare).toBeFocused();
  await expectAccessibleInBothSchemes(page);
  keys += await walkTo(page, page.getByRole('radio', { name: 'Cash' }));
  await press('Enter');
  await expect(sold).toBeVisible();
  await expectAccessible(page);
  expect(keys * KEY + 3 * DECISION).toBeLessThan(20);
  await press('Escape');
  await expect(sold).toBeHidden();
  await expect(sell).toBeFocused();

  await press('Enter');
  await expect(page.getByRole('spinbutton', { name: 'Adult' })).toBeFocused();
  await press('Enter');
  await expect(fare).toBeFocused();
  const reference = 'R 4711';
  keys = 5 + (await walkTo(page, page.getByRole('radio', { name: 'Cash' }))) + reference.length;
  await press('ArrowDown');
  keys += await walkTo(page, page.getByLabel('Number on the receipt'));
  await page.keyboard.type(reference);
  await press('Enter');
  await expect(sold).toBeVisible();
  expect(keys * KEY + 4 * DECISION).toBeLessThan(20);
  await expect(page.getByRole('button', { name: 'Let them aboard' })).toBeHidden();
  await press('Escape');
  await expect(page.getByText('No one waits for this boat.')).toBeVisible();
});
