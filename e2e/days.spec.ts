import { type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test';
import { api } from '#contract/api.ts';
import type { Order } from '#contract/orders/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { formatMoney } from '#domain/format/money.ts';
import { chooseBoat, clockOf, expectAnswer, openGate, scan } from './pages/gate.ts';
import { moveToOfferedBoat, openOrderPage } from './pages/order-page.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { expectPrice, nextMonth, pressAndWait, raisePrice } from './pages/timetable.ts';
import { dayAhead } from './support/day-ahead.ts';
import {
  type DeskOffice,
  expectAudited,
  openDeskOffice,
  readCells,
  signInAs,
} from './support/desk-office.ts';
import { newAddress, testOfOwnServer as test } from './support/fixtures.ts';
import { LARGE_VESSEL } from './support/gate-office.ts';

/*
 * Whole days of the duty desk and the office, each in the windows of everyone who has a part in it. After each of them the
 * database keeps every promise of the ticket office, and the audit log has who did what, in order.
 */

let office: DeskOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openDeskOffice({ REFUND_LIMIT: '15' });
});
test.afterAll(() => office.stop());
test.beforeEach(({ complaints }) => {
  test.setTimeout(300_000);
  // Before signing in.
  complaints.expected.push(/401/);
});

/** Opens the window of someone at work, at a screen of a desk. */
type OpenWindow = (role: StaffRole, name: string) => Promise<Page>;

const windowsOf =
  (openBrowser: (options?: BrowserContextOptions) => Promise<Page>): OpenWindow =>
  async (role, name) => {
    const page = await openBrowser({ viewport: { width: 1280, height: 900 } });
    await signInAs(page, office, role, name);
    return page;
  };

const open = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Staff' }).getByRole('link', { name, exact: true }).click();
const history = (page: Page) => page.getByRole('list', { name: 'History' });

async function findOrder(page: Page, search: string): Promise<void> {
  await open(page, 'Orders');
  await page.getByLabel('Find an order').fill(search);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('table', { name: 'Orders' }).getByRole('link').click();
  await expect(history(page)).toBeVisible();
}

