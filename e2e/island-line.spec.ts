import { expect, type Page } from '@playwright/test';
import { EASTBOUND, type TestCall } from '#tests/factories/island-line.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { dayAhead } from './support/day-ahead.ts';
import { expectAccessible, newAddress, testOfOwnServer as test } from './support/fixtures.ts';
import { type IslandOffice, openIslandOffice } from './support/island-office.ts';
import { putBehind, putInFront } from './support/releases.ts';

/** The trip with its calls some minutes later. */
function later(calls: readonly TestCall[], minutes: number): TestCall[] {
  const add = (time: string) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    const sum = hour * 60 + minute + minutes;
    return `${Math.floor(sum / 60)}:${String(sum % 60).padStart(2, '0')}:00`;
  };
  return calls.map(([port, arrives, departs]) => [port, add(arrives), add(departs)]);
}

/** From Friday to the mainland, on the minutes of the eastbound trip. */
const WESTBOUND: TestCall[] = EASTBOUND.map(([, arrives, departs], index) => [
  EASTBOUND.at(-1 - index)?.[0] ?? '',
  arrives,
  departs,
]);
const TRIPS = {
  'trip-1': EASTBOUND,
  'trip-2': later(EASTBOUND, 240),
  'trip-3': later(WESTBOUND, 120),
  'trip-4': later(WESTBOUND, 360),
};
/** Each test has the boats of a separate day, counted from today. */
const DAYS_AHEAD = { returnTrip: 2, lastPlace: 3, smallBoat: 4, newTimetable: 5 };

let office: IslandOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openIslandOffice(TRIPS);
});
test.afterAll(() => office.stop());

async function searchSailings(page: Page, from: string, to: string, daysAhead: number): Promise<void> {
  const purchase = new PurchasePage(page);
  await purchase.open(office.origin);
  await page.getByLabel('From', { exact: true }).selectOption({ label: from });
  await page.getByLabel('To', { exact: true }).selectOption({ label: to });
  await purchase.showSailings(daysAhead);
}

function choose(page: Page, clock: string): Promise<void> {
  return page.getByRole('button', { name: `Choose the ${clock} sailing` }).click();
}

