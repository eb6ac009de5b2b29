import { expect } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';
import { openAccount, signInQuietly } from './support/people.ts';

test('a customer chooses a usual route by one tap, and the page stays in place when it appears', async ({
  page,
  purchase,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, await openAccount('Rhea'));
  await purchase.open(ORIGINS.tickets);
  await purchase.showSailings();
  await purchase.chooseSailing(0);
  // The account has all the details, so payment comes next.
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await purchase.payWith('4242424242424242');
  await purchase.expectTickets();

  const answer = Promise.withResolvers<void>();
  await page.route('**/api/customers/favorite_routes', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await purchase.open(ORIGINS.tickets);
  await expect(page.getByText('Tap where you start')).toBeVisible();
  const form = page.getByLabel('Route and dates');
  const place = await form.boundingBox();
  answer.resolve();
  const routes = page.getByRole('list', { name: 'Your usual routes' });
  const usual = routes.getByRole('button');
  await expect(usual).toHaveText('Port Madrona → Heron Island');
  expect(await form.boundingBox()).toEqual(place);
  await expect(usual).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Swap from and to' }).click();
  await expect(usual).toHaveAttribute('aria-pressed', 'false');
  await usual.click();
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(/./);
  await expect(page.getByLabel('To', { exact: true }).locator('option:checked')).toHaveText('Heron Island');
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
