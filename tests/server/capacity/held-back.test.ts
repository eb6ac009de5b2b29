import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { BoatDetails } from '#contract/desk/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { recountCapacities } from '#server/sailings/write-capacities.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';
import { type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';
import { expectNone, prepareQueries } from '../histories/invariants.ts';

let office: Office;
let boat: string;
let clerk: Clerk;
let findContradictions: ReturnType<typeof prepareQueries>;
beforeAll(async () => {
  office = await openOffice();
  findContradictions = prepareQueries(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 10 });
  boat = office.ferry.outward[0] ?? '';
  clerk = await signInClerk(office, 'office');
});

const NONE = { passenger: 0, lane_cm: 0, tall_lane_cm: 0, bicycle: 0 };
const REASON = 'Choir, calls by Friday';
const holdBack = (places: object, more: object = {}) =>
  clerk.call(api.holdBackPlaces, { id: boat }, { ...NONE, ...places, reason: REASON, ...more });
const readBoat = async (): Promise<BoatDetails> => must(await clerk.call(api.getDeskBoat, { id: boat }));
const readLoad = async () => (await readBoat()).boat.loads.find(({ resource }) => resource === 'passenger');
const release = (id: string) => clerk.call(api.releaseHeldBackPlaces, { id });
const holdOne = async (adults = 1) => {
  const quote = await office.quote({ adults });
  return quote.body.success ? codeOf(await office.hold(quote.body.data.id)) : codeOf(quote);
};

async function run(...args: string[]) {
  return settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args)),
  );
}

describe('places held back', () => {
  test('are not sold online, and are on the board with the reason', async () => {
    const outcome = must(await holdBack({ passenger: 8, bicycle: 1 }));
    expect(outcome.resources).toContainEqual({ resource: 'passenger', held_back: 8, free_online: 2 });
    const { boat: read, held_back: listed } = await readBoat();
    expect(listed).toMatchObject([{ places: { ...NONE, passenger: 8, bicycle: 1 }, reason: REASON }]);
    expect(read.loads).toContainEqual({
      ...{ resource: 'passenger', taken: 0, total: 10, held_back: 8, free_online: 2 },
    });
    expect(await holdOne(3)).toBe('sold_out');
    expect([await holdOne(), await holdOne(), await holdOne()]).toEqual(['success', 'success', 'sold_out']);
    expectNone(await findContradictions());
  });

  test('are sold online again once they are released, once', async () => {
    must(await holdBack({ passenger: 9 }));
    must(await holdBack({ passenger: 1 }, { reason: 'Crew' }));
    const [crew, choir] = (await readBoat()).held_back;
    expect([crew?.reason, choir?.reason]).toEqual(expect.arrayContaining(['Crew', REASON]));
    const id = [crew, choir].find((each) => each?.reason === REASON)?.id ?? '';
    expect(must(await release(id)).resources).toEqual([
      { resource: 'passenger', held_back: 1, free_online: 9 },
    ]);
    expect(codeOf(await release(id))).toBe('not_found');
    expect(await holdOne(9)).toBe('success');
    expect(await holdOne()).toBe('sold_out');
    expectNone(await findContradictions());
  });

  test('are refused with the number of free places if fewer are free', async () => {
    expect(await holdOne(7)).toBe('success');
    const refused = await holdBack({ passenger: 4 });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([
      {
        ...{ code: 'few_places_free', field: 'passenger', message: 'Only 3 are free.' },
        details: { resource: 'passenger', free: 3 },
      },
    ]);
    const lanes = await holdBack({ passenger: 4, tall_lane_cm: 900_000 });
    expect(lanes.body.errors).toHaveLength(2);
    expect(await readLoad()).toMatchObject({ held_back: 0, free_online: 3 });
    must(await holdBack({ passenger: 3 }));
    expect(codeOf(await holdBack({ passenger: 1 }))).toBe('few_places_free');
  });

  test('are shown in a preview without being held back', async () => {
    const preview = await clerk.call(
      api.previewHeldBackPlaces,
      { id: boat },
      { ...NONE, passenger: 4, reason: REASON },
    );
    expect(must(preview).resources).toEqual([{ resource: 'passenger', held_back: 4, free_online: 6 }]);
    expect(await readLoad()).toMatchObject({ held_back: 0 });
    expect((await readBoat()).held_back).toEqual([]);
  });

  test('are in the audit log with the reason and the person', async () => {
    must(await holdBack({ passenger: 4 }));
    must(await release((await readBoat()).held_back[0]?.id ?? ''));
    const entries = await office.context.db.select().from(auditLog).orderBy(auditLog.seq);
    expect(entries.filter(({ action }) => action !== 'boat_orders_viewed')).toMatchObject([
      {
        ...{ action: 'places_held_back', actorId: clerk.id, objectId: boat, reason: REASON },
        after: { held_back_passenger: 4 },
      },
      {
        ...{ action: 'held_back_places_released', actorId: clerk.id, objectId: boat },
        before: { held_back_passenger: 4, held_back_for: REASON },
      },
    ]);
  });

  test.each([
    ['no places', NONE],
    ['a negative number', { passenger: -1 }],
    ['no reason', { reason: ' ' }],
    ['an unknown resource', { cabins: 1 }],
  ])('are refused with %s', async (_, more) => {
    expect((await holdBack({ passenger: 1 }, more)).status).toBe(422);
  });

  test('are refused for an unknown boat, and for one that is canceled', async () => {
    boat = 'slg_none';
    expect(codeOf(await holdBack({ passenger: 1 }))).toBe('not_found');
    boat = office.ferry.outward[0] ?? '';
    await run('cancel', boat);
    expect(codeOf(await holdBack({ passenger: 1 }))).toBe('boat_change_refused');
  });

  test('need the right to change sailings', async () => {
    const desk = await signInClerk(office, 'desk');
    const body = { ...NONE, passenger: 1, reason: REASON };
    for (const call of [api.holdBackPlaces, api.previewHeldBackPlaces]) {
      expect(codeOf(await desk.call(call, { id: boat }, body))).toBe('not_permitted');
      const path = fillPath(call.path, { id: boat });
      expect((await office.request('POST', path, { body })).status).toBe(401);
    }
    expect(codeOf(await desk.call(api.releaseHeldBackPlaces, { id: 'hbk_none' }))).toBe('not_permitted');
  });
});