test('a caller who paid in cash is refunded beyond the rules: asked for by one, confirmed by another, and paid out', async ({
  openBrowser,
}) => {
  const openWindow = windowsOf(openBrowser);
  const [boat] = office.boats;
  const email = newAddress('beatrix');
  const seller = await openWindow('desk', 'Ida Lewis');
  await test.step('the desk opens its drawer, and sells three tickets for cash', async () => {
    await open(seller, 'Cash drawer');
    await seller.getByLabel('Money in it').fill('50');
    await seller.getByRole('button', { name: 'Open the drawer' }).click();
    await expect(seller.getByRole('heading', { name: 'Your drawer is open' })).toBeVisible();
    await seller.goto(`${office.origin}/boats/${boat}`);
    await seller.getByRole('button', { name: 'Sell tickets' }).click();
    const party = seller.getByRole('dialog', { name: 'Sell tickets' });
    await party.getByRole('spinbutton', { name: 'Adult', exact: true }).fill('3');
    await party.getByLabel('How you find them again').fill('Beatrix Halvorsen');
    await party.getByLabel('Phone').fill('+1 360 555 0142');
    await party.getByRole('button', { name: 'Show the price' }).click();
    const sale = seller.getByRole('dialog');
    await sale.getByRole('textbox', { name: 'Email' }).fill(email);
    await sale.getByRole('button', { name: '$27.75 taken: sell' }).click();
    await seller
      .getByRole('dialog', { name: /^Sold: / })
      .getByRole('button', { name: 'Done' })
      .click();
  });
  const tickets = await office.readMail(email, /^Your ferry tickets/);

  const asker = await openWindow('office', 'Grace Darling');
  await test.step('the office finds the caller by phone, and may not refund as much alone', async () => {
    await findOrder(asker, '360 555 0142');
    await asker.getByRole('button', { name: 'Refund beyond the rules' }).click();
    const form = asker.getByRole('dialog', { name: 'Refund beyond the rules' });
    await form.getByRole('radio', { name: 'Everything' }).check();
    await form.getByLabel('Reason').fill('Fell ill at the port');
    await form.getByRole('button', { name: 'See the refund' }).click();
    const preview = asker.getByRole('dialog', { name: 'Refund $27.75' });
    await expect(preview).toContainText('One person may refund up to $15.00 of an order beyond its rules.');
    await expect(preview).toContainText('$27.75 to be paid out');
    await preview.getByRole('button', { name: 'Ask for this refund' }).click();
    await expect(asker.getByText('A manager, not you, has to confirm it.')).toBeVisible();
  });
  const reference = /orders\/(\S+)$/.exec(asker.url())?.[1] ?? '';

  const manager = await openWindow('manager', 'Luca Pacioli');
  await test.step('a manager finds the request in the list, and confirms it', async () => {
    await open(manager, 'To do');
    const asked = manager.getByRole('table', { name: 'Refunds to approve' });
    await expect(asked.getByRole('row', { name: reference })).toContainText('Beatrix Halvorsen');
    await asked.getByRole('link', { name: reference }).click();
    await expect(manager.getByText('Reason: Fell ill at the port', { exact: true })).toBeVisible();
    await manager.getByRole('button', { name: 'Refund $27.75' }).click();
    await expect(history(manager)).toContainText('Refunded an order');
  });
  await test.step('the buyer is told, and sees it on the page of the order', async () => {
    expect(await office.readMail(email, /^Your order is canceled/)).toContain('27.75');
    const buyer = await openBrowser();
    await buyer.goto(/https?:\S+\/orders\/ord_\w+\/confirmation/.exec(tickets)?.[0] ?? '');
    await expect(buyer.getByText('Canceled', { exact: true }).first()).toBeVisible();
  });
  await test.step('the office pays it out in cash, once', async () => {
    await open(asker, 'To do');
    const due = asker.getByRole('table', { name: 'Refunds to pay out' });
    await due.getByRole('button', { name: `Paid out: ${reference}` }).click();
    const dialog = asker.getByRole('dialog', { name: 'Pay out $27.75 to Beatrix Halvorsen' });
    await dialog.getByRole('button', { name: 'It is paid out' }).click();
    await expect(asker.getByText('$27.75 noted as paid out.')).toBeVisible();
    await expect(asker.getByRole('button', { name: `Paid out: ${reference}` })).toBeHidden();
  });
  await test.step('the desk counts its drawer', async () => {
    await open(seller, 'Cash drawer');
    await seller.getByLabel('Counted').fill('77.75');
    await seller.getByRole('button', { name: 'Close the drawer' }).click();
    await expect(seller.getByText('The drawer is closed. It is right.')).toBeVisible();
  });

  await expectAudited(manager, office, [
    ['Opened a cash drawer', 'Ida Lewis'],
    ['Took a payment', 'Ida Lewis'],
    ['Asked for a refund', 'Grace Darling'],
    ['Refunded an order', 'Luca Pacioli'],
    ['Paid out a refund', 'Grace Darling'],
    ['Counted and closed a cash drawer', 'Ida Lewis'],
  ]);
  expect(await office.checkBooks()).toEqual([]);
});

const BROKEN_ORDERS = 120;
/** A few at once, as in a busy hour. */
const AT_ONCE = 6;
/** Every tenth party has a car. */
const CAR = { type: 'car', length_cm: 450, plate: '5KJH220' };

type Bought = Order & { email: string; phone: string };

/** Parties of one to three people, who can all be called. */
async function buyMany(sailing: string): Promise<Bought[]> {
  const bought: Bought[] = [];
  while (bought.length < BROKEN_ORDERS) {
    const parties = Array.from({ length: AT_ONCE }, (_, index) => bought.length + index);
    bought.push(
      ...(await Promise.all(
        parties.map(async (party) => {
          const [email, phone] = [newAddress('noon'), `+1360555${String(1000 + party)}`];
          const vehicle = party % 10 === 0 ? { vehicle: CAR } : {};
          return {
            ...(await office.buy(sailing, (party % 3) + 1, { email, phone, ...vehicle })),
            ...{ email, phone },
          };
        }),
      )),
    );
  }
  return bought;
}

/** The first boat of the large vessel at noon or later, on a day without the demo's full and late boats. */
async function findNoonBoat(day: string): Promise<string> {
  const boats = await office.listBoats(day);
  const noon = boats.find(
    ({ departs_local, vessel }) => departs_local.slice(11) >= '12' && vessel.name === LARGE_VESSEL,
  );
  return noon?.id ?? '';
}

