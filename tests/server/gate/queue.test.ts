import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Queue } from '#contract/gate/queue/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { eraseQueueContacts } from '#server/gate/queue/retention.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';

let office: Office;
let sailing: string;
let later: string;
let gate: Awaited<ReturnType<typeof openGate>>;
let queue: Awaited<ReturnType<typeof openQueue>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => openAtBoat());

/** An hour before the first boat, which leaves a day after the office opened. */
async function openAtBoat(room: Parameters<Office['reopen']>[0] = {}): Promise<void> {
  await office.reopen(room);
  [sailing = '', later = ''] = office.ferry.outward;
  office.clock.advance(23 * 3_600_000);
  gate = await openGate(office, sailing);
  queue = await openQueue();
}

const ADULT = { passengers: [{ type: 'adult', count: 1 }] };
const CAR = { ...ADULT, vehicle: { type: 'car', length_cm: 450 }, plate: '5KJH 220' };

/** The calls of a staff member at the queue. Each party arrives a minute after the one before. */
async function openQueue(role: StaffRole = 'gate') {
  const { id: staffId } = await createStaffMember(office.context, role);
  const { headers } = await startStaffSession(office.context, staffId);
  const call = (method: string, path: string, body?: unknown) =>
    office.request(method, path, { body, headers, idempotencyKey: randomUUID() });
  return {
    join: (party: object, id = sailing) => {
      office.clock.advance(60_000);
      return call('POST', fillPath(api.joinQueue.path, { id }), party);
    },
    read: async (id = sailing): Promise<Queue> =>
      must(await call('GET', fillPath(api.getQueue.path, { id }))),
    change: (id: string, status: string) =>
      call('PATCH', fillPath(api.changeQueueEntry.path, { id }), { status }),
    move: (id = sailing) => call('POST', fillPath(api.moveQueue.path, { id })),
  };
}

/** A paid order for some adults. */
async function buy(adults: number): Promise<void> {
  const { intent } = await office.takePayment({ adults });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
}

describe('the queue of a boat', () => {
  test('has the parties in the order of arrival, with what they need', async () => {
    must(await queue.join({ ...CAR, label: 'red van', phone: '+12065550123' }));
    const { entries, free } = must(await queue.join({ ...ADULT, bicycles: 1 })) as Queue;
    expect(entries).toMatchObject([
      {
        ...{ sailing_id: sailing, status: 'waiting', fits: true, was_left_behind: false },
        ...{ label: 'red van', phone: '+12065550123', plate: '5KJH 220' },
        party: { ...ADULT, vehicle: { type: 'car', length_cm: 450 }, bicycles: 0 },
      },
      { party: { ...ADULT, vehicle: null, bicycles: 1 }, fits: true },
    ]);
    expect(free).toEqual([
      {
        sailing_id: sailing,
        places: [
          { resource: 'passenger', amount: 300 },
          { resource: 'lane_cm', amount: 20_000 },
          { resource: 'tall_lane_cm', amount: 5000 },
          { resource: 'bicycle', amount: 20 },
        ],
      },
    ]);
  });

  test('says who fits once the places of those who did not come are free', async () => {
    await openAtBoat({ passengers: 2 });
    await buy(2);
    must(await queue.join(ADULT));
    expect((await queue.read()).entries).toMatchObject([{ fits: false }]);
    must(await gate.change('closeCheckIn'));
    expect((await queue.read()).entries).toMatchObject([{ fits: true }]);
  });

  test('counts the share of the booth as free, which is not sold online', async () => {
    await office.database.store.query(
      `update voyage_capacity set sellable_online = 0 where resource = 'passenger'`,
    );
    must(await queue.join(ADULT));
    expect((await queue.read()).entries).toMatchObject([{ fits: true }]);
  });

  test('loses those who are served or removed, and gets them back in their place', async () => {
    for (let party = 0; party < 3; party += 1) must(await queue.join(ADULT));
    const [first, second, third] = (await queue.read()).entries.map(({ id }) => id);
    must(await queue.change(first ?? '', 'served'));
    must(await queue.change(second ?? '', 'removed'));
    const { entries } = must(await queue.change(third ?? '', 'called')) as Queue;
    expect(entries).toMatchObject([{ id: third, status: 'called' }]);
    const restored = must(await queue.change(second ?? '', 'waiting')) as Queue;
    expect(restored.entries.map(({ id }) => id)).toEqual([second, third]);
  });

  test('takes only parties that can be sold a ticket', async () => {
    for (const [party, code] of [
      [{ passengers: [{ type: 'adult', count: 0 }] }, 'no_passengers'],
      [{ passengers: [{ type: 'child', count: 1 }] }, 'needs_adult'],
      [{ ...ADULT, vehicle: { type: 'car' } }, 'invalid_input'],
      [{ ...ADULT, vehicle: { type: 'car', length_cm: 1400 } }, 'vehicle_too_long'],
      [{ ...ADULT, plate: '???' }, 'invalid_input'],
      [{ ...ADULT, unknown: 1 }, 'unknown_field'],
    ] as const) {
      expect([code, codeOf(await queue.join(party))]).toEqual([code, code]);
    }
    expect((await queue.join(ADULT, 'slg_00000000000000000000000000')).status).toBe(404);
  });

  test('is for the gate and the desk', async () => {
    must(await queue.join(ADULT));
    expect((await (await openQueue('desk')).read()).entries).toHaveLength(1);
    expect(codeOf(await (await openQueue('office')).join(ADULT))).toBe('not_permitted');
  });

  test('adds a party once if the request is repeated', async () => {
    const { id: staffId } = await createStaffMember(office.context, 'gate');
    const { headers } = await startStaffSession(office.context, staffId);
    const options = { body: ADULT, headers, idempotencyKey: randomUUID() };
    const path = fillPath(api.joinQueue.path, { id: sailing });
    must(await office.request('POST', path, options));
    must(await office.request('POST', path, options));
    expect((await queue.read()).entries).toHaveLength(1);
  });
});