describe('concurrently', () => {
  test('buyers and staff never get the same places', async () => {
    const results = await Promise.all([
      ...Array.from({ length: 8 }, () => holdOne()),
      ...Array.from({ length: 4 }, () => holdBack({ passenger: 2 }).then(codeOf)),
    ]);
    const held = results.slice(0, 8).filter((code) => code === 'success').length;
    const heldBack = results.slice(8).filter((code) => code === 'success').length * 2;
    expect(await readLoad()).toMatchObject({ taken: held, held_back: heldBack });
    expect(held + heldBack).toBeLessThanOrEqual(10);
    expect(held + heldBack).toBeGreaterThanOrEqual(9);
    expectNone(await findContradictions());
  });
});

describe('a boat with places held back', () => {
  test('that becomes a smaller one sells nothing online until it has room again', async () => {
    must(await holdBack({ passenger: 6 }));
    expect(await holdOne(3)).toBe('success');
    const { db } = office.context;
    const [vessel] = await db.select().from(vessels);
    if (!vessel) throw new Error('The ferry has a boat.');
    await db.insert(vessels).values({ ...vessel, id: 'ves_skiff', code: 'skiff', passengerCapacity: 5 });
    const change = { kind: 'vessel', fromDay: '2026-06-02', vesselId: 'ves_skiff' } as const;
    await sayOfSailings(db, office.clock.now(), change);
    expect(await readLoad()).toEqual({
      ...{ resource: 'passenger', taken: 3, total: 5, held_back: 6, free_online: 0 },
    });
    expect((await readBoat()).boat.is_oversold).toBe(false);
    expect(await holdOne()).toBe('sold_out');
    must(await release((await readBoat()).held_back[0]?.id ?? ''));
    expect([await holdOne(2), await holdOne()]).toEqual(['success', 'sold_out']);
    expectNone(await findContradictions());
  });

  test('keeps them when its capacity is counted again', async () => {
    must(await holdBack({ passenger: 6 }));
    const ofBoat = sql`(select voyage_id from sailings where id = ${boat})`;
    await recountCapacities(office.context.db, ofBoat, office.clock.now());
    expect(await readLoad()).toMatchObject({ taken: 0, held_back: 6 });
    expectNone(await findContradictions());
  });
});

describe('npm run sailings -- hold-back', () => {
  test('holds places back, lists them, and releases them', async () => {
    const held = await run('hold-back', boat, '--people', '4', '--bicycles', '1', '--reason', 'Choir');
    expect(held.stderr).toBe('');
    expect(held.stdout).toContain('passenger: 4 held back, 6 free online.');
    const listed = await run('held-back', '--csv');
    const [, line = ''] = listed.stdout.split('\n');
    expect(line).toMatch(/^hbk_\w+,2026-06-02,08:00,NOR,4,0,0,1,Choir/);
    expect((await run('list', '--date', '2026-06-02', '--csv')).stdout).toContain('held_back');
    const released = await run('release', line.split(',')[0] ?? '');
    expect(released.stdout).toContain('passenger: 0 held back, 10 free online.');
    expect((await run('held-back')).stdout).toBe('None.\n');
  });

  test('finds the boat by its departure', async () => {
    await run('hold-back', '2026-06-02', 'NOR', '08:00', '--people', '4', '--reason', 'Choir');
    expect(await readLoad()).toMatchObject({ held_back: 4 });
  });

  test.each([
    [['--people', '11', '--reason', 'Choir'], 'Only 10 are free.'],
    [['--people', '0', '--reason', 'Choir'], 'whole numbers'],
    [['--reason', 'Choir'], 'Name what is held back'],
    [['--people', '1'], 'Name why with --reason'],
  ])('explains itself when called with %j', async (args, text) => {
    const { stderr, exitCode } = await run('hold-back', boat, ...args);
    expect(stderr).toContain(text);
    expect(exitCode).toBe(1);
  });
});
