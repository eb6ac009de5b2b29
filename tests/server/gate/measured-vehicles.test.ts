import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { WorkItem } from '#contract/desk/schemas.ts';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { vehicleMeasurements } from '#server/database/schema/gate.ts';
import { savedVehicles } from '#server/database/schema/saved-party.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { saveVehicle } from '#server/saved-party/saved-party.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import { buildCashier, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { cardHolder, createTripCard } from '#tests/factories/trip-cards.ts';
import { watchHistory } from '#tests/server/histories/watch.ts';
import type { TestReply } from '#tests/setup/server.ts';

const CASH = { method: 'cash' } as const;
let office: Office;
let sailing: string;
let headers: Record<string, string>;
let orderId: string;
let vehicle: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => openAtBoat());

/** At a boat with a paid car of 4.50 m, whose fare is good for 6 m; each 0.50 m more costs $2.50. */
async function openAtBoat(room: Parameters<Office['reopen']>[0] = {}): Promise<void> {
  await office.reopen(room);
  sailing = office.ferry.outward[0] ?? '';
  office.clock.advance(23 * 3_600_000);
  headers = await signIn('gate');
  orderId = await buy();
  vehicle = await findVehicle();
}

async function signIn(role: StaffRole): Promise<Record<string, string>> {
  const { id } = await createStaffMember(office.context, role);
  return (await startStaffSession(office.context, id)).headers;
}

async function buy(options: Parameters<Office['takeOrder']>[0] = {}): Promise<string> {
  const car = { type: 'car', length_cm: 450 };
  const { order, intent } = await office.takePayment({ adults: 2, vehicle: car, ...options });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return order.id;
}

async function findVehicle(): Promise<string> {
  const { tickets } = await office.readOrder(orderId);
  return tickets.find(({ kind }: { kind: string }) => kind === 'vehicle').id;
}

const quote = (length: number, height: number | null = null, ticket = vehicle, as = headers) =>
  office.request('POST', fillPath(api.quoteVehicle.path, { id: ticket }), {
    body: { length_cm: length, height_cm: height },
    headers: as,
  });
const record = (body: object, options: object = {}): Promise<TestReply> =>
  office.request('POST', fillPath(api.recordVehicle.path, { id: vehicle }), {
    body: { height_cm: null, device: 'Ramp 1', decision: 'aboard', difference: 0, payment: null, ...body },
    idempotencyKey: randomUUID(),
    headers,
    ...options,
  });
const listOutcomes = async () =>
  (await office.context.db.select().from(vehicleMeasurements)).map(({ outcome, difference, lengthCm }) => ({
    outcome,
    difference,
    lengthCm,
  }));
const listActions = async () => (await office.context.db.select().from(auditLog)).map(({ action }) => action);

