import { afterAll, describe, expect, test } from 'vitest';
import { auditBooks, cleanBooks, readOrders } from './books.ts';
import { drawKills, openKilledOffice } from './killed-office.ts';
import { newEmbeddedPlace, newPostgresPlace, type Place } from './places.ts';
import { endAll } from './server-process.ts';
import { buyTicket, publishableKeyOf, sailingsOf } from './shopper.ts';

const BUYERS = 20;
/** The number of responses before each kill, drawn with a fixed seed over the whole of the purchases. */
const KILLS = drawKills(20_260_601, { count: 3, within: 100 });

afterAll(endAll);

describe.each([
  ['the embedded engine', async () => newEmbeddedPlace()],
  ['PostgreSQL', newPostgresPlace],
] as const)('on %s', (_, newPlace: () => Promise<Place>) => {
  test('a server killed repeatedly in the middle of twenty purchases loses nothing and charges no card twice', async () => {
    const place = await newPlace();
    const office = await openKilledOffice(place);
    const publishableKey = await publishableKeyOf(office.send);
    const [sailing = ''] = await sailingsOf(office.send);
    office.killAfter(KILLS);

    const outcomes = await Promise.all(
      Array.from({ length: BUYERS }, (__, index) =>
        buyTicket(office.send, { sailing, email: `buyer${index}@example.com`, publishableKey }),
      ),
    );
    expect(office.kills(), 'every kill fell into the purchases').toBe(KILLS.length);
    expect(await office.close()).toBe(0);

    const database = await place.openDatabase();
    const orders = (await readOrders(database.store)).filter(({ email }) => email.startsWith('buyer'));
    expect(outcomes.map(({ result }) => result)).toEqual(Array(BUYERS).fill('confirmed'));
    expect(orders.map(({ id }) => id).toSorted()).toEqual(outcomes.map(({ orderId }) => orderId).toSorted());
    expect(new Set(orders.map(({ email }) => email)).size).toBe(BUYERS);
    for (const order of orders)
      expect(order).toMatchObject({ status: 'confirmed', tickets: 1, charges: 1, refunds: 0 });
    expect(await auditBooks(database.store)).toEqual(cleanBooks);
    await database.close();
    await place.remove();
  }, 180_000);
});
