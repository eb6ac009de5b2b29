import { expect } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';
import { openAccount, signInQuietly } from './support/people.ts';
import { openListedOrder } from './support/saved.ts';

test('a customer saves a vehicle and travelers, fills them in by one tap each, and books the trip again', async ({
  page,
  purchase,
}) => {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, await openAccount('Basil'));
  await purchase.open(ORIGINS.tickets);
  await page.getByLabel('Vehicle', { exact: true }).selectOption({ label: 'Car, SUV or pickup' });
  await page.getByText('Under 18 ft', { exact: true }).click();
  await page.getByRole('button', { name: 'More: Child' }).click();
  await purchase.showSailings();
  await purchase.chooseSailing(0);
  await purchase.keepPlaces();
  await page.getByLabel('License plate').fill('5kjh 220');
  await page.getByRole('button', { name: 'Save this vehicle' }).click();
  await expect(page.getByText('The vehicle is saved in your account.')).toBeVisible();
  await page.getByText('Add travelers’ names (optional)').click();
  await page.getByLabel('Child', { exact: true }).fill('Mia');
  const saveNames = page.getByRole('button', { name: 'Save these names in your account' });
  await saveNames.click();
  await expect(saveNames).toBeHidden();
  await expectAccessible(page);
  await purchase.continueToPayment();
  await purchase.payWith('4242424242424242');
  await purchase.expectTickets();

  await page.goto(`${ORIGINS.portal}/account`);
  await page.getByRole('button', { name: 'Change 5KJH 220' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel(/^Name/).fill('Golf');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Change Golf' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${ORIGINS.portal}/orders`);
  await openListedOrder(page.locator('[data-order]').first());
  await page.getByRole('link', { name: 'Book again' }).click();
  await purchase.waitUntilUsable();
  await expect(page.getByLabel('Vehicle', { exact: true })).toHaveValue('car');
  await page.getByLabel('Vehicle', { exact: true }).selectOption({ label: 'No vehicle' });
  await page.getByRole('button', { name: 'Golf' }).click();
  await expect(page.getByRole('radio', { name: 'Under 18 ft' })).toBeChecked();
  await page.setViewportSize({ width: 320, height: 640 });
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await purchase.showSailings();
  await purchase.chooseSailing(0);
  await purchase.keepPlaces();
  await expect(page.getByLabel('License plate')).toHaveValue('5KJH 220');
  await page.getByRole('button', { name: 'Mia' }).click();
  await expect(page.getByLabel('Child', { exact: true })).toHaveValue('Mia');
  await expectAccessible(page);
});