test('a vessel breaks at noon with 120 orders: whom it affects, who answers and how, and whom to call', async ({
  openBrowser,
}) => {
  const openWindow = windowsOf(openBrowser);
  const orderList = (page: Page) => page.getByRole('table', { name: 'Orders on this boat' });
  const day = dayAhead(3);
  const boat = await findNoonBoat(day);
  const orders = await buyMany(boat);
  const [online, refunded, bounced, moved, silent, ...others] = orders;
  if (!online || !refunded || !bounced || !moved || !silent) throw new Error('Nothing was bought.');
  await office.readMail(bounced.email, /^Your ferry tickets/);
  office.mailbox.refused.add(bounced.email);

  const duty = await openWindow('office', 'Kate Walker');
  await duty.goto(`${office.origin}/boats?port=MAD&day=${day}`);
  await duty.locator(`a[href="/boats/${boat}"]`).click();
  await duty.getByRole('button', { name: 'Cancel the boat' }).click();
  const dialog = duty.getByRole('dialog', { name: 'Cancel the boat' });
  await dialog.getByText('This boat and the vessel’s later ones on this day').click();
  await dialog.getByLabel('Reason').selectOption('technical');
  await test.step('the preview says how many, where they fit, and what refunds cost; going back changes nothing', async () => {
    await dialog.getByRole('button', { name: 'See whom it affects' }).click();
    await expect(dialog).toContainText(`Passengers of ${BROKEN_ORDERS} orders are written to.`);
    const paid = formatMoney(sumOf(orders.map(({ paid }) => paid)), 'USD', 'en-US');
    await expect(dialog).toContainText(
      `${BROKEN_ORDERS} orders choose another boat or the refund. If all choose the refund, you pay back ${paid}.`,
    );
    const fits = await readOffered(dialog);
    expect(sumOf([...fits.values()])).toBe(sumOf(orders.map(({ tickets }) => countPeople(tickets))));
    // The water taxis of the afternoon take who fits, and the others are kept places on the next day's boats.
    expect([...fits].filter(([offered]) => offered.includes('Petrel'))).toHaveLength(2);
    for (const [offered, people] of fits)
      expect(people).toBeLessThanOrEqual(offered.includes('MV') ? 405 : 12);
    expect(fits.size).toBeGreaterThan(2);
    await expect(dialog.getByText('Mail on its way')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect(orderList(duty).getByText('Travels as bought')).toHaveCount(BROKEN_ORDERS);
  });

  const desk = await openWindow('desk', 'Abbie Burgess');
  await desk.goto(`${office.origin}/boats?port=MAD&day=${day}`);
  const onBoard = desk.getByRole('row').filter({ has: desk.locator(`a[href="/boats/${boat}"]`) });
  await test.step('the boat is canceled, and every board shows how many wait', async () => {
    await dialog.getByRole('button', { name: 'See whom it affects' }).click();
    await dialog.getByRole('button', { name: 'Cancel the boat' }).click();
    await expect(duty.getByText(`Done. Passengers of ${BROKEN_ORDERS} orders are written to.`)).toBeVisible();
    await expect(onBoard).toContainText('Canceled');
    await expect(onBoard).toContainText(`${BROKEN_ORDERS} orders wait`);
  });
  await test.step('a passenger chooses another boat on the page of the order', async () => {
    await moveToOfferedBoat(await openOrderPage(openBrowser, office, online.id));
  });
  await test.step('another one chooses the refund', async () => {
    const buyer = await openOrderPage(openBrowser, office, refunded.id);
    await buyer.getByRole('button', { name: /^Get a full refund/ }).click();
    const refund = buyer.getByRole('dialog');
    await refund.getByRole('button', { name: 'See your refund' }).click();
    await refund.getByRole('button', { name: 'Email me a code' }).click();
    const code = /\b\d{6}\b/.exec(await office.readMail(refunded.email, /\b\d{6}\b/))?.[0] ?? '';
    await refund.getByLabel('Code from the email').fill(code);
    await buyer.keyboard.press('Enter');
    await refund.getByRole('button', { name: 'Done' }).click();
    await expect(buyer.getByText(/^(On its way back|Refunded) to card/)).toBeVisible();
  });
  await test.step('whose mail came back is called: the desk refunds all tickets', async () => {
    await open(desk, 'To do');
    const undelivered = desk.getByRole('table', { name: 'Mails that could not be delivered' });
    const row = undelivered.getByRole('row', { name: bounced.reference });
    await expect(row.locator(`a[href="tel:${bounced.phone}"]`)).toBeVisible();
    await row.getByRole('link', { name: bounced.reference }).click();
    await desk.getByRole('button', { name: 'Cancel tickets' }).click();
    const choice = desk.getByRole('dialog', { name: 'Cancel tickets' });
    for (const ticket of await choice.getByRole('checkbox').all()) await ticket.check();
    await choice.getByRole('button', { name: 'See the refund' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Cancel 3 tickets' }).click();
    await expect(history(desk)).toContainText('Canceled tickets');
  });
  await test.step('one who calls is moved to another boat, at no charge', async () => {
    await findOrder(desk, moved.phone);
    await desk.getByRole('button', { name: 'Another day or boat' }).click();
    const picker = desk.getByRole('dialog', { name: 'Another day or boat' });
    await picker.getByLabel('Boat', { exact: true }).selectOption({ index: 1 });
    await picker.getByRole('button', { name: 'See the difference' }).click();
    await expect(picker).toContainText('This boat is free of charge, because theirs does not run as bought.');
    await picker.getByRole('button', { name: 'Change the order' }).click();
    await expect(history(desk)).toContainText('Moved an order to other boats');
  });
  await test.step('the others are left to be called', async () => {
    await duty.goto(`${office.origin}/boats/${boat}`);
    const list = orderList(duty);
    await expect(list.getByText('Waits for an answer')).toHaveCount(BROKEN_ORDERS - 4);
    for (const { reference } of [online, moved])
      await expect(list.getByRole('row', { name: reference })).toContainText('Moved to another boat');
    for (const { reference } of [refunded, bounced])
      await expect(list.getByRole('row', { name: reference })).toContainText('Refunded');
    await expect(
      list.getByRole('row', { name: silent.reference }).locator('a[href^="tel:"]'),
    ).toHaveAttribute('href', `tel:${silent.phone}`);
    await open(desk, 'To do');
    const waiting = desk.getByRole('table', { name: 'Passengers who have not answered' });
    await expect(waiting.getByRole('row', { name: silent.reference })).toBeVisible();
    await desk.goto(`${office.origin}/boats?port=MAD&day=${day}`);
    await expect(onBoard).toContainText(`${BROKEN_ORDERS - 4} orders wait`);
    await expect(desk.getByText('Overbooked')).toHaveCount(0);
  });

  await test.step('money went back once, to those who chose the refund', async () => {
    for (const { id, paid } of [refunded, bounced]) {
      await expect
        .poll(async () => (await office.readOrder(id)).refunds.map(({ status, amount }) => [status, amount]))
        .toEqual([['succeeded', paid]]);
    }
    for (const { id } of [online, moved, silent, ...others.slice(0, 5)])
      expect((await office.readOrder(id)).refunds).toEqual([]);
  });
  const manager = await openWindow('manager', 'Joshua James');
  await expectAudited(manager, office, [
    ['Canceled a sailing', 'Kate Walker'],
    ['Canceled tickets by the fare’s rules', 'Abbie Burgess'],
    ['Moved an order to other boats', 'Abbie Burgess'],
  ]);
  expect(await office.checkBooks()).toEqual([]);
});

test('a group of 40 on an invoice: names come later, three stay at home, the school pays, and all others board', async ({
  openBrowser,
}) => {
  const openWindow = windowsOf(openBrowser);
  // More than two hours ahead, until when the flexible fare is refunded in full.
  const boat = office.boats.at(-1) ?? '';
  const email = newAddress('school');
  const duty = await openWindow('office', 'Ellen Wright');
  await test.step('the office holds places back for the group', async () => {
    await duty.goto(`${office.origin}/boats/${boat}`);
    await duty.getByRole('button', { name: 'Hold places back' }).click();
    const dialog = duty.getByRole('dialog', { name: 'Hold places back' });
    await dialog.getByRole('spinbutton', { name: 'People' }).fill('40');
    await dialog.getByLabel('For whom, or why').fill('Kelp School');
    await dialog.getByRole('button', { name: 'See what is left' }).click();
    await dialog.getByRole('button', { name: 'Hold places back' }).click();
    await expect(duty.getByRole('list', { name: 'Places held back' })).toContainText('Kelp School');
  });

  const desk = await openWindow('desk', 'Margaret Norvell');
  let reference = '';
  await test.step('the desk sells 40 tickets on an invoice', async () => {
    await desk.goto(`${office.origin}/boats/${boat}`);
    await desk.getByRole('button', { name: 'Sell tickets' }).click();
    const party = desk.getByRole('dialog', { name: 'Sell tickets' });
    await party.getByRole('spinbutton', { name: 'Adult', exact: true }).fill('40');
    await party.getByLabel('Name of the group').fill('Kelp School');
    await party.getByRole('button', { name: 'Show the price' }).click();
    const sale = desk.getByRole('dialog', { name: '40 × Adult' });
    await sale.getByLabel('Fare').selectOption('Flexible, $460.00');
    await sale.getByText('Invoice, paid later').click();
    await sale.getByLabel('Company, school or agency').fill('Kelp School');
    await sale.getByLabel('Address', { exact: true }).fill('5 Shore Road, Port Madrona');
    await sale.getByLabel('Email', { exact: true }).fill(email);
    await sale.getByRole('button', { name: 'Sell on an invoice' }).click();
    const sold = desk.getByRole('dialog', { name: 'Sold: 40 × Adult' });
    reference = (await sold.locator('strong[translate="no"]').innerText()).trim();
    await sold.getByRole('button', { name: 'Done' }).click();
    await office.readMail(email, /^Invoice /);
  });
  await test.step('the office puts the other places on sale again', async () => {
    await duty.getByRole('button', { name: /^Sell online again: / }).click();
    await expect(duty.getByRole('list', { name: 'Places held back' })).toBeHidden();
  });
  await test.step('the names come later, and three pupils stay at home', async () => {
    await findOrder(desk, reference);
    await desk.getByRole('button', { name: 'Correct names' }).click();
    const names = desk.getByRole('dialog', { name: 'Correct names' });
    const pupils = Array.from({ length: 40 }, (_, index) => `Pupil ${index + 1}`);
    await names.getByLabel('One name per line').fill(pupils.join('\n'));
    await names.getByRole('button', { name: 'Save names' }).click();
    await expect(desk.getByRole('table', { name: 'Tickets' })).toContainText('Pupil 40');

    await desk.getByRole('button', { name: 'Cancel tickets' }).click();
    const choice = desk.getByRole('dialog', { name: 'Cancel tickets' });
    for (const pupil of ['Pupil 7', 'Pupil 8', 'Pupil 9'])
      await choice.getByRole('checkbox', { name: pupil, exact: true }).check();
    await choice.getByRole('button', { name: 'See the refund' }).click();
    const review = desk.getByRole('dialog', { name: 'Cancel 3 tickets' });
    await expect(review).toContainText('$34.50 off what is owed on the invoice');
    await review.getByRole('button', { name: 'Cancel 3 tickets' }).click();
    await expect(history(desk)).toContainText('Canceled tickets');
    // Otherwise the credit note follows within five minutes.
    await desk.getByText('Receipt', { exact: true }).click();
    await desk.getByRole('button', { name: 'Get a receipt' }).click();
    await expect(desk.getByRole('list', { name: 'Receipts' })).toContainText('Credit note ');
    expect(await office.readMail(email, /^Credit note /)).toContain('$425.50');
  });
  await test.step('the office notes what the school transfers, in two parts', async () => {
    await open(duty, 'Invoices');
    await duty.getByLabel('Find an invoice').fill(reference);
    await expect(duty.getByRole('main')).toContainText('$425.50');
    for (const [amount, noted] of [
      ['400', '$25.50 is still owed.'],
      ['25.50', 'The invoice is paid.'],
    ] as const) {
      await duty.getByRole('button', { name: 'Note a transfer' }).click();
      const transfer = duty.getByRole('dialog', { name: /^Transfer for R-/ });
      await transfer.getByLabel('Amount').fill(amount);
      await transfer.getByLabel('What the statement says').fill('KELP SCHOOL FERRY');
      await transfer.getByRole('button', { name: 'Note it' }).click();
      await expect(duty.getByText(noted, { exact: true })).toBeVisible();
    }
  });
  await test.step('37 pupils board, and are counted at the gate and on the page of the boat', async () => {
    const link = /\/orders\/(ord_\w+)\/confirmation/.exec(await office.readMail(email, /ferry tickets/));
    const order = await office.readOrder(link?.[1] ?? '');
    const ramp = await openBrowser();
    await openGate(ramp, office, { name: 'Ramp 1' });
    await chooseBoat(ramp, clockOf(order.legs[0]?.departs_local ?? ''));
    await scan(ramp, order.party_codes?.[0]?.barcode.payload ?? '');
    await expectAnswer(ramp, 'Let aboard', 'All 37 aboard');
    await ramp.getByRole('button', { name: 'Next', exact: true }).click();
    await ramp.getByRole('navigation', { name: 'Gate' }).getByRole('button', { name: 'Count' }).click();
    await expect(ramp.getByText('37 people aboard')).toBeVisible();
    await expect(ramp.getByText('All tickets sold are aboard.')).toBeVisible();
    await desk.goto(`${office.origin}/boats/${boat}`);
    await expect(desk.getByText('37 of 37', { exact: true })).toBeVisible();
  });

  const manager = await openWindow('manager', 'Walter Harvey');
  await expectAudited(manager, office, [
    ['Held places back', 'Ellen Wright'],
    ['Sold on an invoice', 'Margaret Norvell'],
    ['Put places on sale again that were held back', 'Ellen Wright'],
    ['Corrected an order', 'Margaret Norvell'],
    ['Canceled tickets by the fare’s rules', 'Margaret Norvell'],
    ['Got the receipts of an order', 'Margaret Norvell'],
    ['Noted a bank transfer', 'Ellen Wright'],
  ]);
  expect(await office.checkBooks()).toEqual([]);
});

test('prices rise next month: new sales cost more, older orders keep their price, and the rise is taken back', async ({
  openBrowser,
}) => {
  const openWindow = windowsOf(openBrowser);
  const { first, last } = nextMonth();
  const boats = await office.listBoats(first);
  const older = await office.buy(boats[0]?.id ?? '', 2, { fareClass: 'saver' });
  expect(older.total).toBe(2 * 925);
  const duty = await openWindow('office', 'Maria Andreu');
  await test.step('the office raises a price in the table, and sees the difference', async () => {
    await open(duty, 'Timetable');
    await duty.getByRole('link', { name: 'Edit the prices' }).click();
    await raisePrice(duty, { row: 'madrona-heron, saver, adult', percent: '10', from: first });
    await pressAndWait(duty, 'Show the difference', api.checkTimetable.path);
    const prices = duty.getByRole('table', { name: 'Prices: 2 changed, 0 new, 0 ended' });
    await expect(prices).toContainText('$10.20 from');
    await expect(duty.getByText(/^No sailing changes\./)).toBeVisible();
    await pressAndWait(duty, 'Apply all of it', api.applyTimetable.path);
    await expect(duty.getByText('Done. No passengers are written to.')).toBeVisible();
  });

  const buyer = await openBrowser();
  const email = newAddress('newer');
  await test.step('customers pay the old price this month, and the new one next month', async () => {
    await expectPrice(buyer, office, last, '$9.25');
    await expectPrice(buyer, office, first, '$10.20');
    const purchase = new PurchasePage(buyer);
    await purchase.sailings.filter({ hasText: 'PM arrives' }).first().getByRole('button').click();
    await purchase.keepPlaces();
    await purchase.fillContact({ name: 'Nia Newer', email });
    await purchase.continueToPayment();
    await expect(purchase.payButton).toHaveText(/\$10\.20/);
    await purchase.payWith(CARDS.pays);
    await purchase.expectTickets();
    expect(await office.readMail(email, /^Your ferry tickets/)).toContain('$10.20');
  });
  await test.step('the older order keeps what it was bought for', async () => {
    await findOrder(duty, older.reference);
    await expect(history(duty)).toContainText('Paid $18.50');
    expect((await office.readOrder(older.id)).total).toBe(older.total);
  });
  await test.step('the rise is taken back: the old price is sold again, and the newer order keeps its own', async () => {
    await open(duty, 'Timetable');
    const changes = duty.getByRole('table', { name: 'Last changes' });
    await changes.getByRole('row').nth(1).getByRole('button').click();
    await pressAndWait(duty, 'Apply all of it', '/take_back');
    await expect(changes.getByRole('row').nth(1)).toContainText('taken back');
    await expectPrice(buyer, office, first, '$9.25');
    await findOrder(duty, email);
    await expect(history(duty)).toContainText('Paid $10.20');
  });

  const manager = await openWindow('manager', 'Fannie Salter');
  await expectAudited(manager, office, [['Changed the timetable or the prices', 'Maria Andreu']]);
  expect(await office.checkBooks()).toEqual([]);
});

test('a wrong setting is refused by name, and the right one is seen on an open page and in a mail', async ({
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(/422/);
  const openWindow = windowsOf(openBrowser);
  const email = newAddress('caller');
  const { reference } = await office.buy(office.boats[1], 1, { email });
  const customer = await openBrowser();
  await customer.clock.install();
  await customer.goto(office.ticketsOrigin);
  await expect(customer.getByRole('button', { name: 'Show sailings' })).toBeEnabled();
  await customer.evaluate(() => Reflect.set(window, 'sameDocument', true));

  const manager = await openWindow('manager', 'Emily Fish');
  await open(manager, 'Settings');
  const phone = manager.getByLabel('Phone', { exact: true });
  const check = manager.getByRole('button', { name: 'Check and preview' });
  await test.step('a phone number without digits is refused, and nothing is published', async () => {
    await phone.fill('call us');
    await check.click();
    await expect(manager.getByRole('alert').filter({ hasText: 'Nothing is published yet' })).toContainText(
      '“call us” is not possible here. Allowed: a phone number of 3 to 40 characters',
    );
    await expect(phone).toHaveAttribute('aria-invalid', 'true');
  });
  await test.step('the right one is previewed and published', async () => {
    await phone.fill('+1 206 555 0199');
    await manager.getByLabel('Tagline', { exact: true }).fill('Home by sea.');
    await check.click();
    const preview = manager.getByRole('dialog', { name: 'Publish these settings?' });
    await expect(preview.getByRole('row', { name: 'Phone' })).toContainText('+1 206 555 0199');
    await preview.getByRole('button', { name: 'Publish' }).click();
    await expect(manager.getByText('The settings are published.')).toBeVisible();
  });
  await test.step('an open page shows it on its next screen, and so does a mail', async () => {
    // Open pages ask for new settings every ten seconds at most.
    await customer.clock.fastForward(10_000);
    await customer.getByRole('button', { name: 'Show sailings' }).click();
    await customer.goBack();
    await expect(customer.getByText('Home by sea.')).toBeVisible();
    expect(await customer.evaluate(() => 'sameDocument' in window)).toBe(true);
    await customer.getByRole('link', { name: 'Help' }).first().click();
    await expect(customer.getByRole('link', { name: '+1 206 555 0199' }).first()).toBeVisible();

    await findOrder(manager, reference);
    await manager.getByRole('button', { name: 'Mail the tickets again' }).click();
    await expect(history(manager)).toContainText('Mailed the tickets again');
    await expect.poll(() => office.readMail(email, /^Your ferry tickets/)).toContain('+1 206 555 0199');
  });

  await expectAudited(manager, office, [
    ['Changed the settings', 'Emily Fish'],
    ['Mailed the tickets again', 'Emily Fish'],
  ]);
  expect(await office.checkBooks()).toEqual([]);
});

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
const countPeople = (tickets: Order['tickets']) => tickets.filter(({ kind }) => kind === 'passenger').length;

/** How many people are offered which boat. */
async function readOffered(list: Locator): Promise<Map<string, number>> {
  const offered = new Map<string, number>();
  for (const [, , , party = '', , boat = ''] of await readCells(list)) {
    offered.set(boat, (offered.get(boat) ?? 0) + Number.parseInt(party, 10));
  }
  return offered;
}
