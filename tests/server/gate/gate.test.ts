import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { PACK_TAGS_LENGTH } from '#contract/gate/limits.ts';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import { listTags, mergePack } from '#domain/boarding/merge-pack.ts';
import { newId } from '#server/core/ids.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { openGate } from '#tests/factories/gate-office.ts';

let office: Office;
let sailing: string;
let gate: Awaited<ReturnType<typeof openGate>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => openAtBoat());

/** An hour before the first boat, which leaves a day after the office opened. */
async function openAtBoat(room: Parameters<Office['reopen']>[0] = {}): Promise<void> {
  await office.reopen(room);
  sailing = office.ferry.outward[0] ?? '';
  office.clock.advance(23 * 3_600_000);
  gate = await openGate(office, sailing);
}

/** A paid order, and its tickets as the gate has them. */
async function buy(
  options: Parameters<Office['takeOrder']>[0] = {},
): Promise<{ id: string; tickets: string[] }> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  const { reference } = await office.readOrder(order.id);
  const party = (await gate.readPack()).parties.find((each) => each.reference === reference);
  return { id: order.id, tickets: party?.tickets.map(({ id }) => id) ?? [] };
}

async function statuses(orderId: string): Promise<string[]> {
  const order = await office.readOrder(orderId);
  return order.tickets.map(({ status }: { status: string }) => status);
}

