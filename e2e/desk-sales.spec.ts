import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { walkTo } from './pages/keyboard.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { dayAhead } from './support/day-ahead.ts';
import { expectAccessibleInBothSchemes, mailsTo, newAddress, send, test } from './support/fixtures.ts';
import { buyQuietly } from './support/people.ts';
import { readCodes } from './support/read-code.ts';
import { acceptQuietly, invite } from './support/staff-people.ts';

/** The day after tomorrow, when tickets for every boat are sold online at any hour. */
const DAY = dayAhead(2);

async function findBoat(): Promise<string> {
  const routes = (await send(ORIGINS.tickets, 'GET', '/api/routes')).body.data as {
    id: string;
    code: string;
  }[];
  const route = routes.find(({ code }) => code === 'MAD-HER');
  const path = `/api/sailings?route_id=${route?.id}&date=${DAY}&passengers[adult]=1`;
  const [sailing] = (await send(ORIGINS.tickets, 'GET', path)).body.data as { id: string }[];
  return sailing?.id ?? '';
}

test('a telephone sale: the desk mails a payment link, and the buyer pays for the held places', async ({
  page,
  openBrowser,
}) => {
  test.setTimeout(180_000);
  const email = newAddress('phone');
  await acceptQuietly(page, (await invite('desk', 'Grace Hopper')).link);
  await page.goto(`${ORIGINS.staff}/boats/${await findBoat()}`);
  await page.getByRole('button', { name: 'Sell tickets' }).click();
  await page.getByRole('button', { name: 'Show the price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Payment link by email').click();
  await dialog.getByRole('button', { name: 'Hold the places and mail the link' }).click();
  await expect(dialog.getByText('Enter the buyer’s name.').first()).toBeVisible();
  await dialog.getByLabel('The buyer’s name').fill('Beatrix Halvorsen');
  await dialog.getByLabel('The buyer’s email').fill(email);
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Hold the places and mail the link' }).click();
  const sent = page.getByRole('dialog', { name: 'The payment link is mailed' });
  await expect(sent).toContainText(email);
  await expectAccessibleInBothSchemes(page);
  await sent.getByRole('link').click();
  const waiting = page.getByText(`${email} has a link to pay by card.`);
  await expect(waiting).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Mail the link again' }).click();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Mailed the payment link again');

  const [mail] = await mailsTo(email, 2);
  expect(mail?.subject).toMatch(/^Pay for your ferry tickets · /);
  const link = /https?:\S+\/orders\/ord_\w+\/confirmation/.exec(mail?.text ?? '')?.[0] ?? '';
  const buyer = await openBrowser();
  await buyer.goto(link);
  await expect(buyer.getByText(/^Your places are kept for you until /)).toBeVisible();
  await expectAccessibleInBothSchemes(buyer);
  const purchase = new PurchasePage(buyer);
  await purchase.payButton.click();
  await expect(buyer.getByRole('timer')).toHaveText(/^1:5\d:\d\d$/);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  expect((await mailsTo(email, 3))[0]?.subject).toMatch(/^Your ferry tickets · /);

  await page.reload();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Paid $9.25');
  await expect(waiting).toBeHidden();
});

