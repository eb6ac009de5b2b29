import { afterAll, describe, expect, test } from 'vitest';
import { auditBooks, cleanBooks, readOrders } from './books.ts';
import { drawKills, openKilledOffice } from './killed-office.ts';
import { cancelDownTo, changeTo, type OrderOwner, readOrder, validTickets } from './order-owner.ts';
import { newEmbeddedPlace, newPostgresPlace, type Place } from './places.ts';
import { endAll } from './server-process.ts';
import { buyTicket, dataOf, publishableKeyOf, sailingsOf } from './shopper.ts';

const BUYERS = 20;
/** Devices of the one customer, because each session has a limit of requests per minute. */
const DEVICES = 4;
const ADULTS = 4;
const DEMO = { email: 'demo@harborline.example', password: 'by ferry across the sound' };
/** The number of responses before each kill, drawn with fixed seeds over the whole of both parts. */
const KILLS = {
  purchases: drawKills(20_260_601, { count: 3, within: 100 }),
  changes: drawKills(20_261_123, { count: 3, within: 300 }),
};

afterAll(endAll);

// Side by side: each waits for its restarts, and no other test is left beside the longest one.
describe.concurrent.each([
  // Each buyer cancels and changes twice on one engine and three times on the other: 100 times in all.
  ['the embedded engine', 2, async () => newEmbeddedPlace()],
  ['PostgreSQL', 3, newPostgresPlace],
] as const)('on %s', (_, rounds, newPlace: () => Promise<Place>) => {
  test('a server killed in the middle of purchases, cancellations and changes loses, doubles and owes nothing', async () => {
    const place = await newPlace();
    const office = await openKilledOffice(place);
    const publishableKey = await publishableKeyOf(office.send);
    const sailings = await sailingsOf(office.send);
    const [sailing = ''] = sailings;
    const signIn = { host: 'my', body: DEMO };
    const sessions = await Promise.all(
      Array.from({ length: DEVICES }, () => office.send('/api/customers/sessions/sign_in', signIn)),
    );
    const tokens = sessions.map((reply): string => dataOf(reply).token);
    office.killAfter(KILLS.purchases);
    const outcomes = await Promise.all(
      Array.from({ length: BUYERS }, (__, index) => {
        const email = `buyer${index}@example.com`;
        const token = tokens[index % DEVICES] ?? '';
        return buyTicket(office.send, { sailing, email, publishableKey, adults: ADULTS, token });
      }),
    );
    expect(office.kills(), 'every kill fell into the purchases').toBe(KILLS.purchases.length);
    expect(outcomes.map(({ result }) => result)).toEqual(Array(BUYERS).fill('confirmed'));

    office.killAfter(KILLS.changes);
    const owners = outcomes.map(
      ({ orderId }, index): OrderOwner => ({
        send: office.send,
        token: tokens[index % DEVICES] ?? '',
        publishableKey,
        path: `/api/orders/${orderId}`,
      }),
    );
    await Promise.all(
      owners.map(async (owner, index) => {
        for (let round = 1; round <= rounds; round += 1) {
          await cancelDownTo(owner, ADULTS - round);
          await changeTo(owner, { sailing: sailings[round % 2] ?? '', adults: adultsAfter(round, index) });
        }
      }),
    );
    const planned = KILLS.purchases.length + KILLS.changes.length;
    expect(office.kills(), 'every kill fell into the cancellations and changes').toBe(planned);

    for (const [index, owner] of owners.entries()) {
      const order = await readOrder(owner);
      const boats = validTickets(order).map((ticket) => ticket.sailing_id);
      expect(boats).toEqual(Array(adultsAfter(rounds, index)).fill(sailings[rounds % 2]));
      expect(order.status).toBe('partly_canceled');
    }
    expect(await office.close()).toBe(0);

    const database = await place.openDatabase();
    const orders = (await readOrders(database.store)).filter(({ email }) => email.startsWith('buyer'));
    expect(orders.map(({ id }) => id).toSorted()).toEqual(outcomes.map(({ orderId }) => orderId).toSorted());
    expect(new Set(orders.map(({ email }) => email)).size).toBe(BUYERS);
    expect(await auditBooks(database.store)).toEqual(cleanBooks);
    await database.close();
    await place.remove();
  }, 180_000);
});

/** How many adults a change leaves. In the second round every other order gets one more, and pays for it. */
function adultsAfter(round: number, buyer: number): number {
  return ADULTS - round + (round === 2 && buyer % 2 === 0 ? 1 : 0);
}
