import { ne } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { BoatChangeInput, BoatDetails, DeskBoard } from '#contract/desk/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { mails } from '#server/database/schema/system.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';

let office: Office;
let boat: string;
let desk: Awaited<ReturnType<typeof signIn>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  boat = office.ferry.outward[0] ?? '';
  desk = await signIn('office');
});

async function signIn(role: StaffRole) {
  const { id } = await createStaffMember(office.context, role);
  const { headers } = await startStaffSession(office.context, id);
  const call = (method: string, path: string, body?: unknown, key?: string) =>
    office.request(method, path, {
      body,
      headers: { ...headers, ...(key ? { 'idempotency-key': key } : {}) },
    });
  const changesPath = (sailing: string) => fillPath(api.changeBoat.path, { id: sailing });
  return {
    call,
    board: async (query = ''): Promise<DeskBoard> =>
      must(await call('GET', `${api.getDeskBoard.path}${query}`)),
    boat: async (id = boat): Promise<BoatDetails> =>
      must(await call('GET', fillPath(api.getDeskBoat.path, { id }))),
    preview: (change: object, sailing = boat) =>
      call('POST', fillPath(api.previewBoatChange.path, { id: sailing }), { ...QUIET, ...change }),
    change: (change: object, sailing = boat) =>
      call('POST', changesPath(sailing), { ...QUIET, ...change }, crypto.randomUUID()),
    previewUndo: (changes: string[]) => call('POST', api.previewUndoBoatChanges.path, { changes }),
    undo: (changes: string[]) => call('POST', api.undoBoatChanges.path, { changes }),
  };
}

/** Of all boats of the ferry. */
const DAY = '2026-06-02';
const QUIET = { scope: 'boat', reason: null, texts: [] };
const CANCEL = { kind: 'canceled' } satisfies Partial<BoatChangeInput>;

/** A paid order for the boat, or the one after it. */
async function buy(options: Parameters<Office['takeOrder']>[0] = {}): Promise<string> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return (await office.readOrder(order.id)).reference;
}

/** The entries of the audit log, except about who looked at the orders. */
async function readChanges() {
  return office.context.db.select().from(auditLog).where(ne(auditLog.action, 'boat_orders_viewed'));
}

async function countMails(): Promise<number> {
  return office.context.db.$count(mails);
}