async function pay(purchase: PurchasePage, email: string): Promise<void> {
  await purchase.fillContact({ name: 'Isla Islander', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
}

/** The counts by stretch of a departure from Lopez, as the operator reads them: ports, then passengers. */
async function readStretches(day: string, time: string): Promise<string[]> {
  const printed = await office.run('sailings', 'manifest', day, 'LOP', time);
  return printed
    .slice(printed.lastIndexOf('\n\n'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .slice(0, 3)
        .join(' '),
    );
}

test('a visitor buys a return between two ports in the middle of a line, and takes places on their stretches only', async ({
  page,
  purchase,
}) => {
  const day = dayAhead(DAYS_AHEAD.returnTrip);
  await purchase.open(office.origin);
  await page.getByRole('radio', { name: 'Return' }).check();
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Lopez' });
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Orcas' });
  await purchase.showSailings(DAYS_AHEAD.returnTrip);
  const outward = purchase.sailings.filter({ hasText: '9:22' });
  await expect(outward).toContainText('10:00');
  await expect(outward).toContainText('Shaw');
  await expectAccessible(page);
  await choose(page, '9:22 AM');
  const back = page.getByRole('region', { name: /^Return/ });
  await back
    .getByRole('button', { name: /^Choose the / })
    .first()
    .click();
  await purchase.keepPlaces();
  await pay(purchase, newAddress('isla'));
  const main = page.getByRole('main');
  await expect(main).toContainText(/Lopez[\s\S]*Orcas[\s\S]*Orcas[\s\S]*Lopez/);
  await expectAccessible(page);
  expect(await readStretches(day, '9:22')).toEqual(['MAI LOP 0', 'LOP SHA 1', 'SHA ORC 1', 'ORC FRI 0']);
});

test('the last place on a stretch is sold to one of two buyers, and the other finds one on the next stretch', async ({
  openBrowser,
  complaints,
}) => {
  // The second buyer is refused.
  complaints.expected.push(/status of 422/);
  const day = dayAhead(DAYS_AHEAD.lastPlace);
  await takePlaces(day, 9);
  const pages = await Promise.all([0, 1].map(() => openBrowser()));
  const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
  for (const page of pages) {
    await searchSailings(page, 'Lopez', 'Orcas', DAYS_AHEAD.lastPlace);
    await choose(page, '9:22 AM');
    await expect(goOn(page)).toBeEnabled();
  }
  await Promise.all(pages.map((page) => goOn(page).click()));
  const details = (page: Page) => page.getByRole('heading', { name: 'Your details' });
  const refusal = (page: Page) => page.getByText(/has no room for your party/).first();
  for (const page of pages) await expect(details(page).or(refusal(page))).toBeVisible();
  const [winner, loser] = (await details(pages[0]!).isVisible()) ? pages : pages.toReversed();
  if (!winner || !loser) throw new Error('There are two buyers.');
  await expect(details(winner)).toBeVisible();
  await expect(refusal(loser)).toBeVisible();

  await searchSailings(loser, 'Orcas', 'Friday', DAYS_AHEAD.lastPlace);
  await choose(loser, '10:02 AM');
  await new PurchasePage(loser).keepPlaces();
  await pay(new PurchasePage(winner), newAddress('winner'));
  expect((await readStretches(day, '9:22')).at(1)).toBe('LOP SHA 1');
});

test('a smaller boat leaves out an order, about which the operator and the customer are told', async ({
  page,
  purchase,
}) => {
  const email = newAddress('family');
  await purchase.open(office.origin);
  await page.getByRole('button', { name: 'More: Adult' }).click({ clickCount: 2 });
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Lopez' });
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Orcas' });
  await purchase.showSailings(DAYS_AHEAD.smallBoat);
  await choose(page, '9:22 AM');
  await purchase.keepPlaces();
  await pay(purchase, email);
  const reference = await purchase.reference();
  const told = await office.run('sailings', 'vessel', dayAhead(DAYS_AHEAD.smallBoat), 'LOP', '9:22', 'skiff');
  expect(told).toContain(reference);
  expect(told).toContain('Isla Islander');
  await page.reload();
  await expect(page.getByText(/A smaller boat runs on your sailing/)).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => listSubjects(email)).toHaveLength(2);
  expect((await listSubjects(email))[0]).toContain(reference);
});

test('a new timetable with other trip ids keeps the boat of a ticket, and is shown in open tabs', async ({
  page,
  purchase,
  openBrowser,
}) => {
  const email = newAddress('weekly');
  await searchSailings(page, 'Lopez', 'Orcas', DAYS_AHEAD.newTimetable);
  await choose(page, '9:22 AM');
  await purchase.keepPlaces();
  await pay(purchase, email);
  const other = await openBrowser();
  await other.clock.install();
  await searchSailings(other, 'Lopez', 'Orcas', DAYS_AHEAD.newTimetable);
  await expect(other.getByRole('button', { name: /^Choose the / })).toHaveCount(2);

  // The id of the sold boat goes to another trip, half an hour later than before.
  await office.importTrips({
    'trip-1': later(EASTBOUND, 270),
    'trip-5': EASTBOUND,
    'trip-2': later(WESTBOUND, 120),
    'trip-6': later(WESTBOUND, 360),
  });
  await putBehind(other);
  await other.clock.fastForward('01:00');
  await putInFront(other);
  await expect(other.getByRole('button', { name: 'Choose the 1:52 PM sailing' })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Choose the 1:22 PM sailing' })).toHaveCount(0);
  await expect(other.getByRole('button', { name: 'Choose the 9:22 AM sailing' })).toBeVisible();
  await page.reload();
  await purchase.expectTickets();
  await expect(page.getByRole('main')).toContainText('9:22');
  await expect(page.getByText('Your sailing has changed')).toHaveCount(0);
  await expect.poll(() => listSubjects(email)).toHaveLength(1);
});

/** Takes places from Lopez to Orcas on the first boat of a day through the API, as other buyers would. */
async function takePlaces(day: string, count: number): Promise<void> {
  const { send } = office.server;
  const { ports, routes } = (await send('/api/catalogue')).json().data;
  const idOf = (name: string) => ports.find((port: { name: string }) => port.name === name).id;
  const route = routes.find(
    (each: { origin_port_id: string; destination_port_id: string }) =>
      each.origin_port_id === idOf('Lopez') && each.destination_port_id === idOf('Orcas'),
  );
  const [sailing] = (await send(`/api/sailings?route_id=${route.id}&date=${day}&passengers[adult]=1`)).json()
    .data;
  const body = {
    legs: [{ sailing_id: sailing.id }],
    passengers: [{ type: 'adult', count }],
    fare_class: 'saver',
  };
  const quote = (await send('/api/quotes', { body })).json().data;
  const held = await send('/api/holds', {
    body: { quote_id: quote.id },
    idempotencyKey: crypto.randomUUID(),
  });
  expect(held.status).toBe(201);
}

/** The subjects of the mails that an address got, newest first. */
async function listSubjects(email: string): Promise<string[]> {
  const path = `/api/messages?to=${encodeURIComponent(email)}`;
  const mails = (await office.server.send(path, { host: 'mail' })).json().data as { subject: string }[];
  return mails.map(({ subject }) => subject);
}