describe('a measured vehicle', () => {
  test('that is not larger than booked is recorded, and nothing changes', async () => {
    const before = await office.readOrder(orderId);
    expect(must(await quote(450, 210))).toEqual({
      ...{ booked_length_cm: 450, booked_height_cm: null, is_larger: false },
      ...{ difference: 0, currency: 'USD' },
    });
    expect(must(await record({ length_cm: 430, height_cm: 210 }))).toMatchObject({ outcome: 'fits' });
    const { as_of: _, ...after } = await office.readOrder(orderId);
    expect(before).toMatchObject(after);
    expect(await listOutcomes()).toEqual([{ outcome: 'fits', difference: 0, lengthCm: 430 }]);
    expect(await listActions()).toEqual(['vehicle_measured']);
  });

  test('that is longer pays the difference of the fares, and takes its lane', async () => {
    const before = await office.readOrder(orderId);
    expect(must(await quote(700))).toMatchObject({ is_larger: true, difference: 500 });
    const paid = must(await record({ length_cm: 700, difference: 500, payment: CASH }));
    expect(paid).toEqual({ outcome: 'charged', difference: 500, currency: 'USD' });
    const order = await office.readOrder(orderId);
    expect(order).toMatchObject({
      ...{ status: 'confirmed', total: before.total + 500, paid: before.total + 500 },
      payments: [{ method: 'card' }, { method: 'cash', amount: 500, status: 'succeeded' }],
    });
    const listCodes = ({ tickets }: TestReply['body']) =>
      tickets.map(({ id, barcode }: TestReply['body']) => [id, barcode.payload]);
    expect(listCodes(order)).toEqual(listCodes(before));
    expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 750] });
    expect(await listActions()).toEqual(['payment_taken', 'vehicle_measured']);
    await watchHistory(office).expectInvariants();
  });

  test('that is longer at the same price goes aboard without a payment', async () => {
    expect(must(await quote(590))).toMatchObject({ is_larger: true, difference: 0 });
    expect(must(await record({ length_cm: 590 }))).toMatchObject({ outcome: 'charged', difference: 0 });
    expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 640] });
    await watchHistory(office).expectInvariants();
  });

  test('that is too high for its deck moves to the lane for high vehicles', async () => {
    expect(must(await record({ length_cm: 450, height_cm: 300 }))).toMatchObject({ outcome: 'charged' });
    expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 0], tall_lane_cm: [0, 500] });
    await watchHistory(office).expectInvariants();
  });

  test('pays with a trip card that is shown', async () => {
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id, { balance: 600 });
    const payment = { method: 'trip_card', card: card.number };
    must(await record({ length_cm: 700, difference: 500, payment }));
    const [row] = await office.database.store.query('select balance::int from trip_cards where id = $1', [
      card.id,
    ]);
    expect(row).toEqual({ balance: 100 });
    const again = await record({ length_cm: 800, difference: 500, payment });
    expect(codeOf(again)).toBe('insufficient_balance');
    expect(await office.taken(sailing), 'nothing changed').toMatchObject({ lane_cm: [0, 750] });
  });

  test('that is refused changes nothing, also where no boat could take it', async () => {
    expect(codeOf(await quote(1300))).toBe('vehicle_too_long');
    expect(must(await record({ length_cm: 1300, decision: 'refused' }))).toMatchObject({
      ...{ outcome: 'refused', difference: 0 },
    });
    expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 500] });
    expect(await listOutcomes()).toEqual([{ outcome: 'refused', difference: 0, lengthCm: 1300 }]);
  });

  test('finds no room on a full boat, and no money is taken', async () => {
    await openAtBoat({ laneCm: 600 });
    const reply = await record({ length_cm: 700, difference: 500, payment: CASH });
    expect(codeOf(reply)).toBe('sold_out');
    expect(await office.readOrder(orderId)).toMatchObject({ payments: [{ method: 'card' }] });
    expect(await listActions()).toEqual([]);
  });

  test('finds room in the share of the booth', async () => {
    await openAtBoat({ laneCm: 1200 });
    await office.context.db.update(vessels).set({ onlinePercent: 50 });
    must(await record({ length_cm: 700, difference: 500, payment: CASH }));
    expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 750] });
  });

  test('is charged once, however often the request arrives', async () => {
    const options = { idempotencyKey: randomUUID() };
    const body = { length_cm: 700, difference: 500, payment: CASH };
    must(await record(body, options));
    must(await record(body, options));
    must(await record({ length_cm: 700 }));
    const { payments } = await office.readOrder(orderId);
    expect(payments).toHaveLength(2);
    expect((await listOutcomes()).map(({ outcome }) => outcome)).toEqual(['charged', 'fits']);
  });

  test('is given back with its difference, each part as it was paid', async () => {
    must(await record({ length_cm: 700, difference: 500, payment: CASH }));
    const { reference, total } = await office.readOrder(orderId);
    const { refunds } = await refundOrder(office.context, {
      ...{ reference, toTripCard: null, actor: buildCashier() },
    });
    expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([
      [total - 500, 'requested'],
      [500, 'awaiting_payout'],
    ]);
    expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 0] });
    await watchHistory(office).expectInvariants();
  });

  test('is what its owner is offered at the next booking, if the plate is the same', async () => {
    const { customer } = await cardHolder(office);
    const car = { type: 'car', length_cm: 450 };
    for (const plate of ['5KJH 220', 'OTHER 1']) {
      await saveVehicle(office.context, { customerId: customer.id, name: '', vehicle: car, plate });
    }
    await office.database.store.query('update orders set customer_id = $1', [customer.id]);
    must(await record({ length_cm: 700, difference: 500, payment: CASH }));
    const saved = await office.context.db.select().from(savedVehicles);
    expect(saved.map(({ plate, vehicle: { length_cm: length } }) => [plate, length]).toSorted()).toEqual([
      ['5KJH 220', 700],
      ['OTHER 1', 450],
    ]);
  });

  test('is shown to gates with its measured size', async () => {
    must(await record({ length_cm: 700, difference: 500, payment: CASH }));
    const pack = await (await openGate(office, sailing)).readPack();
    expect(pack.parties[0]?.vehicle).toMatchObject({ length_cm: 700, plate: '5KJH 220' });
  });
});

