import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { BoatDetails } from '#contract/desk/schemas.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { expireDueHolds } from '#server/orders/buy/expire-holds.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { addToQueue, type Clerk, sendLink, signInClerk } from '#tests/factories/staff-desk.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

let office: Office;
let boat: string;
let clerk: Clerk;
let manager: Clerk;
let findContradictions: ReturnType<typeof prepareQueries>;
beforeAll(async () => {
  office = await openOffice();
  findContradictions = prepareQueries(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 10 });
  boat = office.ferry.outward[0] ?? '';
  [clerk, manager] = [await signInClerk(office, 'desk'), await signInClerk(office, 'office')];
});

const SCHOOL = 'School trip';
const readBoat = async (): Promise<BoatDetails> => must(await clerk.call(api.getDeskBoat, { id: boat }));
const readHeldBack = async () =>
  (await readBoat()).held_back
    .map(({ reason, places }) => [reason, places.passenger, places.bicycle])
    .toSorted();
const readLoad = async () => (await readBoat()).boat.loads.find(({ resource }) => resource === 'passenger');
const readQueue = async () => must(await clerk.call(api.getQueue, { id: boat })).entries;

/** Holds places back, and tells the id. */
async function holdBack(passenger: number, reason = SCHOOL, more: object = {}): Promise<string> {
  office.clock.advance(1000);
  const places = { passenger, lane_cm: 0, tall_lane_cm: 0, bicycle: 0, ...more };
  must(await manager.call(api.holdBackPlaces, { id: boat }, { ...places, reason }));
  return (await readBoat()).held_back.find((each) => each.reason === reason)?.id ?? '';
}

async function sell(adults: number, heldBack: string[] = [], more: object = {}): Promise<TestReply> {
  const id = await addToQueue(clerk, boat, adults);
  const [quote] = must(await clerk.call(api.quoteQueueEntry, { id })).quotes;
  const sale = { quote_id: quote.id, payment: { method: 'cash' }, held_back: heldBack, ...more };
  return clerk.call(api.sellToQueueEntry, { id }, sale);
}

describe('a sale from places held back', () => {
  test('takes what it sells off them, so that the boat does not count it twice', async () => {
    const id = await holdBack(6);
    must(await sell(4, [id]));
    expect(await readHeldBack()).toEqual([[SCHOOL, 2, 0]]);
    expect(await readLoad()).toMatchObject({ taken: 4, held_back: 2, free_online: 4 });
    expectNone(await findContradictions());
  });

  test('ends them once they are used up, and takes the rest from what is free', async () => {
    const id = await holdBack(6);
    must(await sell(8, [id]));
    expect(await readHeldBack()).toEqual([]);
    expect(await readLoad()).toMatchObject({ taken: 8, held_back: 0, free_online: 2 });
    expect(codeOf(await manager.call(api.releaseHeldBackPlaces, { id }))).toBe('not_found');
    must(await sell(1, [id]));
    expectNone(await findContradictions());
  });

  test('leaves other kinds of places and other reasons as they are', async () => {
    const id = await holdBack(3, SCHOOL, { bicycle: 1 });
    await holdBack(2, 'Crew');
    must(await sell(3, [id]));
    expect(await readHeldBack()).toEqual([
      ['Crew', 2, 0],
      [SCHOOL, 0, 1],
    ]);
    expectNone(await findContradictions());
  });

  test('is in the audit log with what was left before and after', async () => {
    const id = await holdBack(6);
    must(await sell(4, [id]));
    const action = eq(auditLog.action, 'held_back_places_sold');
    expect(await office.context.db.select().from(auditLog).where(action)).toMatchObject([
      {
        ...{ actorId: clerk.id, objectKind: 'sailing', objectId: boat, reason: SCHOOL },
        ...{ before: { held_back_passenger: 6 }, after: { held_back_passenger: 2 } },
      },
    ]);
  });

  test('does not put them back when its order is canceled', async () => {
    const id = await holdBack(6);
    const sold = must(await sell(4, [id]));
    const { reference, ticket_ids } = sold;
    const quote = must(await clerk.call(api.quoteStaffCancellation, { reference }, { ticket_ids }));
    const { version, refund } = quote;
    must(await clerk.call(api.cancelStaffTickets, { reference }, { ticket_ids, version, refund }));
    expect(await readHeldBack()).toEqual([[SCHOOL, 2, 0]]);
    expect(await readLoad()).toMatchObject({ taken: 0, held_back: 2 });
    expectNone(await findContradictions());
  });

  test('leaves them as they are if it fails', async () => {
    const id = await holdBack(6);
    const payment = { method: 'trip_card', card: '6035 0000 0000 0000' };
    expect(codeOf(await sell(4, [id], { payment }))).toBe('unknown_trip_card');
    expect(await readHeldBack()).toEqual([[SCHOOL, 6, 0]]);
    expectNone(await findContradictions());
  });

  test('takes them when a payment link is mailed, and the places are free if it is not paid', async () => {
    const id = await holdBack(6);
    must(await sendLink(clerk, await addToQueue(clerk, boat, 4), { held_back: [id], minutes: 30 }));
    expect(await readHeldBack()).toEqual([[SCHOOL, 2, 0]]);
    expect(await readLoad()).toMatchObject({ taken: 4, held_back: 2, free_online: 4 });
    office.clock.advance(31 * 60_000);
    await expireDueHolds(office.context);
    expect(await readLoad()).toMatchObject({ taken: 0, held_back: 2, free_online: 8 });
    expectNone(await findContradictions());
  });

  test('is offered with what is left of them', async () => {
    const id = await holdBack(6);
    const entry = await addToQueue(clerk, boat, 4);
    expect(must(await clerk.call(api.quoteQueueEntry, { id: entry })).held_back).toMatchObject([
      { id, reason: SCHOOL, places: { passenger: 6, lane_cm: 0, tall_lane_cm: 0, bicycle: 0 } },
    ]);
  });

  test.each([
    ['no list', 'hbk_1'],
    ['three of them', ['hbk_1', 'hbk_2', 'hbk_3']],
    ['what is no id', [7]],
  ])('is refused with %s', async (_, heldBack) => {
    expect(codeOf(await sell(1, heldBack as string[]))).toBe('invalid_input');
  });
});

