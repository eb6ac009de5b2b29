import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { chooseBoat, clockOf, expectAnswer, openGate, scan } from './pages/gate.ts';
import { filmCode } from './support/camera-film.ts';
import { BROWSER_FLAGS, findHeadlessShell } from './support/find-browser.ts';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  testOfOwnServer as test,
} from './support/fixtures.ts';
import { type GateOffice, openGateOffice } from './support/gate-office.ts';
import { NO_NETWORK, workerReady } from './support/saved.ts';

const FILM = join(tmpdir(), `gangway-film-${process.pid}.y4m`);

test.use({
  serviceWorkers: 'allow',
  permissions: ['camera'],
  launchOptions: {
    executablePath: findHeadlessShell(),
    args: [
      ...BROWSER_FLAGS,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${FILM}`,
    ],
  },
});
test.describe.configure({ mode: 'default' });

let office: GateOffice;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openGateOffice();
});
test.afterAll(async () => {
  await office.stop();
  rmSync(FILM, { force: true });
});

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
async function typeLetters(page: Page, letters: string): Promise<void> {
  await page.getByLabel('Letters below the code').fill(letters);
  await page.keyboard.press('Enter');
}
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Gate' }).getByRole('button', { name }).click();

test('a boat is boarded, counted, closed and departed', async ({ page, complaints }) => {
  test.setTimeout(300_000);
  complaints.expected.push(/401/);
  const [boat, later] = office.boats;
  const [party, other] = [await office.buy(boat, 3), await office.buy(later, 1)];
  const time = clockOf(party.legs[0]?.departs_local ?? '');
  const code = (index: number) => party.tickets[index]?.barcode?.payload ?? '';
  await openGate(page, office, { role: 'manager' });
  await expectAccessibleInBothSchemes(page);
  await chooseBoat(page, time);

  await test.step('a hand scanner reads a ticket, which is taken back', async () => {
    await scan(page, code(0));
    await expectAnswer(page, 'Let aboard', '1 of 3 aboard, 2 more');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo: not aboard' }).click();
    await expectAnswer(page, 'Taken back');
    await next(page);
  });

  await test.step('the letters below a code do the same', async () => {
    await typeLetters(page, party.tickets[1]?.boarding_code ?? '');
    await expectAnswer(page, 'Let aboard', '1 of 3 aboard, 2 more');
    await next(page);
  });

  await test.step('a copy of it is stopped at once, typed or scanned', async () => {
    await typeLetters(page, party.tickets[1]?.boarding_code ?? '');
    await expectAnswer(page, 'Stop', 'Already aboard');
    await next(page);
    await scan(page, code(1));
    await expectAnswer(page, 'Stop', 'Already aboard');
    await next(page);
    await scan(page, code(1));
    await expectAnswer(page, 'Stop', 'Already aboard');
    await next(page);
  });

  await test.step('the code of the party lets aboard who is left, of whom one stays ashore', async () => {
    await scan(page, party.party_codes?.[0]?.barcode.payload ?? '');
    await expectAnswer(page, 'Let aboard', 'All 3 aboard');
    await page.getByRole('button', { name: 'Only some of them' }).click();
    await page.getByRole('dialog').getByRole('checkbox').first().uncheck();
    await page.getByRole('button', { name: 'Let 1 aboard' }).click();
    await expectAnswer(page, 'Let aboard', '2 of 3 aboard, one more');
    await next(page);
  });

  await test.step('a ticket that is aboard, one of another boat and another code are stopped', async () => {
    await scan(page, code(1));
    await expectAnswer(page, 'Stop', 'Already aboard', 'by Ramp 1');
    await expectAccessible(page);
    await scan(page, other.tickets[0]?.barcode?.payload ?? '');
    await expectAnswer(page, 'Stop', 'Ticket for another boat', clockOf(other.legs[0]?.departs_local ?? ''));
    await page.getByRole('button', { name: 'Let aboard with a reason' }).click();
    await page.getByLabel('Why do you let them aboard?').fill('There is a free place.');
    await page.getByRole('button', { name: 'Let aboard', exact: true }).click();
    await expectAnswer(page, 'Let aboard', 'Your reason is recorded.');
    await scan(page, 'https://example.com/');
    await expectAnswer(page, 'Stop', 'Not a ticket');
    await next(page);
  });

  await test.step('a search opens the party, of whom one leaves the boat', async () => {
    await tab(page, 'Search');
    await page.getByRole('searchbox').fill(party.reference);
    await expectAccessible(page);
    await page.getByRole('button', { name: new RegExp(party.reference) }).click();
    await page.getByRole('button', { name: '2 leave the boat' }).click();
    await expectAnswer(page, 'Left the boat');
    await page.getByRole('button', { name: 'Undo: still aboard' }).click();
    await next(page);
  });

  await test.step('people are counted, check-in is closed and the boat departs', async () => {
    await tab(page, 'Count');
    await page.getByRole('button', { name: 'More: People without a ticket' }).click();
    await expect(page.getByText('4 people aboard')).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Close check-in' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('1 ticket is not aboard. Its place is free')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close check-in' }).click();
    await expect(page.getByRole('button', { name: 'Open check-in again' })).toBeVisible();
    await scan(page, code(0));
    await expectAnswer(page, 'Stop', 'Check-in is closed');
    await next(page);
    await page.getByRole('button', { name: 'The boat has departed' }).click();
    await expect(dialog.getByText('4 people are aboard.')).toBeVisible();
    await dialog.getByRole('button', { name: 'It has departed' }).click();
    await expect(page.getByText('Departed', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'It has not departed' }).click();
    await dialog.getByRole('button', { name: 'Open check-in' }).click();
    await expect(page.getByRole('button', { name: 'Close check-in' })).toBeVisible();
  });
});

test('the gate reads codes by camera without a connection, also when the camera was never used before', async ({
  page,
  context,
  complaints,
}) => {
  test.setTimeout(300_000);
  complaints.expected.push(/401/, NO_NETWORK);
  const [, boat] = office.boats;
  const party = await office.buy(boat, 2);
  const time = clockOf(party.legs[0]?.departs_local ?? '');
  const [first, second] = party.tickets.map(({ barcode }) => barcode?.payload ?? '');
  filmCode(FILM, first ?? '');
  await openGate(page, office, { name: 'Ramp 2' });
  await workerReady(page);
  await chooseBoat(page, time);
  const countKept = () =>
    page.evaluate(async () => (await (await caches.open('gate-scanner')).keys()).length);
  await expect.poll(countKept, { message: 'the reader of codes is on the device' }).toBe(1);

  await context.setOffline(true);
  await page.getByRole('button', { name: 'Start the camera' }).click();
  await expectAnswer(page, 'Let aboard', '1 of 2 aboard, one more');
  await next(page);
  await page.reload();
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  await expectAnswer(page, 'Stop', 'Already aboard', 'by Ramp 2');
  await next(page);
  await chooseBoat(page, time);
  await expectAccessible(page);
  await scan(page, second ?? '');
  await expectAnswer(page, 'Let aboard', 'All 2 aboard');
  await next(page);
  await scan(page, second ?? '');
  await expectAnswer(page, 'Stop', 'Already aboard');
  await next(page);
  await typeLetters(page, party.reference);
  const sheet = page.getByRole('dialog').filter({ hasText: party.reference });
  await expect(sheet.getByRole('button', { name: '2 leave the boat' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText(/not sent yet/)).toBeVisible();
  await tab(page, 'Count');
  await expect(page.getByRole('button', { name: 'Close check-in' })).toHaveAttribute('aria-disabled', 'true');

  await context.setOffline(false);
  await expect(page.getByText('Online', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/not sent yet/)).toBeHidden();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByText('Count')).toBeHidden();
});

test('a trip card pays at the gate, with a connection and without', async ({ page, context, complaints }) => {
  test.setTimeout(300_000);
  complaints.expected.push(/401/, NO_NETWORK);
  const [, boat] = office.boats;
  const { legs } = await office.buy(boat, 1);
  const card = await office.openTripCard();
  await openGate(page, office, { name: 'Ramp 3' });
  await workerReady(page);
  const time = clockOf(legs[0]?.departs_local ?? '');
  await chooseBoat(page, time);
  const take = page.getByRole('button', { name: /^Take .+: let aboard$/ });
  let price = 0;

  await test.step('its fare is shown, taken with one press, and given back', async () => {
    await scan(page, card.code);
    await expect(take).toBeVisible();
    await expectAccessible(page);
    const [, amount = ''] = /\$([\d.]+)/.exec((await take.textContent()) ?? '') ?? [];
    price = Math.round(Number(amount) * 100);
    expect(await card.readSpent()).toBe(0);
    await take.click();
    await expectAnswer(page, 'Let aboard', `$${amount} taken`);
    await expectAccessible(page);
    expect(await card.readSpent()).toBe(price);
    await page.getByRole('button', { name: 'Undo: not aboard' }).click();
    await expectAnswer(page, 'Taken back', `$${amount} given back`);
    expect(await card.readSpent()).toBe(0);
    await next(page);
  });

  await test.step('without a connection it is charged later, once', async () => {
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByText('Offline', { exact: true })).toBeVisible();
    await chooseBoat(page, time);
    await scan(page, card.code);
    await take.click();
    await expectAnswer(page, 'Let aboard', 'The card is charged when this device has a connection.');
    await next(page);
    await expect(page.getByText('1 not sent yet')).toBeVisible();
    expect(await card.readSpent()).toBe(0);
    await context.setOffline(false);
    await expect(page.getByText('Online', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(/not sent yet/)).toBeHidden({ timeout: 30_000 });
    await expect.poll(() => card.readSpent()).toBe(price);
  });
});

test('two devices without a connection admit one ticket twice, and both show it within a minute of contact', async ({
  browser,
  complaints,
}) => {
  test.setTimeout(240_000);
  complaints.expected.push(/401/, NO_NETWORK);
  const [, boat] = office.boats;
  const party = await office.buy(boat, 1);
  const time = clockOf(party.legs[0]?.departs_local ?? '');
  const code = party.tickets[0]?.barcode?.payload ?? '';
  const ramps = [];
  for (const name of ['Ramp 4', 'Ramp 5']) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await openGate(page, office, { name });
    await chooseBoat(page, time);
    ramps.push({ context, page });
  }
  for (const { context, page } of ramps) {
    await context.setOffline(true);
    await scan(page, code);
    await expectAnswer(page, 'Let aboard');
    await next(page);
    await expect(page.getByText('Offline', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(/not sent yet/)).toBeVisible();
  }
  for (const { context, page } of ramps) {
    await context.setOffline(false);
    await expect(page.getByText('Online', { exact: true })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(/not sent yet/)).toBeHidden({ timeout: 30_000 });
  }
  for (const { context, page } of ramps) {
    await tab(page, 'Count');
    const letters = party.tickets[0]?.boarding_code ?? '';
    const listed = page.getByRole('listitem').filter({ hasText: letters });
    await expect(listed).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('Admitted by two devices: one of two people has a copy')).toBeVisible();
    await context.close();
  }
});