describe('the pack of a port', () => {
  test('has its boats, and everybody with a ticket for them, also canceled ones', async () => {
    const { id, tickets } = await buy({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
    await office.database.store.query(`update tickets set status = 'canceled' where id = $1`, [tickets[1]]);
    const pack = await gate.readPack();
    expect(pack.port).toMatchObject({ code: 'NOR', name: 'North Quay' });
    expect(pack.keys).toHaveLength(1);
    expect(pack.sailings[0]).toMatchObject({
      id: sailing,
      origin: 'North Quay',
      destination: 'South Quay',
      vessel: 'MV Harbor Seal',
      certificate: 1000,
      status: 'scheduled',
      check_in_closed_at: null,
    });
    const { reference } = await office.readOrder(id);
    expect(pack.parties).toMatchObject([
      {
        reference,
        sailing_id: sailing,
        contact_name: 'Ada Lovelace',
        phone: '+12065550123',
        vehicle: { plate: '5KJH 220', length_cm: 450 },
        may_travel_later: true,
      },
    ]);
    expect(pack.parties[0]?.tickets.map(({ title, status }) => [title, status])).toEqual([
      ['Adult', 'issued'],
      ['Adult, driver', 'canceled'],
      ['Car', 'issued'],
    ]);
  });

  test('has the tickets of its own port only, and no order id, mail address or what was paid', async () => {
    const { id } = await buy({ legs: [sailing, office.ferry.back[1] ?? ''] });
    const pack = await gate.readPack();
    expect(pack.parties.map((party) => party.sailing_id)).toEqual([sailing]);
    for (const secret of [id, 'ada@example.com']) expect(JSON.stringify(pack)).not.toContain(secret);
    expect(JSON.stringify(pack.parties)).not.toContain('1275');
  });

  test('is without the parties that a device has, until something about them changes', async () => {
    const { id, tickets } = await buy({ adults: 2 });
    const first = await gate.readPack();
    const has = listTags(first);
    expect(first.tags).toEqual([{ sailing_id: sailing, tag: has }]);
    const same = await gate.readPack(`other,${has}`);
    expect(same).toMatchObject({ tags: first.tags, parties: [], sailings: first.sailings });
    expect(mergePack(first, same).parties).toBe(first.parties);

    const board = gate.board(tickets.slice(0, 1));
    const changes: (() => Promise<unknown>)[] = [
      () => gate.send(board),
      () => gate.send(gate.undo(board)),
      () => office.database.store.query(`update orders set plate = 'NEW 123' where id = $1`, [id]),
      () => office.database.store.query(`update tickets set status = 'canceled' where id = $1`, [tickets[1]]),
      () => buy(),
    ];
    let before = first;
    for (const change of changes) {
      await change();
      const fresh = await gate.readPack(listTags(before));
      expect(fresh.tags[0]?.tag).not.toBe(before.tags[0]?.tag);
      before = mergePack(before, fresh);
      expect(before).toEqual(await gate.readPack());
    }
    expect(before.parties).toHaveLength(2);
  });

  test('refuses more tags than an address holds', async () => {
    const path = fillPath(api.getGatePack.path, { code: 'nor' });
    expect((await gate.call('GET', `${path}?has=${'a'.repeat(PACK_TAGS_LENGTH + 1)}`)).status).toBe(422);
  });

  test('is not found for an unknown port', async () => {
    expect((await gate.call('GET', fillPath(api.getGatePack.path, { code: 'XXX' }))).status).toBe(404);
    expect(must(await gate.call('GET', api.listGatePorts.path))).toEqual([
      { code: 'NOR', name: 'North Quay' },
      { code: 'SOU', name: 'South Quay' },
    ]);
  });
});

describe('events of a gate', () => {
  test('board tickets, as the passengers and the gate see them', async () => {
    const { id, tickets } = await buy({ adults: 2 });
    expect(must(await gate.send(gate.board(tickets)))).toMatchObject({ twice: [], unknown: [] });
    expect(await statuses(id)).toEqual(['boarded', 'boarded']);
    const { tickets: listed } = createGateList(await gate.readPack());
    expect(listed.get(tickets[0] ?? '')?.ticket.boarding).toEqual({
      ...{ sailing_id: sailing, device: 'Ramp 1', times: 1 },
      at: office.clock.now().toISOString(),
    });
  });

  test('lead to the same state whether they arrive late, twice or in another order', async () => {
    const { id, tickets } = await buy();
    const first = gate.board(tickets, { occurred_at: '2026-06-02T14:01:00.000Z' });
    const second = gate.board(tickets, { occurred_at: '2026-06-02T14:03:00.000Z', device: 'Ramp 2' });
    const back = gate.undo(first, { occurred_at: '2026-06-02T14:02:00.000Z' });
    must(await gate.send(back));
    must(await gate.send(second));
    must(await gate.send(first, second, back));
    expect(await statuses(id)).toEqual(['boarded']);
    const { tickets: listed } = createGateList(await gate.readPack());
    expect(listed.get(tickets[0] ?? '')?.ticket.boarding).toMatchObject({ device: 'Ramp 2', times: 1 });
  });

  test('of two devices that admitted one ticket are kept, and told to both', async () => {
    const { tickets } = await buy();
    must(await gate.send(gate.board(tickets)));
    expect(must(await gate.send(gate.board(tickets, { device: 'Ramp 2' })))).toMatchObject({
      twice: tickets,
    });
    const { tickets: listed } = createGateList(await gate.readPack());
    expect(listed.get(tickets[0] ?? '')?.ticket.boarding?.times).toBe(2);
  });

  test('board the whole party that was sold after the device had its list', async () => {
    const { id } = await buy({ adults: 3 });
    const { reference } = await office.readOrder(id);
    const event = { ...gate.board([]), party: { reference, sailing_id: sailing } };
    must(await gate.send(event));
    expect(await statuses(id)).toEqual(['boarded', 'boarded', 'boarded']);
  });

  test('take tickets off the boat again', async () => {
    const { id, tickets } = await buy({ adults: 2 });
    must(await gate.send(gate.board(tickets)));
    office.clock.advance(60_000);
    must(await gate.send(gate.leave(tickets.slice(0, 1))));
    expect(await statuses(id)).toEqual(['issued', 'boarded']);
  });

  test('count people without tickets', async () => {
    const counted = gate.count(3);
    must(await gate.send(counted, gate.count(-1)));
    expect((await gate.readPack()).sailings[0]?.unticketed).toBe(2);
    must(await gate.send(gate.undo(counted)));
    expect((await gate.readPack()).sailings[0]?.unticketed).toBe(-1);
  });

  test('of a canceled ticket are kept, but it stays canceled', async () => {
    const { id, tickets } = await buy();
    await office.database.store.query(`update tickets set status = 'canceled' where id = $1`, tickets);
    must(await gate.send(gate.board(tickets)));
    expect(await statuses(id)).toEqual(['canceled']);
    expect((await gate.readPack()).parties[0]?.tickets[0]).toMatchObject({
      status: 'canceled',
      boarding: { device: 'Ramp 1' },
    });
  });

  test('name tickets and sailings that do not exist without harm', async () => {
    const ghost = 'tkt_00000000000000000000000000';
    expect(must(await gate.send(gate.board([ghost])))).toMatchObject({ unknown: [ghost] });
    must(await gate.send({ ...gate.board([]), sailing_id: 'slg_00000000000000000000000000' }));
  });

  test('are refused if they are malformed', async () => {
    for (const event of [
      { ...gate.board([]), device: '' },
      { ...gate.board([]), occurred_at: 'now' },
      { type: 'fly' },
    ]) {
      expect((await gate.send(event as GateEvent)).status).toBe(422);
    }
    expect((await gate.call('POST', api.sendGateEvents.path, { events: [] })).status).toBe(422);
  });

  test('name the person who scanned, also if another one sends them', async () => {
    const { tickets } = await buy({ adults: 3 });
    const other = await openGate(office, sailing);
    const events = [
      gate.board(tickets.slice(0, 1), { staff_id: other.staffId }),
      gate.board(tickets.slice(1, 2), { staff_id: gate.staffId }),
      gate.board(tickets.slice(2), { staff_id: newId('stf') }),
    ];
    must(await gate.send(...events));
    const rows = await office.database.store.query<{ staff_id: string; sent_by: string | null }>(
      `select id, staff_id, sent_by from gate_events where id = any($1) order by array_position($1, id)`,
      [events.map(({ id }) => id)],
    );
    expect(rows.map(({ staff_id, sent_by }) => [staff_id, sent_by])).toEqual([
      [other.staffId, gate.staffId],
      [gate.staffId, null],
      [gate.staffId, null],
    ]);
  });
});

describe('closing check-in', () => {
  test('marks those who did not come, and frees their places', async () => {
    const came = await buy({ adults: 1 });
    const missing = await buy({ adults: 2, vehicle: { type: 'car', length_cm: 450 }, bicycles: 1 });
    must(await gate.send(gate.board(came.tickets)));
    expect(await office.taken(sailing)).toMatchObject({
      passenger: [0, 3],
      lane_cm: [0, 500],
      bicycle: [0, 1],
    });
    const { sailings } = must(await gate.change('closeCheckIn'));
    expect(sailings).toMatchObject([{ id: sailing, check_in_closed_at: office.clock.now().toISOString() }]);
    expect(await office.taken(sailing)).toMatchObject({
      passenger: [0, 1],
      lane_cm: [0, 0],
      bicycle: [0, 0],
    });
    expect(await statuses(came.id)).toEqual(['boarded']);
    expect(new Set(await statuses(missing.id))).toEqual(new Set(['no_show']));
  });

  test('ends online sales, and shows passengers that it is closed', async () => {
    const { id } = await buy();
    must(await gate.change('closeCheckIn'));
    expect(codeOf(await office.quote())).toBe('sales_closed');
    expect((await office.readOrder(id)).legs[0].status).toBe('check_in_closed');
  });

  test('can be repeated without effect', async () => {
    const { tickets } = await buy();
    must(await gate.change('closeCheckIn'));
    office.clock.advance(60_000);
    const { sailings } = must(await gate.change('closeCheckIn'));
    expect(sailings[0].check_in_closed_at).not.toBe(office.clock.now().toISOString());
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    expect(tickets).toHaveLength(1);
  });

  test('can be taken back: those who did not come have their places again, unless these were sold', async () => {
    await openAtBoat({ passengers: 2 });
    const [first, second] = [await buy(), await buy()];
    must(await gate.change('closeCheckIn'));
    // The desk sold one of the two places meanwhile.
    await office.database.store.query(
      `update voyage_capacity set held = held + 1 where resource = 'passenger' and sold = 0 and sellable_online = 2`,
    );
    must(await gate.change('reopenCheckIn'));
    expect([await statuses(first.id), await statuses(second.id)].flat().toSorted()).toEqual([
      'issued',
      'no_show',
    ]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 1] });
  });

  test('keeps the place of a passenger whose scan arrives later, unless it was sold', async () => {
    await openAtBoat({ passengers: 2 });
    const [first, second] = [await buy(), await buy()];
    must(await gate.change('closeCheckIn'));
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
    must(await gate.send(gate.board(first.tickets)));
    expect(await statuses(first.id)).toEqual(['boarded']);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
    // The desk sold the other place meanwhile.
    await office.database.store.query(
      `update voyage_capacity set held = held + 1 where resource = 'passenger' and sold = 1`,
    );
    must(await gate.send(gate.board(second.tickets)));
    expect(await statuses(second.id)).toEqual(['boarded']);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 1] });
    must(await gate.change('reopenCheckIn'));
    expect(await office.taken(sailing)).toMatchObject({ passenger: [1, 1] });
  });

  test('frees the place of a passenger who leaves the boat later', async () => {
    const { id, tickets } = await buy();
    office.clock.advance(60_000);
    must(await gate.send(gate.board(tickets)));
    must(await gate.change('closeCheckIn'));
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
    office.clock.advance(60_000);
    must(await gate.send(gate.leave(tickets)));
    expect(await statuses(id)).toEqual(['no_show']);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  });

  test('of an unknown, canceled or departed boat is refused', async () => {
    expect((await gate.change('closeCheckIn', 'slg_00000000000000000000000000')).status).toBe(404);
    must(await gate.change('departSailing'));
    office.clock.advance(11 * 60_000);
    expect(codeOf(await gate.change('reopenCheckIn'))).toBe('sailing_not_boarding');
    await office.database.store.query(`update sailings set status = 'canceled' where id = $1`, [sailing]);
    expect(codeOf(await gate.change('closeCheckIn'))).toBe('sailing_not_boarding');
  });
});

describe('a departure', () => {
  test('closes check-in and shows the boat as departed, before its time by the timetable', async () => {
    const { id } = await buy();
    const { sailings } = must(await gate.change('departSailing'));
    const at = office.clock.now().toISOString();
    expect(sailings).toMatchObject([{ check_in_closed_at: at, departed_at: at }]);
    expect((await office.readOrder(id)).legs[0].status).toBe('departed');
  });

  test('reported by mistake can be taken back for ten minutes', async () => {
    must(await gate.change('departSailing'));
    office.clock.advance(9 * 60_000);
    expect(must(await gate.change('reopenCheckIn')).sailings).toMatchObject([
      { check_in_closed_at: null, departed_at: null },
    ]);
  });

  test('is in the audit log with who reported it and how many people are aboard', async () => {
    must(await gate.change('departSailing'));
    expect(await office.context.db.select().from(auditLog)).toMatchObject([
      {
        ...{ actorKind: 'staff', actorRole: 'gate', action: 'departed', objectId: sailing },
        after: { people: 0, with_ticket: 0, without_ticket: 0, from_earlier_ports: 0 },
      },
    ]);
  });
});
