import { expect, type Locator, type Page } from '@playwright/test';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, mailsTo, newAddress, test } from './support/fixtures.ts';
import { buyQuietly, mailAbout } from './support/people.ts';
import { acceptQuietly, invite } from './support/staff-people.ts';

/** Buys a ticket as a caller, and opens the order as a person with this role, who has not seen it. */
async function openOrderOfCaller(page: Page, role: StaffRole): Promise<{ email: string }> {
  const email = newAddress('caller');
  await buyQuietly({ name: 'Beatrix Halvorsen', email });
  const { link } = await invite(role, 'Grace Hopper');
  await acceptQuietly(page, link);
  await page.goto(`${ORIGINS.staff}/orders?q=${encodeURIComponent(email)}`);
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').click();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Paid $9.25');
  return { email };
}

const history = (page: Page) => page.getByRole('list', { name: 'History' });

test('a lost mail: the desk mails the tickets again', async ({ page }) => {
  const { email } = await openOrderOfCaller(page, 'desk');
  await page.getByRole('button', { name: 'Mail the tickets again' }).click();
  await expect(history(page)).toContainText('Mailed the tickets again');
  expect(await mailsTo(email, 2)).toHaveLength(2);
  await expectAccessibleInBothSchemes(page);
});

test('a wrong address: the desk corrects it, and the tickets go there', async ({ page }) => {
  const { email } = await openOrderOfCaller(page, 'desk');
  const right = newAddress('right');
  await page.getByRole('button', { name: 'Correct the contact' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct the contact' });
  await dialog.getByLabel('Email').fill(right);
  await expectAccessibleInBothSchemes(page);
  await dialog.getByLabel('Email').press('Enter');
  await expect(history(page)).toContainText(`Email to ${right}`);
  expect(await mailsTo(right, 1)).toHaveLength(1);
  expect(await mailsTo(email, 2)).toHaveLength(2);
});

test('a wrong name: the desk corrects it on the ticket, and notes why', async ({ page }) => {
  await openOrderOfCaller(page, 'desk');
  await page.getByRole('button', { name: 'Correct names' }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct names' });
  await dialog.getByLabel('Traveler’s name').fill('Bea Halvorsen');
  await dialog.getByRole('button', { name: 'Save names' }).click();
  await expect(page.getByRole('table', { name: 'Tickets' })).toContainText('Bea Halvorsen');
  await page.getByLabel('New note').fill('Showed her passport');
  await page.getByLabel('New note').press('Enter');
  await expect(page.getByRole('list', { name: 'Notes' })).toContainText('Showed her passport');
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('a refund: the office gives an amount back with a reason', async ({ page }) => {
  await openOrderOfCaller(page, 'office');
  await page.getByRole('button', { name: 'Refund beyond the rules' }).click();
  const form = page.getByRole('dialog', { name: 'Refund beyond the rules' });
  await form.getByRole('radio', { name: 'An amount' }).check();
  await form.getByLabel('Amount in USD').fill('2.50');
  await form.getByLabel('Reason').fill('Waited two hours');
  await expectAccessibleInBothSchemes(page);
  await form.getByRole('button', { name: 'See the refund' }).click();
  const review = page.getByRole('dialog', { name: 'Refund $2.50' });
  await expect(review).toContainText('$2.50 to Visa ending in 4242');
  await review.getByRole('button', { name: 'Refund $2.50' }).click();
  await expect(history(page)).toContainText('Waited two hours');
  await expect(history(page)).toContainText(/Refund of \$2\.50|Refunded \$2\.50/);
});

test('tickets that are not needed: the desk cancels them by the fare’s rules', async ({ page }) => {
  await openOrderOfCaller(page, 'desk');
  await page.getByRole('button', { name: 'Cancel tickets' }).click();
  const choice = page.getByRole('dialog', { name: 'Cancel tickets' });
  await choice.getByRole('checkbox').first().check();
  await choice.getByRole('button', { name: 'See the refund' }).click();
  const review = page.getByRole('dialog', { name: 'Cancel 1 ticket' });
  await expect(review.getByText('Refund', { exact: true })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await review.getByRole('button', { name: 'Cancel 1 ticket' }).click();
  await expect(history(page)).toContainText('Canceled tickets by the fare’s rules');
});

/** Chooses the first boat of the day after the booked one. @returns the dialog with the difference */
async function chooseNextDay(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Another day or boat' }).click();
  const dialog = page.getByRole('dialog', { name: 'Another day or boat' });
  const day = dialog.getByLabel('Day', { exact: true });
  await expect(dialog.getByLabel('Boat', { exact: true })).toBeVisible();
  const booked = new Date(`${await day.inputValue()} UTC`);
  await day.fill(new Date(booked.getTime() + 86_400_000).toLocaleDateString('en-US', { timeZone: 'UTC' }));
  const listed = page.waitForResponse(/\/journeys\?.*day=/);
  await day.press('Enter');
  await listed;
  await dialog.getByLabel('Boat', { exact: true }).selectOption({ index: 1 });
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'See the difference' }).click();
  await expect(dialog.getByText('Already paid for the earlier tickets')).toBeVisible();
  return dialog;
}

test('another day: a caller’s trip is moved to another day, the difference paid in cash', async ({
  page,
}) => {
  const { email } = await openOrderOfCaller(page, 'desk');
  const dialog = await chooseNextDay(page);
  await expect(dialog.getByRole('radio', { name: 'Cash' })).toBeChecked();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: '$10.00 taken: change the order' }).click();
  await expect(history(page)).toContainText('Moved an order to other boats');
  await expect(history(page)).toContainText('Paid $10.00');
  const tickets = page.getByRole('table', { name: 'Tickets' });
  await expect(tickets).toContainText('Valid');
  await expect(tickets).toContainText('Replaced');
  await mailAbout(email, /Your order is changed/);
});

test('another day: a caller pays the difference by a mailed link, and then travels on the other boat', async ({
  page,
  purchase,
}) => {
  const { email } = await openOrderOfCaller(page, 'desk');
  const dialog = await chooseNextDay(page);
  await dialog.getByRole('radio', { name: 'Mail them a link to pay by card' }).check();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Mail the link to pay $10.00' }).click();
  await expect(page.getByRole('heading', { name: 'A change waits for payment' })).toBeVisible();
  await expect(history(page)).toContainText('Held other boats and mailed a payment link');
  await expect(page.getByRole('table', { name: 'Tickets' })).not.toContainText('Replaced');
  await expectAccessibleInBothSchemes(page);
  const order = page.url();
  const { text } = await mailAbout(email, /Pay for the change of your order/);
  const changePage = /https?:\/\/\S+\/change\b/.exec(text)?.[0] ?? '';
  await page.goto(changePage.replace(/change$/, 'confirmation'));
  await expect(page.getByText('Your new trip is not paid yet')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('link', { name: 'See your new trip' }).click();
  await expect(page.getByText(/^We keep these places for you until /)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Pay $10.00' }).click();
  await purchase.fillCard(CARDS.pays);
  await purchase.payButton.click();
  await purchase.expectTickets();
  await mailAbout(email, /Your order is changed/);
  await page.goto(order);
  await expect(history(page)).toContainText('Paid $10.00');
  await expect(page.getByRole('heading', { name: 'A change waits for payment' })).toHaveCount(0);
});
