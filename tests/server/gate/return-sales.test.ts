import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { ReturnBoats, Sold } from '#contract/gate/sales/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { addToQueue, type Clerk, sendLink, signInClerk } from '#tests/factories/staff-desk.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

let office: Office;
let boat: string;
let back: string;
let clerk: Clerk;
let findContradictions: ReturnType<typeof prepareQueries>;
beforeAll(async () => {
  office = await openOffice();
  findContradictions = prepareQueries(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 10 });
  [boat = '', back = ''] = [office.ferry.outward[0], office.ferry.back[0]];
  clerk = await signInClerk(office, 'desk');
});

const listReturns = (id: string, day = '') =>
  clerk.call(
    { ...api.listQueueReturns, path: `${api.listQueueReturns.path}${day && `?day=${day}`}` },
    { id },
  );
const idsOf = ({ boats }: ReturnBoats) => boats.map(({ sailing_id }) => sailing_id);
const quote = (id: string, returnId = back) =>
  clerk.call(api.quoteQueueEntry, { id }, { return_sailing_id: returnId });
const sell = async (id: string, more: object = {}) =>
  clerk.call(
    api.sellToQueueEntry,
    { id },
    { quote_id: must(await quote(id)).quotes[0].id, payment: { method: 'cash' }, ...more },
  );

/** Holds people's places of a sailing back, and tells the id. */
async function holdBack(id: string, passenger: number): Promise<string> {
  const manager = await signInClerk(office, 'office');
  const places = { passenger, lane_cm: 0, tall_lane_cm: 0, bicycle: 0 };
  must(await manager.call(api.holdBackPlaces, { id }, { ...places, reason: 'School trip' }));
  return must(await manager.call(api.getDeskBoat, { id })).held_back[0].id;
}

describe('GET /api/staff/gate/queue/{id}/returns', () => {
  test('lists the boats back that leave after the arrival and have room, also with what is held back', async () => {
    const id = await addToQueue(clerk, boat, 6);
    const listed: ReturnBoats = must(await listReturns(id));
    expect(listed).toMatchObject({ day: '2026-06-02', first_day: '2026-06-02' });
    expect(idsOf(listed)).toContain(back);
    await holdBack(back, 10);
    expect(idsOf(must(await listReturns(id)))).toContain(back);
  });

  test('lists those of another day, and none that left before the arrival', async () => {
    const last = office.ferry.outward.at(-1) ?? '';
    const id = await addToQueue(clerk, last, 1);
    const { first_day: day, boats }: ReturnBoats = must(await listReturns(id));
    expect(boats.every(({ departs_local }) => departs_local.slice(0, 10) === day)).toBe(true);
    expect(idsOf(must(await listReturns(id, '2026-06-02')))).not.toContain(back);
  });

  test('is refused without the right to sell, for an unknown party and for what is no day', async () => {
    const id = await addToQueue(clerk, boat);
    const path = fillPath(api.listQueueReturns.path, { id });
    expect((await office.request('GET', path)).status).toBe(401);
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await gate.call(api.listQueueReturns, { id }))).toBe('not_permitted');
    expect(codeOf(await listReturns('que_00000000000000000000000000'))).toBe('not_found');
    expect(codeOf(await listReturns(id, 'tomorrow'))).toBe('invalid_input');
  });
});

describe('a sale with the return', () => {
  test('costs what it costs online, and is one order with one payment', async () => {
    const id = await addToQueue(clerk, boat, 2);
    const online = must(await office.quote({ adults: 2, legs: [boat, back] }));
    const [cheapest] = must(await quote(id)).quotes;
    expect(cheapest).toMatchObject({ total: online.total, fare_class: { code: 'flex' } });
    const sold: Sold = must(await sell(id));
    const order = await office.readOrder(sold.order_id);
    expect(order).toMatchObject({
      ...{ status: 'confirmed', total: online.total, payments: [{ amount: online.total }] },
      legs: [
        { leg: 'out', sailing_id: boat },
        { leg: 'back', sailing_id: back },
      ],
    });
    expect(order.tickets).toHaveLength(4);
    expect([await office.taken(boat), await office.taken(back)]).toMatchObject([
      { passenger: [0, 2] },
      { passenger: [0, 2] },
    ]);
    expectNone(await findContradictions());
  });

  test('names only the tickets of the first boat, which the gate lets aboard', async () => {
    const sold: Sold = must(await sell(await addToQueue(clerk, boat, 2)));
    const { tickets } = await office.readOrder(sold.order_id);
    const outward = tickets.filter(({ leg }: { leg: string }) => leg === 'out');
    expect(sold.ticket_ids.toSorted()).toEqual(outward.map(({ id }: { id: string }) => id).toSorted());
  });

  test('may be paid by a mailed link', async () => {
    const id = await addToQueue(clerk, boat, 2);
    const [cheapest] = must(await quote(id)).quotes;
    must(await sendLink(clerk, id, { quote_id: cheapest.id }));
    expect([await office.taken(boat), await office.taken(back)]).toMatchObject([
      { passenger: [2, 0] },
      { passenger: [2, 0] },
    ]);
  });

  test('takes what is held back on each of its boats', async () => {
    const ids = [await holdBack(boat, 4), await holdBack(back, 10)];
    const id = await addToQueue(clerk, boat, 4);
    expect(must(await quote(id))).toMatchObject({
      held_back: [{ id: ids[0] }],
      held_back_return: [{ id: ids[1] }],
    });
    const refused = await sell(id, { held_back: ids.slice(0, 1) });
    expect(refused.body.errors).toMatchObject([{ code: 'places_held_back', details: { sailing_id: back } }]);
    must(await sell(id, { held_back: ids }));
    const manager = await signInClerk(office, 'office');
    expect(must(await manager.call(api.getDeskBoat, { id: boat })).held_back).toEqual([]);
    expect(must(await manager.call(api.getDeskBoat, { id: back })).held_back).toMatchObject([
      { places: { passenger: 6 } },
    ]);
    expectNone(await findContradictions());
  });

  test('is refused for a boat that does not lead back, that leaves too early, or that does not exist', async () => {
    const id = await addToQueue(clerk, office.ferry.outward[1] ?? '');
    expect(codeOf(await quote(id, boat))).toBe('invalid_input');
    expect(codeOf(await quote(id, 'slg_00000000000000000000000000'))).toBe('not_found');
    expect(codeOf(await quote(id, 'x'))).toBe('invalid_input');
    const last = await addToQueue(clerk, office.ferry.outward.at(-1) ?? '');
    expect(codeOf(await quote(last))).toBe('return_before_outward');
  });
});