describe('a departure', () => {
  test('leaves behind who still waits: they wait for the next boat, before those who arrive later', async () => {
    must(await queue.join(ADULT, later));
    must(await queue.join({ ...CAR, label: 'red van' }));
    must(await queue.join({ passengers: [{ type: 'adult', count: 2 }] }));
    const [van] = (await queue.read()).entries;
    must(await queue.change(van?.id ?? '', 'called'));
    const timetable = must(await office.request('GET', fillPath(api.getSailing.path, { id: later })));
    expect((await queue.read()).next_departs_local).toBe(timetable.departs_local);
    const { sailings } = must(await gate.change('departSailing'));
    expect(sailings).toMatchObject([{ left_behind: { people: 3, vehicles: 1 } }]);
    must(await queue.join(ADULT, later));
    const { entries } = await queue.read(later);
    expect(entries.map(({ label, party }) => [label, party.passengers[0]?.count])).toEqual([
      ['', 1],
      ['red van', 1],
      ['', 2],
      ['', 1],
    ]);
    expect(entries.map((entry) => entry.was_left_behind)).toEqual([false, true, true, false]);
    expect(entries.map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    expect((await queue.read()).entries).toEqual([]);
    expect(codeOf(await queue.join(ADULT))).toBe('sailing_not_boarding');
    expect(codeOf(await queue.change(van?.id ?? '', 'waiting'))).toBe('sailing_not_boarding');
  });

  test('is in the audit log with how many people it left behind', async () => {
    must(await queue.join({ passengers: [{ type: 'adult', count: 2 }] }));
    must(await gate.change('departSailing'));
    const departed = eq(auditLog.action, 'departed');
    expect(await office.context.db.select().from(auditLog).where(departed)).toMatchObject([
      { action: 'departed', after: { left_behind: 2 } },
    ]);
  });

  test('that is taken back gives the boat its queue again, without those who were served meanwhile', async () => {
    must(await queue.join({ ...ADULT, label: 'first' }));
    must(await queue.join({ ...ADULT, label: 'second' }));
    must(await gate.change('departSailing'));
    const [first] = (await queue.read(later)).entries;
    must(await queue.change(first?.id ?? '', 'served'));
    const { sailings } = must(await gate.change('reopenCheckIn'));
    expect(sailings[0].left_behind).toEqual({ people: 1, vehicles: 0 });
    expect((await queue.read()).entries).toMatchObject([{ label: 'second', status: 'waiting' }]);
    expect((await queue.read(later)).entries).toEqual([]);
  });

  test('of the last boat of the day leaves them without another one', async () => {
    await office.database.store.query(`update sailings set status = 'canceled' where id <> $1`, [sailing]);
    must(await queue.join(ADULT));
    expect((await queue.read()).next_departs_local).toBeNull();
    must(await gate.change('departSailing'));
    expect((await gate.readPack()).sailings.find(({ id }) => id === sailing)?.left_behind).toEqual({
      ...{ people: 1, vehicles: 0 },
    });
    must(await gate.change('reopenCheckIn'));
    expect((await queue.read()).entries).toHaveLength(1);
  });
});

test('the queue of a canceled boat can be moved to the next one', async () => {
  must(await queue.join(ADULT));
  await office.database.store.query(`update sailings set status = 'canceled' where id = $1`, [sailing]);
  expect(must(await queue.move())).toMatchObject({ entries: [] });
  expect((await queue.read(later)).entries).toMatchObject([{ was_left_behind: true }]);
  expect((await queue.move('slg_00000000000000000000000000')).status).toBe(404);
});

test('how parties are recognized is erased after two days, and how many waited stays', async () => {
  must(await queue.join({ ...CAR, label: 'red van', phone: '+12065550123' }));
  const { db, clock, config } = office.context;
  office.clock.advance(47 * 3_600_000);
  await eraseQueueContacts(db, clock.now(), config.keepDays);
  queue = await openQueue();
  expect((await queue.read()).entries).toMatchObject([{ label: 'red van', plate: '5KJH 220' }]);
  office.clock.advance(2 * 3_600_000);
  await eraseQueueContacts(db, clock.now(), config.keepDays);
  expect((await queue.read()).entries).toMatchObject([{ label: '', plate: null, phone: '', party: ADULT }]);
});