describe('a sale to others', () => {
  test('leaves what is held back', async () => {
    await holdBack(6);
    must(await sell(4));
    expect(await readHeldBack()).toEqual([[SCHOOL, 6, 0]]);
    expect(await readLoad()).toMatchObject({ taken: 4, held_back: 6, free_online: 0 });
  });

  test('that needs more than the others is refused with the name of what is held back', async () => {
    const id = await holdBack(6);
    await holdBack(1, 'Crew');
    const refused = await sell(4);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([
      {
        ...{ code: 'places_held_back', reason: 'held_back_for_others' },
        details: { resource: 'passenger', free: 3, sailing_id: boat },
      },
    ]);
    expect(refused.body.error).toContain(
      'Only 3 places are left besides those held back for “School trip”, “Crew”.',
    );
    expect(await readHeldBack()).toHaveLength(2);
    const tooMany = await sell(10, [id]);
    expect(tooMany.body.error).toContain('besides those held back for “Crew”.');
    must(await sell(9, [id]));
    expectNone(await findContradictions());
  });

  test('is sold out where even all places would not do', async () => {
    await holdBack(6);
    must(await sell(4));
    expect(codeOf(await sell(7))).toBe('sold_out');
  });
});

describe('the queue', () => {
  test('tells who fits, and who fits only into places held back', async () => {
    await holdBack(6);
    for (const adults of [3, 2, 9]) {
      office.clock.advance(1000);
      await addToQueue(clerk, boat, adults);
    }
    expect(await readQueue()).toMatchObject([
      { party: { passengers: [{ count: 3 }] }, fits: true, fits_held_back: false },
      { party: { passengers: [{ count: 2 }] }, fits: false, fits_held_back: true },
      { party: { passengers: [{ count: 9 }] }, fits: false, fits_held_back: false },
    ]);
  });
});

describe('two clerks', () => {
  test('who sell from the same places take them once, and nothing of what is held back for others', async () => {
    const id = await holdBack(4);
    await holdBack(4, 'Crew');
    const other = await signInClerk(office, 'desk');
    const entries = [await addToQueue(clerk, boat, 4), await addToQueue(other, boat, 4)];
    const sales = await Promise.all(
      entries.map(async (entry, index) => {
        const seller = index === 0 ? clerk : other;
        const [quote] = must(await seller.call(api.quoteQueueEntry, { id: entry })).quotes;
        const sale = { quote_id: quote.id, payment: { method: 'cash' }, held_back: [id] };
        return codeOf(await seller.call(api.sellToQueueEntry, { id: entry }, sale));
      }),
    );
    expect(sales.toSorted()).toEqual(['places_held_back', 'success']);
    expect(await readHeldBack()).toEqual([['Crew', 4, 0]]);
    expect(await readLoad()).toMatchObject({ taken: 4, held_back: 4 });
    expectNone(await findContradictions());
  });
});