describe('another vehicle than booked', () => {
  /** Vans cost $20 more than cars, and scooters $20 less. */
  async function sellOthers(): Promise<void> {
    const { store } = office.database;
    for (const [code, name, more] of [
      ['van', 'Van', 2000],
      ['scooter', 'Scooter', -2000],
    ]) {
      await store.query(
        `insert into vehicle_types select (jsonb_populate_record(v,
           jsonb_build_object('id', $1::text, 'code', $2::text, 'name', $3::text))).*
         from vehicle_types v where v.code = 'car'`,
        [`vty_${code}`, code, name],
      );
      await store.query(
        `insert into fares select (jsonb_populate_record(f,
           jsonb_build_object('id', f.id || $1::text, 'vehicle_type_id', $1::text, 'amount', f.amount + $2::int))).*
         from fares f join vehicle_types v on v.id = f.vehicle_type_id and v.code = 'car'`,
        [`vty_${code}`, more],
      );
    }
    await store.query('update feed set revision = gen_random_uuid()::text');
  }

  test('pays the difference of the fares of both, and its ticket names it', async () => {
    await sellOthers();
    const before = await office.readOrder(orderId);
    const van = { length_cm: 700, height_cm: null, vehicle_type: 'van' };
    const path = fillPath(api.quoteVehicle.path, { id: vehicle });
    expect(must(await office.request('POST', path, { body: van, headers }))).toMatchObject({
      ...{ is_larger: true, difference: 2500 },
    });
    must(await record({ ...van, difference: 2500, payment: CASH }));
    const order = await office.readOrder(orderId);
    expect(order.total).toBe(before.total + 2500);
    const pack = await (await openGate(office, sailing)).readPack();
    const listed = pack.parties[0]?.tickets.find(({ id }) => id === vehicle);
    expect(listed?.title).toMatch(/^Van/);
    await watchHistory(office).expectInvariants();
  });

  test('costs nothing less if it is smaller, and must have a type that exists', async () => {
    await sellOthers();
    expect(must(await record({ length_cm: 200, vehicle_type: 'scooter' }))).toMatchObject({
      ...{ outcome: 'charged', difference: 0 },
    });
    expect(codeOf(await record({ length_cm: 450, vehicle_type: 'submarine' }))).toBe('invalid_input');
  });
});

