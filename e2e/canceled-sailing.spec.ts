import { expect, type Page } from '@playwright/test';
import type { TestCall } from '#tests/factories/island-line.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { dayAhead } from './support/day-ahead.ts';
import {
  expectAccessibleInBothSchemes,
  type Mail,
  newAddress,
  testOfOwnServer as test,
} from './support/fixtures.ts';
import { type IslandOffice, openIslandOffice } from './support/island-office.ts';
import { codeIn } from './support/people.ts';
import { NO_NETWORK, workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

/** Boats from Lopez to Orcas at 9, 12 and 15. */
const TRIPS = Object.fromEntries(
  [9, 12, 15].map((hour): [string, TestCall[]] => [
    `trip-${hour}`,
    [
      ['lopez', `${hour}:00:00`, `${hour}:00:00`],
      ['orcas', `${hour}:30:00`, `${hour}:30:00`],
    ],
  ]),
);
/** Each test has the boats of a separate day, counted from today. */
const DAYS_AHEAD = { oneTap: 2, refund: 3 };

let office: IslandOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openIslandOffice(TRIPS);
});
test.afterAll(() => office.stop());

/** Buys the 9:00 boat of a day for two, and cancels it as the operator does. */
async function buyAndCancel(page: Page, { days, email }: { days: number; email: string }): Promise<string> {
  const purchase = new PurchasePage(page);
  await purchase.open(office.origin);
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Lopez' });
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Orcas' });
  await purchase.showSailings(days);
  await page.getByRole('button', { name: 'Choose the 9:00 AM sailing' }).click();
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Isla Islander', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  const told = await office.run('sailings', 'cancel', dayAhead(days), 'LOP', '9:00', '--reason', 'weather');
  expect(told).toContain('Orders written to: 1.');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your 9:00 AM sailing is canceled' })).toBeVisible();
  return purchase.reference();
}

async function listMails(email: string): Promise<Mail[]> {
  const path = `/api/messages?to=${encodeURIComponent(email)}`;
  return (await office.server.send(path, { host: 'mail' })).json().data as Mail[];
}

async function readMail(email: string, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined;
  await expect
    .poll(async () => {
      found = (await listMails(email)).find((mail) => subject.test(mail.subject));
      return found?.subject;
    })
    .toBeDefined();
  if (!found) throw new Error('There is no such mail.');
  return found;
}

test('a passenger of a canceled sailing travels on the kept one after reading its date', async ({
  page,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(NO_NETWORK);
  const email = newAddress('canceled');
  await buyAndCancel(page, { days: DAYS_AHEAD.oneTap, email });
  const told = await readMail(email, /Your sailing is canceled/);
  expect(told.text).toContain('We keep places for you on the');
  expect(told.text).toContain('Choose what to do');

  await expect(page.getByText(/^We keep places for you on the sailing below until/)).toBeVisible();
  const travel = page.getByRole('button', { name: 'Travel at 12:00 PM' });
  await expect(travel).toBeVisible();
  await page.getByRole('button', { name: 'Needs your attention' }).press('Enter');
  await expect(page.getByRole('region', { name: 'About your trip' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Your 9:00 AM sailing is canceled' })).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(travel).toBeFocused();
  await page.getByText('Other sailings').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Travel at 3:00 PM, / }).first()).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);

  await workerReady(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your 9:00 AM sailing is canceled' })).toBeVisible();
  await expect(travel).toHaveAttribute('aria-disabled', 'true');
  await expect(travel).toHaveAttribute('title', /connection/);
  await expect(page.getByText(/^Saved /).first()).toBeVisible();
  await page.context().setOffline(false);
  await page.reload();

  await travel.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Travel on this sailing?' });
  await expect(dialog.getByText(/^\w{3}, \w+ \d+, \d{4}$/)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Move all tickets' }).press('Enter');
  await expect(
    page.getByText(/^You now travel at 12:00 PM on .+ We emailed your new tickets\.$/),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'You can still choose another sailing' })).toBeVisible();
  await expect(page.getByRole('article').first()).toContainText('12:00');
  await expectAccessibleInBothSchemes(page);
  const moved = await readMail(email, /You travel on another sailing/);
  expect(moved.text).toContain('You can choose again until');
  const subjects = (await listMails(email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => /Your sailing is canceled/.test(subject))).toHaveLength(1);
});

test('a passenger of a canceled sailing keeps an open ticket, and gets the full refund instead', async ({
  page,
}) => {
  test.slow();
  const email = newAddress('refunded');
  await buyAndCancel(page, { days: DAYS_AHEAD.refund, email });
  await page.getByRole('button', { name: 'Keep an open ticket' }).click();
  await expect(page.getByRole('heading', { name: 'You have an open ticket' })).toBeVisible();
  await expect(page.getByText(/^Open ticket until /).first()).toBeVisible();
  const day = page.getByLabel('Day', { exact: true });
  await day.selectOption({ index: 2 });
  await expect(page.getByRole('button', { name: /^Travel at / }).first()).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  expect((await readMail(email, /open ticket/)).text).toContain('choose a sailing');
  await page.getByRole('button', { name: 'Get a full refund ($16.50)' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'See your refund' }).click();
  await expect(dialog.getByText('We cause this cancellation, so all of it is refunded.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Email me a code' }).click();
  const code = codeIn(await readMail(email, /\d{6}/));
  await dialog.getByLabel('Code from the email').fill(code);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/^(On its way back|Refunded) to card/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your 9:00 AM sailing is canceled' })).toHaveCount(0);
});
