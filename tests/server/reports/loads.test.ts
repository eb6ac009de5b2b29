import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { tickets } from '#server/database/schema/sales.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { newEventId } from '#tests/factories/gate.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';

let office: Office;
let sailing: string;
beforeAll(async () => {
  office = await openOffice();
  [sailing = ''] = office.ferry.outward;
  office.clock.advance(23 * 3_600_000);
});
afterAll(() => office.close());

async function callAs(role: StaffRole) {
  const { id } = await createStaffMember(office.context, role);
  const { headers } = await startStaffSession(office.context, id);
  return (method: string, path: string, body?: unknown) =>
    office.request(method, path, { body, headers, idempotencyKey: randomUUID() });
}

async function buyWithCar(length: number): Promise<string> {
  const { intent, order } = await office.takePayment({
    adults: 1,
    vehicle: { type: 'car', length_cm: length },
  });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return order.id;
}

async function readLoads() {
  const call = await callAs('manager');
  const path = fillPath(api.getReport.path, { report: 'loads' });
  const { columns, rows } = must(await call('GET', `${path}?from=2026-06-01&until=2026-06-30`)) as {
    columns: string[];
    rows: (string | number)[][];
  };
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
}

describe('the loads of a sailing', () => {
  test('count vehicles and lanes that were sold, came aboard, did not come and were left behind', async () => {
    await office.context.db.update(vessels).set({ laneCm: 9000, tallLaneCm: 1000 });
    const aboard = await buyWithCar(450);
    await buyWithCar(500);
    await office.context.db.update(tickets).set({ status: 'boarded' }).where(eq(tickets.orderId, aboard));
    const call = await callAs('gate');
    must(await call('POST', fillPath(api.closeCheckIn.path, { id: sailing })));
    const waiting = {
      passengers: [{ type: 'adult', count: 2 }],
      vehicle: { type: 'car', length_cm: 600 },
      plate: '5KJH 220',
    };
    must(await call('POST', fillPath(api.joinQueue.path, { id: sailing }), waiting));
    must(await call('POST', fillPath(api.moveQueue.path, { id: sailing })));
    // Each car takes a gap of 50 cm.
    const carried = {
      ...{ people: 2, boarded: 1, no_shows: 1, left_behind: 2 },
      ...{ vehicles: 2, vehicles_boarded: 1, vehicles_no_shows: 1, vehicles_left_behind: 1 },
      ...{ lane: 10_000, lane_sold: 1050, lane_boarded: 500, lane_no_shows: 550, lane_left_behind: 650 },
      ...{ lane_percent: 1167, tall_lane_percent: 0, gate: 'used' },
    };
    expect(await readLoads()).toMatchObject([carried]);
  });

  test('count all tickets for a boat in the percentages of each of its sailings', async () => {
    await office.context.db.update(vessels).set({ passengerCapacity: 40 });
    expect(await readLoads()).toMatchObject([{ people: 2, places: 40, people_percent: 500 }]);
  });

  test('do not say who did not come to a boat without a gate, and list sailings that ran empty', async () => {
    const [, later = ''] = office.ferry.outward;
    const { intent } = await office.takePayment({ adults: 3, legs: [later] });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    expect(await readLoads()).toHaveLength(2);
    office.clock.advance(24 * 3_600_000);
    const rows = await readLoads();
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ people }) => people === 3)).toMatchObject([
      { gate: 'unused', boarded: 0, no_shows: '', vehicles_no_shows: '' },
    ]);
    expect(rows.find(({ people }) => people === 0)).toMatchObject({
      people_percent: 0,
      gate: 'unused',
      gross: 0,
    });
  });

  test('are in meters in the CSV file', async () => {
    const call = await callAs('manager');
    const path = fillPath(api.exportReport.path, { report: 'loads' });
    const reply = await call('GET', `${path}?from=2026-06-01&until=2026-06-30`);
    const [header = '', row = ''] = String(reply.body).split('\n');
    const at = (column: string) => row.split(',')[header.split(',').indexOf(column)];
    expect([at('lane_sold'), at('lane_left_behind'), at('vehicles_left_behind')]).toEqual([
      '10.5',
      '6.5',
      '1',
    ]);
  });
});

describe('the loads of a boat whose gate scanned nothing', () => {
  let boat: string;
  let passengers: string[];
  const report = (type: 'print' | 'count' | 'board', more: object = {}) => ({
    ...{ id: newEventId(), type, sailing_id: boat, device: 'gate-1' },
    ...{ occurred_at: office.clock.now().toISOString(), ...more },
  });
  const readBoat = async () => (await readLoads()).find(({ people }) => people === 4);

  beforeAll(async () => {
    await office.reopen();
    [boat = ''] = office.ferry.outward;
    const { intent, order } = await office.takePayment({ adults: 4 });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const sold = await office.context.db.select().from(tickets).where(eq(tickets.orderId, order.id));
    passengers = sold.map(({ id }) => id);
    office.clock.advance(5 * 24 * 3_600_000);
  });

  test('do not say who did not come if it printed a list or counted people without tickets', async () => {
    const call = await callAs('gate');
    const events = [report('print'), report('count', { people: 2 })];
    must(await call('POST', api.sendGateEvents.path, { events }));
    expect(await readBoat()).toMatchObject({ gate: 'unused', boarded: 0, no_shows: '' });
  });

  test('do not say it either if check-in was closed while the gate worked with the list', async () => {
    const call = await callAs('gate');
    must(await call('POST', fillPath(api.closeCheckIn.path, { id: boat })));
    expect(await readBoat()).toMatchObject({ gate: 'unused', no_shows: '' });
  });

  test('say it once a device that was offline all day has sent its scans', async () => {
    const call = await callAs('gate');
    const events = [report('board', { tickets: passengers.slice(0, 3) })];
    must(await call('POST', api.sendGateEvents.path, { events }));
    expect(await readBoat()).toMatchObject({ gate: 'used', boarded: 3, no_shows: 1 });
  });
});
