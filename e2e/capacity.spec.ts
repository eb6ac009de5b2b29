import { expect } from '@playwright/test';
import { PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { dayAhead } from './support/day-ahead.ts';
import { expectAccessiblePopover, newAddress, send, test } from './support/fixtures.ts';

type Catalogue = {
  routes: { id: string }[];
  passenger_types: { code: string; is_default: boolean }[];
  max_party: number;
};
type Sailing = { id: string; departs_at: string };

/** The last sailing of a separate day, so that no other test sells its places. */
const DAYS_AHEAD = 9;

test('the last place is sold to one of two buyers, and the other is told before paying', async ({
  openBrowser,
  complaints,
}) => {
  // The second buyer is refused.
  complaints.expected.push(/status of 422/);
  const sailing = await leaveOnePlace();
  const buyers = await Promise.all([0, 1].map(async () => new PurchasePage(await openBrowser())));
  for (const buyer of buyers) {
    await buyer.openSailings(DAYS_AHEAD);
    await buyer.chooseSailing((await buyer.page.getByRole('button', { name: /^Choose the / }).count()) - 1);
    await expect(buyer.page.getByRole('button', { name: 'Continue', exact: true })).toBeEnabled();
  }
  await Promise.all(
    buyers.map((buyer) => buyer.page.getByRole('button', { name: 'Continue', exact: true }).click()),
  );
  const [first, second] = buyers.map((buyer) => buyer.page.getByRole('heading', { name: 'Your details' }));
  if (!first || !second) throw new Error('two buyers');
  await expect(first.or(buyers[0]!.page.getByText(/has no room for your party/).first())).toBeVisible();
  await expect(second.or(buyers[1]!.page.getByText(/has no room for your party/).first())).toBeVisible();
  const got = [await first.isVisible(), await second.isVisible()];
  expect(got.filter(Boolean)).toHaveLength(1);

  const loser = buyers[got.indexOf(false)]!;
  await loser.page.getByRole('button', { name: 'Choose another sailing' }).click();
  const status = loser.sailings.getByRole('button', { name: 'Online sales closed (what does this mean?)' });
  await expectAccessiblePopover(status, /or the places sold online are gone/);

  const winner = buyers[got.indexOf(true)]!;
  await winner.fillContact({ name: 'Lucky Last', email: newAddress('last') });
  await winner.continueToPayment();
  await winner.payWith('4242424242424242');
  await winner.expectTickets();
  const left = await send(ORIGINS.tickets, 'GET', `/api/sailings/${sailing}`);
  expect((left.body.data as { availability: { left: number } }).availability.left).toBe(0);
});

test('an expired hold is reported while the form is open, and the choice is kept', async ({
  purchase,
  page,
}) => {
  await page.clock.install();
  await purchase.open();
  await purchase.showSailings(3);
  await purchase.chooseSailing(2);
  const taken = page.waitForResponse(
    (response) => response.url().endsWith('/api/holds') && response.request().method() === 'POST',
  );
  await purchase.keepPlaces();
  const hold = ((await (await taken).json()) as { data: { id: string } }).data.id;
  await send(ORIGINS.tickets, 'DELETE', `/api/holds/${hold}`);
  await page.clock.fastForward('10:30');
  await expect(page.getByText(/Your hold expired/).first()).toBeVisible();
});

/** Takes places through the API, as other buyers would, until one is left on the last sailing of the day. */
async function leaveOnePlace(): Promise<string> {
  const { routes, passenger_types, max_party } = (await send(ORIGINS.tickets, 'GET', '/api/catalogue')).body
    .data as Catalogue;
  const type = passenger_types.find((each) => each.is_default)?.code ?? 'adult';
  const query = `route_id=${routes[0]?.id}&date=${dayAhead(DAYS_AHEAD)}&passengers[${type}]=1`;
  const found = await send(ORIGINS.tickets, 'GET', `/api/sailings?${query}`);
  const sailing = (found.body.data as Sailing[]).at(-1)?.id ?? '';
  let last = '';
  for (let id = await hold(sailing, type, max_party); id !== null; id = await hold(sailing, type, max_party))
    last = id;
  while ((await hold(sailing, type, 1)) !== null);
  // Every place is held now; of the last party's, all but one are taken again one by one.
  await send(ORIGINS.tickets, 'DELETE', `/api/holds/${last}`);
  for (let taken = 1; taken < max_party; taken += 1) await hold(sailing, type, 1);
  return sailing;
}

/** Returns the hold's id, or null if there are not enough places. */
async function hold(sailing: string, type: string, count: number): Promise<string | null> {
  const quote = await send(ORIGINS.tickets, 'POST', '/api/quotes', {
    body: { legs: [{ sailing_id: sailing }], passengers: [{ type, count }], fare_class: 'saver' },
  });
  const { id } = quote.body.data as { id: string };
  const reply = await send(ORIGINS.tickets, 'POST', '/api/holds', {
    body: { quote_id: id },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  return reply.status < 300 ? (reply.body.data as { id: string }).id : null;
}
