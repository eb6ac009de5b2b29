import { expect } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, test } from './support/fixtures.ts';
import { giveTripCard, openAccount, signInQuietly } from './support/people.ts';
import { acceptQuietly, invite } from './support/staff-people.ts';

test('the desk sees an order and an account as the customer does, can change nothing, and the log has it', async ({
  page,
  purchase,
  openBrowser,
}) => {
  test.slow();
  const robin = await openAccount('Robin');
  await giveTripCard(robin, 'Blue card');
  await page.goto(ORIGINS.portal);
  await signInQuietly(page, robin);
  await purchase.goToOwnPayment();
  await purchase.payWith('4242424242424242');
  await purchase.expectTickets();

  const desk = await openBrowser();
  const { link } = await invite('desk', 'Grace Hopper');
  await acceptQuietly(desk, link);
  await desk.goto(`${ORIGINS.staff}/orders?q=${encodeURIComponent(robin.email)}`);
  await desk.getByRole('table', { name: 'Orders' }).getByRole('link').click();
  await desk.getByRole('link', { name: 'View as the customer' }).click();
  await expect(desk.getByText('You see what the customer sees.')).toBeVisible();
  const ticket = desk.getByRole('list', { name: 'Tickets' });
  await expect(ticket).toContainText('Adult');
  await expect(ticket).toContainText('The code is shown to the customer only.');
  await expect(desk.locator('[data-gate-code]')).toHaveCount(0);
  const fullScreen = desk.getByRole('link', { name: 'Show full screen' });
  await expect(fullScreen).toBeDisabled();
  await expect(desk.getByRole('button', { name: 'Cancel tickets' })).toHaveCount(0);
  await desk.getByText('Messages about this order').click();
  await expect(desk.getByText(`Email to ${robin.email}`)).toBeVisible();
  await expectAccessibleInBothSchemes(desk);

  await desk.getByRole('link', { name: 'Back to the order' }).click();
  await desk.getByRole('link', { name: 'The customer with all orders' }).click();
  // The order has a link of the same name, until the customer is there.
  await expect(desk).toHaveURL(/\/customers\//);
  await desk.getByRole('link', { name: 'View as the customer' }).click();
  await expect(desk.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  await expect(desk.getByText('Your next trip')).toBeVisible();
  await expect(desk.getByRole('article', { name: 'Blue card' })).toContainText('$0.00');
  await expectAccessibleInBothSchemes(desk);
  await desk.setViewportSize({ width: 320, height: 640 });
  expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  const manager = await openBrowser();
  await acceptQuietly(manager, (await invite('manager', 'Ada Byron')).link);
  await manager.goto(`${ORIGINS.staff}/audit?action=order_viewed_as_customer`);
  await expect(manager.getByRole('table', { name: 'Audit log' })).toContainText('Grace Hopper');
  await manager.goto(`${ORIGINS.staff}/audit?action=customer_viewed_as_customer`);
  await expect(manager.getByRole('table', { name: 'Audit log' })).toContainText('Grace Hopper');
});
