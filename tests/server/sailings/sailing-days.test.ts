import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  type Connection,
  type Sailing,
  type SailingDay,
  SailingDaySchema,
} from '#contract/sailings/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { ports, sailings, voyageCapacity } from '#server/database/schema/timetable.ts';
import {
  buildFeed,
  feedText,
  importDemo,
  importFeed,
  MONDAY,
  routeIdOf,
} from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const FIRST = '2026-06-01';

type Asked = { from: string; to: string; days?: [string, string]; party?: string };

class Office {
  readonly server: TestServer;
  readonly portIds: Record<string, string> = {};

  constructor(server: TestServer) {
    this.server = server;
  }

  async readPorts(): Promise<this> {
    for (const { id, code } of await this.server.database.db.select().from(ports)) this.portIds[code] = id;
    return this;
  }

  ask({ from, to, days: [first, last] = [FIRST, addDays(FIRST, 6)], party = '' }: Asked) {
    const pair = `origin_port_id=${this.portIds[from] ?? from}&destination_port_id=${this.portIds[to] ?? to}`;
    return this.server.request('GET', `/api/sailing_days?${pair}&from=${first}&to=${last}&${party}`);
  }

  async list(asked: Asked): Promise<SailingDay[]> {
    const { status, body } = await this.ask(asked);
    expect(status).toBe(200);
    return z.array(SailingDaySchema).parse(body.data);
  }
}

describe('GET /api/sailing_days', () => {
  let office: Office;
  beforeAll(async () => {
    const server = await openTestServer({ now: MONDAY });
    await importDemo(server.database.db);
    office = await new Office(server).readPorts();
  });
  afterAll(() => office.server.close());

  async function lowestInList(path: string, party: string): Promise<number | null> {
    const { body } = await office.server.request('GET', `${path}&${party}`);
    const amounts = (body.data as (Sailing | Connection)[]).flatMap(({ from_amount }) => from_amount ?? []);
    return amounts.length > 0 ? Math.min(...amounts) : null;
  }

  it.each(['', 'passengers[adult]=2&passengers[child]=2&vehicle_type=car&length_cm=520'])(
    'has the lowest price in the list of sailings of each day, for the party "%s"',
    async (party) => {
      const days = await office.list({ from: 'MAD', to: 'HER', party });
      expect(days).toHaveLength(7);
      const routeId = await routeIdOf(office.server.database.db, 'MAD-HER');
      for (const { day, from_amount, state } of days) {
        const path = `/api/sailings?route_id=${routeId}&date=${day}`;
        expect({ day, from_amount, state }).toEqual({
          day,
          from_amount: await lowestInList(path, party),
          state: 'on_sale',
        });
      }
    },
  );

  it('has the lowest price of both boats where passengers change', async () => {
    const days = await office.list({ from: 'MAD', to: 'KES', days: ['2026-06-02', '2026-06-04'] });
    const { MAD, KES } = office.portIds;
    for (const { day, from_amount } of days) {
      const path = `/api/connections?origin_port_id=${MAD}&destination_port_id=${KES}&date=${day}`;
      expect({ day, from_amount }).toEqual({ day, from_amount: await lowestInList(path, '') });
    }
    expect(days.every(({ state }) => state === 'on_sale')).toBe(true);
  });

  it('has no price for days after those on sale, and for ports without a connection', async () => {
    const [last] = await office.list({ from: 'MAD', to: 'HER', days: ['2026-06-20', '2026-06-20'] });
    expect(last).toMatchObject({ state: 'unavailable', from_amount: null });
    const [day] = await office.list({ from: 'MAD', to: 'MAD', days: [FIRST, FIRST] });
    expect(day).toMatchObject({ state: 'none', from_amount: null });
  });

  it('may be kept for a short time, because it contains nothing personal', async () => {
    const { headers } = await office.ask({ from: 'MAD', to: 'HER' });
    expect(headers.get('cache-control')).toBe('public, max-age=15');
  });

  it.each([
    [{ days: [FIRST, addDays(FIRST, 42)] as [string, string] }, 'to'],
    [{ days: [FIRST, '2026-05-31'] as [string, string] }, 'to'],
    [{ days: ['2026-02-30', '2026-03-01'] as [string, string] }, 'from'],
    [{ party: 'passengers[ghost]=1' }, 'passengers.ghost'],
    [{ party: 'vehicle_type=car' }, 'length_cm'],
  ])('refuses %j', async (wrong, field) => {
    const { status, body } = await office.ask({ from: 'MAD', to: 'HER', ...wrong });
    expect([status, body.errors[0].field]).toEqual([422, field]);
  });

  it('does not know other ports', async () => {
    expect((await office.ask({ from: `prt_${'0'.repeat(26)}`, to: 'HER' })).status).toBe(404);
  });
});

describe('a day on which nothing can be bought', () => {
  it('is told apart as full, canceled, without a boat for the party, or without sailings', async () => {
    const server = await openTestServer({ now: MONDAY });
    const { db } = server.database;
    const weekdays = feedText('calendar.txt').replace('daily,1,1,1,1,1,1,1', 'daily,1,1,1,1,1,1,0');
    await importFeed(db, buildFeed({ 'calendar.txt': weekdays }));
    const office = await new Office(server).readPorts();
    const [from = '', to = ''] = (await db.select().from(ports))
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ id }) => id);
    const rows = await db.select().from(sailings);
    const on = (day: string) => rows.filter(({ serviceDate }) => serviceDate === day);
    await db
      .update(voyageCapacity)
      .set({ sold: sql`${voyageCapacity.total}`, sellableOnline: sql`${voyageCapacity.total}` })
      .where(
        inArray(
          voyageCapacity.voyageId,
          on('2026-06-02').map(({ voyageId }) => voyageId),
        ),
      );
    for (const { id } of on('2026-06-03'))
      await db.update(sailings).set({ status: 'canceled' }).where(eq(sailings.id, id));
    const read = async (party: string) => (await office.list({ from, to, party })).map(({ state }) => state);
    expect(await read('')).toEqual(['on_sale', 'full', 'canceled', 'on_sale', 'on_sale', 'on_sale', 'none']);
    expect((await read('vehicle_type=car&length_cm=1500')).at(3)).toBe('unavailable');
    await server.close();
  });
});