describe('a vehicle that was measured without a connection', () => {
  /** Sends what the device noted: the vehicle aboard, and its size. */
  async function noteLate(size: object, options: { departs?: boolean } = {}): Promise<void> {
    const gate = await openGate(office, sailing);
    const board = gate.board([vehicle]);
    const measure = { ...gate.board([]), type: 'measure', ticket_id: vehicle, height_cm: null, ...size };
    if (options.departs) must(await gate.change('departSailing'));
    const { tickets: _, ...event } = measure as GateEvent & { tickets?: string[] };
    for (const __ of [1, 2]) must(await gate.send(board, event as GateEvent));
  }
  const listWork = async (as = headers): Promise<WorkItem[]> =>
    must(await office.request('GET', api.listWork.path, { headers: as })).items;
  const settle = (id: string, payment: object | null, as: Record<string, string>) =>
    office.request('POST', fillPath(api.settleMeasurement.path, { id }), {
      body: { payment },
      idempotencyKey: randomUUID(),
      headers: as,
    });

  test('is settled once by the desk, also after the departure', async () => {
    const before = await office.readOrder(orderId);
    await noteLate({ length_cm: 700 }, { departs: true });
    const desk = await signIn('desk');
    const [item, ...others] = await listWork(desk);
    expect(others).toEqual([]);
    expect(item).toMatchObject({ kind: 'vehicle_unpaid', amount: 500, reference: before.reference });
    const id = item?.measurement_id ?? '';
    must(await settle(id, CASH, desk));
    expect((await settle(id, CASH, desk)).status).toBe(404);
    expect(await office.readOrder(orderId)).toMatchObject({
      ...{ total: before.total + 500, paid: before.paid + 500 },
      payments: [{ method: 'card' }, { method: 'cash', amount: 500 }],
    });
    expect(await listWork(desk)).toEqual([]);
    expect(await listOutcomes()).toEqual([{ outcome: 'charged', difference: 500, lengthCm: 700 }]);
  });

  test('is paid once if it is measured again', async () => {
    await noteLate({ length_cm: 700 });
    await noteLate({ length_cm: 750 });
    expect(await listWork(await signIn('desk'))).toMatchObject([{ kind: 'vehicle_unpaid', amount: 750 }]);
  });

  test('is paid once if it is measured again with a connection', async () => {
    await noteLate({ length_cm: 700 });
    const desk = await signIn('desk');
    const [item] = await listWork(desk);
    must(await record({ length_cm: 700, difference: 500, payment: CASH }));
    expect(await listWork(desk)).toEqual([]);
    expect((await settle(item?.measurement_id ?? '', CASH, desk)).status).toBe(404);
    expect((await office.readOrder(orderId)).payments).toHaveLength(2);
  });

  test('pays no more than it costs by then', async () => {
    await noteLate({ length_cm: 700 });
    const desk = await signIn('desk');
    const [item] = await listWork(desk);
    const { store } = office.database;
    await store.query(
      `update order_lines set vehicle = vehicle || '{"length_cm": 650}' where vehicle is not null`,
    );
    await store.query(`update orders set vehicle = vehicle || '{"length_cm": 650}'`);
    must(await settle(item?.measurement_id ?? '', CASH, desk));
    expect(await listOutcomes()).toEqual([{ outcome: 'charged', difference: 250, lengthCm: 700 }]);
    expect((await office.readOrder(orderId)).payments).toMatchObject([{}, { amount: 250 }]);
  });

  test('gets its lane, as far as there is one', async () => {
    await noteLate({ length_cm: 700 });
    const desk = await signIn('desk');
    const [item] = await listWork(desk);
    must(await settle(item?.measurement_id ?? '', CASH, desk));
    expect(await office.taken(sailing)).toMatchObject({ lane_cm: [0, 750] });
    await watchHistory(office).expectInvariants();
  });

  test('may be left without a payment, and must be if no fare covers it', async () => {
    await noteLate({ length_cm: 1300 });
    const desk = await signIn('desk');
    const [item] = await listWork(desk);
    expect(item).toMatchObject({ kind: 'vehicle_unpaid', amount: null });
    const id = item?.measurement_id ?? '';
    expect((await settle(id, CASH, desk)).status).toBe(422);
    must(await settle(id, null, desk));
    expect(await listWork(desk)).toEqual([]);
    expect(await listOutcomes()).toEqual([{ outcome: 'waived', difference: 0, lengthCm: 1300 }]);
    expect(await listActions()).toContain('vehicle_measured');
  });

  test('needs no one if it is as booked, or did not stay aboard', async () => {
    await noteLate({ length_cm: 440 });
    const desk = await signIn('desk');
    expect(await listWork(desk)).toEqual([]);
    await noteLate({ length_cm: 700 });
    office.clock.advance(1000);
    const gate = await openGate(office, sailing);
    must(await gate.send(gate.leave([vehicle])));
    expect(await listWork(desk)).toEqual([]);
  });

  test('is settled neither by the gate nor by the signed out', async () => {
    await noteLate({ length_cm: 700 });
    const [item] = await listWork(await signIn('office'));
    const id = item?.measurement_id ?? '';
    expect((await settle(id, CASH, headers)).status).toBe(403);
    expect((await settle(id, CASH, {})).status).toBe(401);
    expect((await settle('vms_00000000000000000000000000', null, await signIn('desk'))).status).toBe(404);
  });
});

describe('measuring is refused', () => {
  test('with another difference than quoted, or without a payment', async () => {
    const other = await record({ length_cm: 700, difference: 250, payment: CASH });
    expect(codeOf(other)).toBe('price_changed');
    expect(codeOf(await record({ length_cm: 700, difference: 500 }))).toBe('invalid_input');
    expect(codeOf(await record({ length_cm: 0 }))).toBe('invalid_input');
    expect(await listOutcomes()).toEqual([]);
  });

  test('for a passenger, for canceled tickets and after the departure', async () => {
    const { tickets } = await office.readOrder(orderId);
    expect((await quote(700, null, tickets[0].id)).status).toBe(404);
    expect((await quote(700, null, 'tkt_00000000000000000000000000')).status).toBe(404);
    must(await (await openGate(office, sailing)).change('departSailing'));
    expect(codeOf(await quote(700))).toBe('sailing_not_boarding');
    await office.database.store.query(`update tickets set status = 'canceled' where order_id = $1`, [
      orderId,
    ]);
    expect(codeOf(await quote(700))).toBe('order_closed');
  });

  test('for the signed out, and for the office', async () => {
    expect((await quote(700, null, vehicle, {})).status).toBe(401);
    expect((await quote(700, null, vehicle, await signIn('office'))).status).toBe(403);
    expect((await quote(700, null, vehicle, await signIn('desk'))).status).toBe(200);
  });

  test('with a trip card that is not known', async () => {
    const payment = { method: 'trip_card', card: '9123456789012347' };
    expect(codeOf(await record({ length_cm: 700, difference: 500, payment }))).toBe('unknown_trip_card');
  });
});
