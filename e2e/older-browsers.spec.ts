import { expect, type Page } from '@playwright/test';
import { api } from '#contract/api.ts';
import type { Order, OrderSummary } from '#contract/orders/schemas.ts';
import { ORIGINS } from './support/addresses.ts';
import { DEMO_CUSTOMER, expectAccessible, test } from './support/fixtures.ts';
import { ask } from './support/people.ts';
import { signInAsDemo } from './support/saved.ts';

/*
 * Simulates older browsers by removing features from the test's browser.
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

  test('every item of the account menu can be pressed, Sign out among them', async ({ page, complaints }) => {
    // Requests of My Orders may still be under way when the session ends.
    complaints.expected.push(/status of 401/);
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

const TOO_OLD = /Chrome or Edge 111, Safari or iOS 16\.4, Firefox 121/;
const PHONE = '+1 206 555 0142';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  for (const [name, address] of [
    ['My Orders', `${ORIGINS.portal}/orders`],
    ['the sign-in page', `${ORIGINS.portal}/sign_in`],
    ['the purchase page', `${ORIGINS.tickets}/`],
  ] as const) {
    test(`${name} says what to do and whom to call`, async ({ page }) => {
      await page.goto(address);
      await expect(page.getByRole('heading', { name: 'JavaScript is switched off' })).toBeVisible();
      await expect(page.getByRole('link', { name: PHONE }).first()).toHaveAttribute('href', /^tel:\+\d+$/);
      await expect(page.getByText(TOO_OLD)).toBeHidden();
    });
  }

  test('a confirmation shows route, date, times, travelers and the codes to say', async ({ page }) => {
    const order = await findDemoOrder();
    await page.goto(`${ORIGINS.tickets}/orders/${order.id}/confirmation`);
    await expectOrder(page, order);
    await expect(page.getByRole('heading', { name: 'JavaScript is switched off' })).toBeVisible();
  });
});

test.describe('where the app cannot start', () => {
  test.beforeEach(({ complaints }) => {
    complaints.expected.push(/Unexpected|Failed to load resource|Failed to fetch dynamically imported/);
  });

  test('a page whose script does not parse says which browsers do, and whom to call', async ({ page }) => {
    await page.route(/\/assets\/start-portal-[^/]*\.js$/, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'export const = newer syntax;' }),
    );
    await page.goto(`${ORIGINS.portal}/orders`);
    await expectHelp(page);
  });

  for (const script of ['start-portal', 'first-paint']) {
    test(`a page whose script ${script} does not load says what to do`, async ({ page }) => {
      await page.route(new RegExp(`/assets/${script}-[^/]*\\.js$`), (route) => route.abort());
      await page.goto(`${ORIGINS.portal}/sign_in`);
      await expectHelp(page);
    });
  }

  test('a page without a connection for its script says what to do', async ({ page }) => {
    await page.route(/\/assets\/start-tickets-[^/]*\.js$/, (route) => route.abort());
    await page.goto(`${ORIGINS.tickets}/orders/new`);
    await expectHelp(page);
  });

  test('the script of a screen that fails once is requested again, and no help is shown', async ({
    page,
  }) => {
    await noteShownHelp(page);
    await page.route(/\/assets\/home-screen-[^/]*\.js$/, (route) => route.abort(), { times: 1 });
    await page.goto(`${ORIGINS.tickets}/orders/new`);
    await expect(page.getByRole('heading', { name: 'Purchase Tickets' })).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem('shown'))).toBeNull();
  });

  test('a confirmation still shows the order', async ({ page }) => {
    const order = await findDemoOrder();
    await page.route(/\/assets\/start-tickets-[^/]*\.js$/, (route) => route.abort());
    await page.goto(`${ORIGINS.tickets}/orders/${order.id}/confirmation`);
    await expectOrder(page, order);
    await expectHelp(page);
  });
});

test('where the app starts, the text about older browsers is gone and was never shown', async ({ page }) => {
  await noteShownHelp(page);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator('#start-help')).toHaveCount(0);
  expect(await page.evaluate(() => sessionStorage.getItem('shown'))).toBeNull();
});

/** Whether the help was ever shown is noted in the session's storage. */
async function noteShownHelp(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      const help = document.getElementById('start-help');
      if (help === null) return;
      new MutationObserver(() => sessionStorage.setItem('shown', 'yes')).observe(help, { attributes: true });
    });
  });
}

type DemoOrder = { id: string; reference: string; route: string; codes: string[] };

/** An order of the demo customer with valid tickets. */
async function findDemoOrder(): Promise<DemoOrder> {
  const signedIn = await ask('POST', '/api/customers/sessions/sign_in', { body: DEMO_CUSTOMER });
  const { token } = signedIn.body.data as { token: string };
  const headers = { authorization: `Bearer ${token}` };
  const list = await ask('GET', api.listOrders.path, { headers });
  const found = (list.body.data as OrderSummary[]).find(({ status }) => status === 'confirmed');
  if (found === undefined) throw new Error('The demo customer has no confirmed order.');
  const reply = await ask('GET', api.getOrder.path.replace('{id}', found.id), { headers });
  const { id, reference, legs, tickets } = reply.body.data as Order;
  const [leg] = legs;
  return {
    id,
    reference,
    route: `${leg?.origin.name} to ${leg?.destination.name}`,
    codes: tickets.map(({ boarding_code }) => boarding_code),
  };
}

async function expectOrder(page: Page, order: DemoOrder): Promise<void> {
  await expect(page.getByRole('heading', { name: `Order ${order.reference}` })).toBeVisible();
  await expect(page.getByRole('heading', { name: order.route }).first()).toBeVisible();
  await expect(page.getByText(/Confirmed · \d+ travelers?/)).toBeVisible();
  await expect(
    page.getByText(/Departs \d+:\d\d [AP]M P[DS]T, arrives \d+:\d\d [AP]M P[DS]T/).first(),
  ).toBeVisible();
  expect(order.codes.length).toBeGreaterThan(0);
  for (const code of order.codes) await expect(page.getByText(code)).toBeVisible();
}

async function expectHelp(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'This page could not start' })).toBeVisible();
  await expect(page.getByText(TOO_OLD)).toBeVisible();
  await expect(page.getByRole('link', { name: PHONE }).first()).toBeVisible();
  await expectAccessible(page);
}

async function openAccountMenu(page: Page) {
  await accountButton(page).click();
  return page.getByRole('menu');
}

function accountButton(page: Page) {
  return page.getByRole('button', { name: 'account menu' });
}