describe('the board of a port', () => {
  test('has the boats of a day with what is taken on them', async () => {
    await buy({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
    const { day } = await desk.board('?port=nor');
    expect(day).toBe('2026-06-01');
    const board = await desk.board(`?port=NOR&day=${DAY}`);
    expect(board.ports.map(({ code }) => code)).toEqual(['NOR', 'SOU']);
    const [first] = board.boats;
    expect(first).toMatchObject({
      ...{ id: boat, status: 'scheduled', delay_minutes: 0, people: 2, aboard: 0, waiting: 0 },
      ...{ vehicles: 1, vehicles_aboard: 0 },
      ...{
        sailings: [{ id: boat, destination: 'South Quay' }],
        vessel: { name: 'MV Harbor Seal' },
        is_oversold: false,
      },
    });
    expect(first?.loads.find(({ resource }) => resource === 'passenger')).toMatchObject({ taken: 2 });
  });

  test('is refused for an unknown port and a day that does not exist', async () => {
    expect((await desk.call('GET', `${api.getDeskBoard.path}?port=XXX`)).status).toBe(404);
    expect((await desk.call('GET', `${api.getDeskBoard.path}?day=2026-02-30`)).status).toBe(422);
  });
});

describe('a preview', () => {
  test('tells who is affected and where they fit, and changes nothing', async () => {
    const alone = await buy();
    office.clock.advance(60_000);
    const reference = await buy({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
    const mailsBefore = await countMails();
    const outcome = must(await desk.preview(CANCEL));
    expect(outcome).toMatchObject({
      ...{ changes: [], sailings: 1, notified: 2, currency: 'USD' },
      refunds: { without_offer: 0, all: 1275 + 1275 + 3000 },
    });
    expect(outcome.orders).toMatchObject([
      { reference: alone, people: 1, vehicles: 0, outcome: 'waiting', paid: 1275 },
      {
        ...{ reference, contact_name: 'Ada Lovelace', phone: '+12065550123', people: 2, vehicles: 1 },
        offered: { departs_local: '2026-06-02T10:00:00-07:00', vessel: 'MV Harbor Seal' },
        if_unanswered: 'refund',
      },
    ]);
    const { boat: untouched, orders, changes } = await desk.boat();
    expect(untouched.status).toBe('scheduled');
    expect(orders.map(({ outcome: each }) => each)).toEqual(['unaffected', 'unaffected']);
    expect(changes).toEqual([]);
    expect(await countMails()).toBe(mailsBefore);
    expect(await readChanges()).toEqual([]);
  });

  test('counts what is paid back where no other boat has room', async () => {
    await office.reopen({ passengers: 2 });
    boat = office.ferry.outward.at(-1) ?? '';
    desk = await signIn('office');
    await buy({ adults: 2, legs: [boat] });
    const { refunds, orders } = must(await desk.preview(CANCEL));
    expect(orders).toMatchObject([{ offered: null, outcome: 'waiting' }]);
    expect(refunds).toEqual({ without_offer: 2550, all: 2550 });
  });

  test('tells the same as the change does', async () => {
    await buy({ adults: 3 });
    const { changes: none, ...told } = must(await desk.preview(CANCEL));
    const { changes, ...done } = must(await desk.change(CANCEL));
    expect(none).toEqual([]);
    expect(changes).toHaveLength(1);
    expect({ ...done, orders: [] }).toEqual({ ...told, orders: [] });
  });
});

describe('a change of a boat', () => {
  test('is what the passengers, the board and the audit log show', async () => {
    const reference = await buy();
    must(await desk.change({ kind: 'delayed', minutes: 40, reason: 'weather' }));
    const { boat: late, changes, orders } = await desk.boat();
    expect(late).toMatchObject({ delay_minutes: 40, statements: ['Late because of the weather.'] });
    expect(changes).toMatchObject([{ kind: 'delayed', minutes: 40, reason: 'weather', source: 'staff' }]);
    expect(orders).toMatchObject([{ reference, outcome: 'unaffected', mail: 'queued' }]);
    expect(await readChanges()).toMatchObject([
      { action: 'sailing_delayed', actorKind: 'staff', actorRole: 'office' },
    ]);
  });

  test('is told in the languages that staff wrote, and in the operator’s otherwise', async () => {
    const texts = [
      { language: 'de', text: 'Der Lift ist defekt.' },
      { language: 'en', text: 'The lift is out of order.' },
    ];
    must(await desk.change({ kind: 'notice', texts }));
    const path = fillPath(api.getDeskBoat.path, { id: boat });
    const { headers } = await staffHeaders();
    for (const [language, text] of [
      ['de', 'Der Lift ist defekt.'],
      ['nb', 'The lift is out of order.'],
    ]) {
      const reply = await office.request('GET', path, {
        headers: { ...headers, 'accept-language': language ?? '' },
      });
      expect(must(reply).boat.statements).toEqual([text]);
    }
  });

  test('of a vessel’s whole day leaves earlier boats as they are', async () => {
    const outcome = must(
      await desk.change({ kind: 'canceled', scope: 'vessel_today' }, office.ferry.outward[2]),
    );
    const { boats } = await desk.board(`?port=NOR&day=${DAY}`);
    // The last boat of the evening belongs to the next service day.
    expect(boats.map(({ status }) => status)).toEqual([
      ...['scheduled', 'scheduled', 'canceled', 'canceled', 'canceled', 'scheduled'],
    ]);
    expect(outcome.changes.length).toBeGreaterThan(4);
    must(await desk.undo(outcome.changes));
    const after = await desk.board(`?port=NOR&day=${DAY}`);
    expect(after.boats.every(({ status }) => status === 'scheduled')).toBe(true);
  });

  test('adds one more boat on the same day', async () => {
    must(await desk.change({ kind: 'extra', time: '09:10', vessel: null }));
    const { boats } = await desk.board(`?port=NOR&day=${DAY}`);
    expect(boats.map(({ departs_local: local }) => local.slice(11, 16))).toContain('09:10');
  });

  test.each([
    ['an unknown vessel', { kind: 'vessel', vessel: 'nope' }, 'boat_change_refused'],
    ['a time that is past', { kind: 'extra', time: '00:10', vessel: null }, 'boat_change_refused'],
    ['a delay of more than a day', { kind: 'delayed', minutes: 1441 }, 'invalid_input'],
    ['an unknown kind', { kind: 'port_closed' }, 'invalid_input'],
    ['a language without a text', { kind: 'notice', texts: [{ language: 'de', text: '' }] }, 'invalid_input'],
  ])('is refused for %s, and nothing changes', async (_, change, code) => {
    office.clock.advance(20 * 3_600_000);
    desk = await signIn('office');
    const reply = await desk.change(change);
    expect([reply.status, reply.body.errors[0].code]).toEqual([422, code]);
    expect((await desk.boat()).changes).toEqual([]);
  });

  test('is refused for an unknown boat', async () => {
    const unknown = 'slg_00000000000000000000000000';
    expect((await desk.change(CANCEL, unknown)).status).toBe(404);
    expect((await desk.preview(CANCEL, unknown)).status).toBe(404);
    expect((await desk.call('GET', fillPath(api.getDeskBoat.path, { id: unknown }))).status).toBe(404);
  });

  test('needs the right to change sailings, which the desk does not have', async () => {
    const clerk = await signIn('desk');
    expect((await clerk.board('?port=NOR')).boats).toBeDefined();
    const replies = [
      ...[await clerk.change(CANCEL), await clerk.preview(CANCEL)],
      ...[await clerk.undo(['x']), await clerk.previewUndo(['x'])],
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body.errors[0].code]).toEqual([403, 'not_permitted']);
    }
  });
});

describe('a closure of a port', () => {
  const at = (code: string) => ({ code });
  const preview = (closure: object, clerk = desk, code = 'SOU') =>
    clerk.call('POST', fillPath(api.previewPortClosure.path, at(code)), { ...CLOSED, ...closure });
  const close = (closure: object, clerk = desk, code = 'SOU') =>
    clerk.call(
      'POST',
      fillPath(api.closePort.path, at(code)),
      { ...CLOSED, ...closure },
      crypto.randomUUID(),
    );
  const CLOSED = { from: DAY, until: DAY, reason: null, texts: [] };

  test('tells whom it affects before, cancels every boat from and to the port, and is taken back', async () => {
    const reference = await buy({ adults: 2 });
    const before = must(await preview({ reason: 'weather' }));
    expect(before).toMatchObject({ changes: [], notified: 1, refunds: { all: 2 * 1275 } });
    expect((await desk.board(`?port=NOR&day=${DAY}`)).closures).toEqual([]);

    const outcome = must(await close({ reason: 'weather' }));
    expect({ ...outcome, changes: [] }).toEqual(before);
    expect(outcome.orders).toMatchObject([{ reference, outcome: 'waiting' }]);
    const { boats, closures } = await desk.board(`?port=SOU&day=${DAY}`);
    expect(closures).toMatchObject([{ from: DAY, until: DAY, reason: 'weather', source: 'staff' }]);
    const arriving = await desk.board(`?port=NOR&day=${DAY}`);
    expect(arriving.closures).toEqual([]);
    // The boats of the evening belong to the next service day.
    for (const list of [boats, arriving.boats]) {
      expect(list.slice(0, 3).map(({ status }) => status)).toEqual(['canceled', 'canceled', 'canceled']);
    }
    expect(await readChanges()).toMatchObject([
      { action: 'port_closed', actorKind: 'staff', after: { port: 'SOU', from_day: DAY, cause: 'weather' } },
    ]);

    expect(must(await desk.undo(outcome.changes)).orders).toMatchObject([
      { reference, outcome: 'unaffected' },
    ]);
    const after = await desk.board(`?port=SOU&day=${DAY}`);
    expect([after.closures, after.boats.every(({ status }) => status === 'scheduled')]).toEqual([[], true]);
  });

  test.each([
    ['days in the wrong order', { until: '2026-06-01' }, 'SOU', 422],
    ['a day that does not exist', { from: '2026-02-30' }, 'SOU', 422],
    ['more days than at once', { until: '2026-06-16' }, 'SOU', 422],
    ['an unknown port', {}, 'XXX', 404],
  ])('is refused for %s, and nothing changes', async (_, closure, code, status) => {
    expect((await preview(closure, desk, code)).status).toBe(status);
    expect((await close(closure, desk, code)).status).toBe(status);
    expect(await readChanges()).toEqual([]);
  });

  test('needs the right to change sailings', async () => {
    const clerk = await signIn('desk');
    for (const reply of [await preview({}, clerk), await close({}, clerk)]) {
      expect([reply.status, reply.body.errors[0].code]).toEqual([403, 'not_permitted']);
    }
  });
});

describe('after a boat is canceled', () => {
  test('the boat shows who waits, who has answered, and whose mail failed', async () => {
    const moved = await buy();
    const waiting = await buy({ adults: 2 });
    must(await desk.change(CANCEL));
    await office.context.db.update(mails).set({ status: 'failed' });
    await office.database.store.query(
      `update rebooking_offers set status = 'moved', hold_id = null, protected_sailing_ids = null
       where order_id = (select id from orders where reference = $1)`,
      [moved],
    );
    const { boat: canceled, orders } = await desk.boat();
    expect(canceled).toMatchObject({ status: 'canceled', waiting: 1 });
    expect(orders.map(({ reference, outcome, mail }) => [reference, outcome, mail])).toEqual([
      [waiting, 'waiting', 'failed'],
      [moved, 'moved', 'failed'],
    ]);
  });

  test('a preview of its undoing tells whom it affects, and ends nothing', async () => {
    const reference = await buy();
    const { changes } = must(await desk.change(CANCEL));
    const [mailsBefore, changesBefore] = [await countMails(), await readChanges()];
    expect(must(await desk.previewUndo(changes))).toMatchObject({
      ...{ changes: [], sailings: 1, notified: 1 },
      orders: [{ reference, outcome: 'unaffected' }],
    });
    expect((await desk.boat()).boat).toMatchObject({ status: 'canceled', waiting: 1 });
    expect([await countMails(), await readChanges()]).toEqual([mailsBefore, changesBefore]);

    must(await desk.undo(changes));
    expect((await desk.previewUndo(changes)).status).toBe(404);
    expect((await desk.previewUndo([])).status).toBe(422);
  });

  test('its undoing lets passengers keep their tickets', async () => {
    await buy();
    const { changes } = must(await desk.change(CANCEL));
    expect(must(await desk.undo(changes)).orders).toMatchObject([{ outcome: 'unaffected' }]);
    expect((await desk.boat()).boat).toMatchObject({ status: 'scheduled', waiting: 0 });
    expect((await desk.undo(changes)).status).toBe(404);
  });
});

async function staffHeaders() {
  const { id } = await createStaffMember(office.context, 'desk');
  return startStaffSession(office.context, id);
}
