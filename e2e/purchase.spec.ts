import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { PurchasePage } from './pages/purchase-page.ts';
import { TapCounter } from './pages/tap-counter.ts';
import { ORIGINS } from './support/addresses.ts';
import {
  DEMO_CUSTOMER,
  expectAccessible,
  expectAccessiblePopover,
  mailsTo,
  newAddress,
  send,
  test,
} from './support/fixtures.ts';
import { openListedOrder } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

test('a visitor buys a one-way ticket that a gate can check', async ({ purchase, page }, testInfo) => {
  test.slow();
  const email = newAddress('ana');
  await purchase.open();
  await expectAccessible(page);
  await expectReachableTooltip(page.getByRole('button', { name: 'Swap from and to' }));
  await purchase.showSailings();
  await expectAccessible(page);
  expect(await countInViewport(purchase.sailings)).toBeGreaterThanOrEqual(5);
  await purchase.chooseSailing(1);
  await expectAccessible(page);
  const included = page.getByRole('button', { name: 'What’s included in Flexible' });
  await expectAccessiblePopover(included, 'Flexible');
  await purchase.keepPlaces();
  await expectAccessible(page);
  await purchase.fillContact({ name: 'Ana Ferry', email });
  await purchase.continueToPayment();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'terms', exact: true }).last().click();
  await expect(page.getByRole('dialog', { name: 'Terms of carriage' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await purchase.payWith('4242424242424242');
  await purchase.expectTickets();
  await expectAccessible(page);
  await expect(page).toHaveTitle('Order Confirmation | Harbor Line');
  await expectFile(page, 'Add to calendar', /^ferry-[\w-]+\.ics$/);

  const reference = await purchase.reference();
  const [mail] = await mailsTo(email);
  expect(mail?.subject).toContain(reference);
  expect(mail?.subject).not.toContain('ord_');

  const keys = await send(ORIGINS.tickets, 'GET', '/api/keys');
  const tickets = await send(ORIGINS.tickets, 'GET', `/api/orders/${purchase.orderId()}/tickets`);
  const [ticket] = tickets.body.data as { barcode: { payload: string } }[];
  const keysFile = testInfo.outputPath('keys.json');
  writeFileSync(keysFile, JSON.stringify(keys.body));
  const verdict = execFileSync(
    'node',
    ['src/server/commands/verify-ticket.ts', ticket?.barcode.payload ?? '', '--keys-file', keysFile],
    { encoding: 'utf8' },
  );
  expect(verdict).toContain(reference);
});

/** The number of elements that are fully visible without scrolling. */
function countInViewport(elements: Locator): Promise<number> {
  return elements.evaluateAll(
    (all) =>
      all.filter((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= window.innerHeight;
      }).length,
  );
}

test('a customer buys a return with a car and finds it among the orders', async ({ purchase, page }) => {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await expect(page.getByLabel('Email')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(DEMO_CUSTOMER.email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_CUSTOMER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${ORIGINS.portal}/orders`);
  await expect(page).toHaveTitle('My Orders | Harbor Line');
  await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Past' }).click();
  await openListedOrder(page.locator('[data-order]').filter({ hasText: 'Past trip' }).first());
  const status = page.getByRole('button', { name: 'Past trip (what does this mean?)' });
  await expectAccessiblePopover(status, 'All crossings of this order are over.');

  await purchase.open();
  await page.getByRole('radio', { name: 'Return' }).check();
  await page.getByLabel('Vehicle').selectOption({ label: 'Car, SUV or pickup' });
  await page.getByText('Under 18 ft', { exact: true }).click();
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await purchase.showSailings();
  await purchase.chooseSailing(0);
  await expect(page.getByRole('heading', { name: /^Return/ })).toBeVisible();
  await page
    .getByRole('region', { name: /^Return/ })
    .getByRole('button', { name: /^Choose the / })
    .last()
    .click();
  await purchase.keepPlaces();
  await expect(page.getByLabel('Email')).toHaveValue(DEMO_CUSTOMER.email);
  await page.getByLabel(/plate/i).fill('5kjh 220');
  await page.getByText('Add travelers’ names (optional)').click();
  await page.getByLabel('Adult, driver').fill('Basil Brackenridge');
  await expectAccessible(page);
  await purchase.leaveDetails();
  // The demo customer has a saved card, which is offered first.
  await page.getByText('Another card', { exact: true }).click();
  await purchase.payWith('5555555555554444');
  await purchase.expectTickets();
  const reference = await purchase.reference();

  await page.goto(`${ORIGINS.portal}/orders`);
  await page
    .getByRole('link', { name: new RegExp(reference) })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: `Order ${reference}` })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  const outward = page
    .getByRole('region', { name: /^Tickets from/ })
    .first()
    .getByRole('article');
  await page.getByRole('heading', { name: 'Each ticket' }).first().click();
  await expect(outward).toHaveText([
    /^Everyone2 travelers, 1 vehicle/,
    /^Adult1 of 2/,
    /^Basil BrackenridgeAdult, driver/,
    /^Car/,
  ]);
  await expectAccessible(page);
});

test('a guest buys for the next day with six taps and two fields, and finds the order by a mailed link', async ({
  openBrowser,
}) => {
  const email = newAddress('guest');
  const page = await openBrowser({ hasTouch: true });
  const purchase = new PurchasePage(page);
  const counter = new TapCounter();
  await counter.watch(page);
  await purchase.open();
  await purchase.tapToContinue();
  await purchase.fillContact({ name: 'Guest Traveller', email });
  await page.getByRole('button', { name: 'Go to payment' }).tap();
  await purchase.fillCard('4242424242424242');
  await purchase.payButton.tap();
  await purchase.expectTickets();
  expect(counter.take()).toEqual({ taps: 6, fields: 2 });
  const reference = await purchase.reference();
  await mailsTo(email);

  await purchase.open();
  await page.getByText('Already have an order?').focus();
  await page.keyboard.press('Enter');
  await page.getByLabel(/reference/i).fill(reference.toLowerCase());
  await page.getByLabel('Email').last().fill(email.toUpperCase());
  await page.getByRole('button', { name: 'Email me the link' }).click();
  await expect(page.getByText('Check your email')).toBeVisible();
  await expectAccessible(page);
  const mails = await mailsTo(email, 2);
  expect(mails).toHaveLength(2);
});

test('unknown paths lead to the not-found page', async ({ page, complaints }) => {
  complaints.expected.push(/404/);
  for (const origin of [ORIGINS.tickets, ORIGINS.portal]) {
    await page.goto(`${origin}/nowhere/at/all`);
    await expect(page).toHaveURL(`${origin}/404`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test('the home page is readable before any script runs', async ({ openBrowser }) => {
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(ORIGINS.tickets);
  await expect(page.getByRole('heading', { level: 1, name: 'Purchase tickets' })).toBeVisible();
  await expect(page.getByText('from $')).toBeVisible();
});

test('the form cannot be sent before the app has started', async ({ page }) => {
  let letThrough = () => {};
  const gate = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: 'Show sailings' })).toBeDisabled();
  letThrough();
  await expect(page.getByRole('button', { name: 'Show sailings' })).toBeEnabled();
});

/** A tooltip stays open while the pointer moves from its button onto it, so that it can be read magnified. */
async function expectReachableTooltip(button: Locator): Promise<void> {
  const page = button.page();
  await button.hover();
  const tooltip = page.getByRole('tooltip');
  await expect(tooltip).toBeVisible();
  const from = (await button.boundingBox())!;
  const to = (await tooltip.boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, to.y + to.height / 2, { steps: 20 });
  await tooltip.hover();
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
}

/** A link to a file saves it, and the page stays. */
async function expectFile(page: Page, link: string, name: RegExp): Promise<void> {
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).click();
  expect((await downloading).suggestedFilename()).toMatch(name);
  await expect(page).toHaveURL(/\/confirmation$/);
}
