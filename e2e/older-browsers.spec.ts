import { expect, type Page } from '@playwright/test';
import { ORIGINS } from './addresses.ts';
import { test } from './fixtures.ts';
import { signInAsDemo } from './saved.ts';

/*
 * Browsers that lack something the app uses elsewhere, made from the test's own by taking it away.
 */

test.describe('where popover is missing', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover'])
        Reflect.deleteProperty(HTMLElement.prototype, name);
    });
    await signInAsDemo(page);
    await page.goto(`${ORIGINS.portal}/orders`);
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible();
  });

  test('every item of the account menu can be pressed, Sign out among them', async ({ page }) => {
    const items = (await openAccountMenu(page)).getByRole('menuitem');
    await expect(items).toHaveText(['My Account', 'Password & Security', 'Payment Methods', 'Sign out']);
    for (const item of await items.all()) await item.click({ trial: true });
    await items.last().click();
    await expect(page.getByText('You are signed out.')).toBeVisible();
  });

  test('the account menu closes by Escape and by a press elsewhere, and gives the focus back', async ({
    page,
  }) => {
    const menu = await openAccountMenu(page);
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(accountButton(page)).toBeFocused();
    await openAccountMenu(page);
    await page.getByRole('heading', { name: 'My Orders' }).click();
    await expect(menu).toBeHidden();
  });
});

async function openAccountMenu(page: Page) {
  await accountButton(page).click();
  return page.getByRole('menu');
}

function accountButton(page: Page) {
  return page.getByRole('button', { name: 'account menu' });
}
