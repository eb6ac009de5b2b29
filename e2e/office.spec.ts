import { expect } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, newAddress, test } from './support/fixtures.ts';
import { buyQuietly } from './support/people.ts';
import { acceptQuietly, invite } from './support/staff-people.ts';

test('the office finds the order of a caller by name, and reads what happened to it', async ({ page }) => {
  const email = newAddress('caller');
  await buyQuietly({ name: 'Wilhelmina Ostrander', email });

  const { link } = await invite('office', 'Grace Hopper');
  await acceptQuietly(page, link);
  await page.getByRole('link', { name: 'Orders' }).click();
  const search = page.getByLabel('Find an order');
  await search.fill('ab');
  await search.press('Enter');
  await expect(page.getByText('Type at least three letters or digits.')).toBeVisible();
  await search.fill('ostrander wil');
  await search.press('Enter');
  await expect(page).toHaveURL(`${ORIGINS.staff}/orders?q=ostrander+wil`);
  const found = page.getByRole('table', { name: 'Orders' });
  await expect(found).toContainText(email);
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  await found.getByRole('link').click();
  const history = page.getByRole('list', { name: 'History' });
  await expect(history).toContainText('Ordered');
  await expect(history).toContainText('Paid $9.25');
  await expect(history).toContainText(`Email to ${email}`);
  await expect(page.getByRole('table', { name: 'Tickets' })).toContainText('Adult');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessibleInBothSchemes(page);
  await page.goBack();
  await expect(found).toContainText(email);
});