test('a telephone sale: the desk holds places, which are paid in cash at the pier', async ({ page }) => {
  test.setTimeout(180_000);
  await acceptQuietly(page, (await invite('desk', 'Grace Hopper')).link);
  const boat = `${ORIGINS.staff}/boats/${await findBoat()}`;
  await page.goto(boat);
  await page.getByRole('button', { name: 'Sell tickets' }).click();
  await page.getByRole('button', { name: 'Show the price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Paid at the pier').click();
  await dialog.getByLabel('The buyer’s name').fill('Sigrid Undset');
  await dialog.getByLabel('Phone', { exact: true }).fill('+13605550187');
  await expectAccessibleInBothSchemes(page);

  await test.step('a return without a boat is refused, and named once it is chosen', async () => {
    await dialog.getByRole('button', { name: 'Add the return' }).click();
    await dialog.getByRole('button', { name: 'Hold the places', exact: true }).click();
    await expect(dialog.getByText('Choose the boat back, or sell without the return.').first()).toBeVisible();
    await dialog.getByLabel('Return: boat').selectOption({ index: 1 });
    await expect(dialog.getByText('$18.50', { exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Hold the places', exact: true }).click();
  });
  const held = page.getByRole('dialog', { name: 'The places are held' });
  await expect(held.getByRole('list', { name: 'Crossings' }).getByRole('listitem')).toHaveCount(2);
  await expectAccessibleInBothSchemes(page);
  const reference = await held.getByRole('link').innerText();
  await held.getByRole('button', { name: 'Done' }).click();
  const waiting = page.getByRole('table', { name: 'Orders that wait for payment' });
  await expect(waiting.getByRole('row', { name: reference })).toContainText('Sigrid Undset');
  await expectAccessibleInBothSchemes(page);

  await page.goto(`${ORIGINS.staff}/orders?q=Undset`);
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').click();
  await page.getByRole('button', { name: 'Take the payment' }).click();
  const payment = page.getByRole('dialog', { name: 'Take the payment' });
  await expectAccessibleInBothSchemes(page);
  await payment.getByRole('button', { name: '$18.50 taken: sell' }).click();
  await expect(page.getByText('The order is paid.', { exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Paid $18.50');
  await expect(page.getByRole('button', { name: 'Print tickets' })).toBeVisible();
  await page.goto(boat);
  await expect(page.getByRole('table', { name: 'Orders on this boat' })).toContainText(reference);
  await expect(waiting.getByText(reference)).toBeHidden();
});

/** Receipt printers have 203 dots to the inch, a browser's pixels are 96 to the inch. */
const DOTS_PER_PIXEL = 203 / 96;
const PIXELS_PER_MM = 96 / 25.4;

test('tickets are printed on rolls and on sheets, with codes that a reader reads', async ({
  openBrowser,
}) => {
  test.setTimeout(180_000);
  const email = newAddress('printed');
  await buyQuietly({ name: 'Beatrix Halvorsen', email });
  const clerk = await openBrowser({
    deviceScaleFactor: DOTS_PER_PIXEL,
    viewport: { width: 900, height: 900 },
  });
  await clerk.addInitScript(() => {
    window.print = () => undefined;
  });
  await acceptQuietly(clerk, (await invite('desk', 'Grace Hopper')).link);
  await clerk.goto(`${ORIGINS.staff}/orders?q=${encodeURIComponent(email)}`);
  await clerk.getByRole('table', { name: 'Orders' }).getByRole('link').click();
  const paper = clerk.getByRole('combobox', { name: 'Paper' });
  await expect(paper).toBeVisible();
  for (const { name, width, moduleMm } of [
    { name: 'Roll of 80 mm', width: 80, moduleMm: 0.99 },
    { name: 'Roll of 58 mm', width: 58, moduleMm: 0.8 },
    { name: 'A4', width: 210, moduleMm: 0.99 },
  ]) {
    await clerk.reload();
    await paper.selectOption(name);
    await clerk.getByRole('button', { name: 'Print tickets' }).click();
    await clerk.emulateMedia({ media: 'print' });
    await clerk.setViewportSize({ width: Math.round(width * PIXELS_PER_MM), height: 900 });
    const code = clerk.getByRole('img', { name: 'Code of this ticket' });
    await expect(code).toHaveCount(1);
    const sizes = await code.evaluate((svg) => ({
      width: svg.getBoundingClientRect().width,
      modules: Number(svg.getAttribute('viewBox')?.split(' ')[2]),
    }));
    expect(sizes.width / PIXELS_PER_MM / sizes.modules).toBeGreaterThan(moduleMm);
    expect(await readCodes(clerk)).toHaveLength(1);
    await clerk.emulateMedia({ media: null });
    await clerk.setViewportSize({ width: 900, height: 900 });
    await expect(paper).toHaveValue(name === 'A4' ? 'a4' : `roll${width}`);
  }
  await clerk.reload();
  await expect(paper).toHaveValue('a4');
});

/** Pressing a key takes 0.28 s on average, deciding what to do 1.35 s (keystroke-level model). In seconds. */
const KEY = 0.28;
const DECISION = 1.35;

test('the desk sells one adult for cash from the list of boats with fifteen keys at most', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 1280, height: 900 });
  await acceptQuietly(page, (await invite('desk', 'Grace Hopper')).link);
  await page.goto(`${ORIGINS.staff}/boats?port=MAD&day=${DAY}`);
  const sell = page.getByRole('link', { name: /^Sell for / });
  await expect(sell).toBeVisible();
  let keys = 0;
  const press = async (key: string) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  await press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await press('Enter');
  keys += await walkTo(page, sell);
  await press('Enter');
  await expect(page.getByRole('spinbutton', { name: 'Adult' })).toBeFocused();
  await press('Enter');
  keys += await walkTo(page, page.getByRole('radio', { name: 'Cash' }));
  await press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sold: Adult' })).toBeVisible();
  test.info().annotations.push({ type: 'keys', description: String(keys) });
  expect(keys).toBeLessThanOrEqual(15);
  expect(keys * KEY + 3 * DECISION).toBeLessThan(20);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sell tickets' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the desk begins a sale with “/” and sells one adult with seven keys', async ({ page }) => {
  test.setTimeout(180_000);
  await acceptQuietly(page, (await invite('desk', 'Grace Hopper')).link);
  await page.goto(`${ORIGINS.staff}/boats?port=MAD&day=${DAY}`);
  await expect(page.getByRole('link', { name: /^Sell for / })).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Order or page' })).toBeFocused();
  await page.keyboard.type('se');
  await expect(page.getByRole('option', { name: /^Sell for / }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expectAccessibleInBothSchemes(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('spinbutton', { name: 'Adult' })).toBeFocused();
  await page.keyboard.press('Enter');
  await walkTo(page, page.getByRole('radio', { name: 'Cash' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Sold: Adult' })).toBeVisible();
});

test('a group is sold the places that were held back for it', async ({ page }) => {
  test.setTimeout(180_000);
  await acceptQuietly(page, (await invite('manager', 'Luca Pacioli')).link);
  await page.goto(`${ORIGINS.staff}/boats/${await findBoat()}`);
  await page.getByRole('button', { name: 'Hold places back' }).click();
  const holding = page.getByRole('dialog', { name: 'Hold places back' });
  await holding.getByRole('spinbutton', { name: 'People' }).fill('5');
  await holding.getByLabel('For whom, or why').fill('Kelp choir');
  await holding.getByRole('button', { name: 'See what is left' }).click();
  await expect(holding).toContainText('5 people held back.');
  await holding.getByRole('button', { name: 'Hold places back' }).click();
  const held = page.getByRole('list', { name: 'Places held back' });
  await expect(held).toContainText('5 people: Kelp choir');
  await page.getByRole('button', { name: 'Sell tickets' }).click();
  await page.getByRole('spinbutton', { name: 'Adult', exact: true }).fill('3');
  await page.getByRole('button', { name: 'Show the price' }).click();
  const sale = page.getByRole('dialog', { name: '3 × Adult' });
  await sale.getByLabel('From the places held back').selectOption('Kelp choir: 5 people left');
  await expectAccessibleInBothSchemes(page);
  await sale.getByText('Cash', { exact: true }).click();
  await sale.getByRole('button', { name: /taken: sell$/ }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(held).toContainText('2 people: Kelp choir');
});

test('the desk sells both ways in one order', async ({ page }) => {
  test.setTimeout(180_000);
  await acceptQuietly(page, (await invite('desk', 'Grace Hopper')).link);
  await page.goto(`${ORIGINS.staff}/boats/${await findBoat()}`);
  await page.getByRole('button', { name: 'Sell tickets' }).click();
  await page.getByRole('button', { name: 'Show the price' }).click();
  const sale = page.getByRole('dialog', { name: 'Adult' });
  await sale.getByRole('button', { name: 'Add the return' }).click();
  await sale.getByLabel('Return: boat').selectOption({ index: 1 });
  await expect(sale.getByRole('button', { name: '$18.50 taken: sell' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await sale.getByRole('button', { name: '$18.50 taken: sell' }).click();
  const sold = page.getByRole('dialog', { name: 'Sold: Adult' });
  const reference = (await sold.locator('strong[translate="no"]').innerText()).trim();
  await page.goto(`${ORIGINS.staff}/orders/${reference}`);
  await expect(page.getByRole('table', { name: 'Tickets' }).getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Paid $18.50');
});

test('a group of 40 travels on an invoice: names come later, and the transfer is noted', async ({ page }) => {
  test.setTimeout(180_000);
  const email = newAddress('school');
  await acceptQuietly(page, (await invite('manager', 'Luca Pacioli')).link);
  await page.goto(`${ORIGINS.staff}/boats/${await findBoat()}`);
  await page.getByRole('button', { name: 'Sell tickets' }).click();
  const party = page.getByRole('dialog', { name: 'Sell tickets' });
  await party.getByRole('spinbutton', { name: 'Adult', exact: true }).fill('40');
  await party.getByLabel('Name of the group').fill('Kelp School');
  await expectAccessibleInBothSchemes(page);
  await party.getByRole('button', { name: 'Show the price' }).click();
  const sale = page.getByRole('dialog', { name: '40 × Adult' });
  await sale.getByText('Invoice, paid later').click();
  await sale.getByLabel('Company, school or agency').fill('Kelp School');
  await sale.getByLabel('Address', { exact: true }).fill('5 Shore Road, Port Madrona');
  await sale.getByLabel('Email', { exact: true }).fill(email);
  await expectAccessibleInBothSchemes(page);
  await sale.getByRole('button', { name: 'Sell on an invoice' }).click();
  const sold = page.getByRole('dialog', { name: 'Sold: 40 × Adult' });
  const reference = (await sold.locator('strong[translate="no"]').innerText()).trim();

  await page.goto(`${ORIGINS.staff}/orders/${reference}`);
  await page.getByRole('button', { name: 'Correct names' }).click();
  const names = page.getByRole('dialog', { name: 'Correct names' });
  const list = Array.from({ length: 40 }, (_, index) => `Pupil ${index + 1}`).join('\n');
  await names.getByLabel('One name per line').fill(list);
  await expectAccessibleInBothSchemes(page);
  await names.getByRole('button', { name: 'Save names' }).click();
  await expect(page.getByRole('table', { name: 'Tickets' })).toContainText('Pupil 40');

  await page.getByRole('link', { name: /^Invoice R-/ }).click();
  await expect(page.getByRole('tab', { name: 'Open (1)' })).toBeVisible();
  await page.getByLabel('Find an invoice').fill(reference);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${ORIGINS.staff}/invoices?q=${reference}`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'PDF' }).click();
  const pdf = await readFile(await (await downloading).path());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  await page.getByRole('button', { name: 'Note a transfer' }).click();
  const transfer = page.getByRole('dialog', { name: /^Transfer for R-/ });
  await transfer.getByLabel('What the statement says').fill('KELP SCHOOL FERRY');
  await expectAccessibleInBothSchemes(page);
  await transfer.getByRole('button', { name: 'Note it' }).click();
  await expect(page.getByText('The invoice is paid.')).toBeVisible();
  await page.getByRole('tab', { name: 'Paid (1)' }).click();
  await expect(page.getByRole('list', { name: 'Transfers' })).toContainText('KELP SCHOOL FERRY');
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
