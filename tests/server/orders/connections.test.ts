import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LegName } from '#contract/orders/buy/legs.ts';
import type { Order } from '#contract/orders/schemas.ts';
import type { Connection } from '#contract/sailings/schemas.ts';
import { newId } from '#server/core/ids.ts';
import { queryRows } from '#server/database/database.ts';
import { feed, ports, sailings, voyageCapacity } from '#server/database/schema/timetable.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { orderMailContent } from '#server/mail/templates/order.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf, intentOf } from '#tests/factories/changes.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { buildFeed, importFeed } from '#tests/factories/timetable.ts';

const DAY = '2026-06-02';

/** West to Middle, and Middle to East, each with a boat of its own; the last boat to East leaves after midnight. */
const FEED = {
  'stops.txt': 'stop_id,stop_name\nwest,West\nmiddle,Middle\neast,East\n',
  'routes.txt': 'route_id,route_long_name,route_type\nfirst,First Line,4\nsecond,Second Line,4\n',
  'trips.txt': `route_id,service_id,trip_id\n${[
    'first-9',
    'first-10',
    'first-23',
    'west-15',
    'second-11',
    'second-24',
    'middle-13',
  ]
    .map((id) => `${id.startsWith('first') || id.startsWith('west') ? 'first' : 'second'},daily,${id}\n`)
    .join('')}`,
  'stop_times.txt': [
    'trip_id,arrival_time,departure_time,stop_id,stop_sequence',
    ...call('first-9', ['west', '09:00:00'], ['middle', '09:30:00']),
    ...call('first-10', ['west', '10:00:00'], ['middle', '10:30:00']),
    ...call('first-23', ['west', '23:00:00'], ['middle', '23:30:00']),
    ...call('second-11', ['middle', '11:00:00'], ['east', '11:40:00']),
    ...call('second-24', ['middle', '24:10:00'], ['east', '24:50:00']),
    ...call('middle-13', ['east', '13:00:00'], ['middle', '13:40:00']),
    ...call('west-15', ['middle', '15:00:00'], ['west', '15:30:00']),
    '',
  ].join('\n'),
  'route_rules.csv': null,
  'promo_codes.csv': null,
  'vessels.csv': 'code,name,passengers\ntern,MV Tern,6\n',
  'fares.csv':
    'fare_class,kind,passenger_type,amount\nflex,passenger,adult,8.25\nflex,passenger,child,4.00\n',
};

function call(trip: string, from: [string, string], to: [string, string]): string[] {
  return [from, to].map(([port, time], index) => `${trip},${time},${time},${port},${index}`);
}

let office: Office;
const portIds: Record<string, string> = {};
beforeAll(async () => {
  office = await openOffice();
  await office.context.db.delete(feed);
  await importFeed(office.context.db, buildFeed(FEED));
  const rows = await office.context.db.select().from(ports);
  for (const { gtfsStopId, id } of rows) portIds[gtfsStopId] = id;
});
afterAll(() => office.close());

const path = (from: string, to: string, more = '') =>
  `/api/connections?origin_port_id=${portIds[from] ?? from}&destination_port_id=${portIds[to] ?? to}&date=${DAY}${more}`;

async function search(from = 'west', to = 'east', more = ''): Promise<Connection[]> {
  return must(await office.request('GET', path(from, to, more)));
}

/** The boats of the connection that leaves at this hour, as legs of an order. */
async function legsAt(hour: string, from = 'west', to = 'east', names: LegName[] = ['out', 'out_onward']) {
  const connection = (await search(from, to)).find(({ first }) => first.departs_local.includes(`T${hour}`));
  return (connection ? [connection.first, connection.onward] : []).map(({ id }, index) => ({
    sailing_id: id,
    leg: names[index] ?? 'out',
  }));
}

async function setDelay(id: string | undefined, delayMinutes: number): Promise<void> {
  await office.context.db
    .update(sailings)
    .set({ delayMinutes })
    .where(eq(sailings.id, id ?? ''));
}

describe('GET /api/connections', () => {
  test('lists the journeys of the day with the change, the whole duration and the price of both boats', async () => {
    const connections = await search('west', 'east', '&passengers[adult]=2');
    const shown = connections.map(({ first, onward, transfer_minutes, duration_minutes, from_amount }) => ({
      times: [first.departs_local, first.arrives_local, onward.departs_local, onward.arrives_local].map(
        (time) => time.slice(8, 16),
      ),
      ...{ transfer_minutes, duration_minutes, from_amount },
    }));
    expect(shown).toEqual([
      {
        times: ['02T10:00', '02T10:30', '02T11:00', '02T11:40'],
        ...{ transfer_minutes: 30, duration_minutes: 100, from_amount: 3300 },
      },
      {
        times: ['02T23:00', '02T23:30', '03T00:10', '03T00:50'],
        ...{ transfer_minutes: 40, duration_minutes: 110, from_amount: 3300 },
      },
    ]);
    const port = { id: portIds.middle, name: 'Middle' };
    expect(connections.map(({ transfer_port }) => transfer_port)).toEqual([port, port]);
    expect(connections[0]?.availability).toMatchObject({ fits: true });
  });

  test('is empty where a direct boat runs, and where no boats meet', async () => {
    expect(await search('west', 'middle')).toEqual([]);
    expect(await search('east', 'east')).toEqual([]);
  });

  test('says which party does not fit on one of the boats', async () => {
    const [connection] = await search('west', 'east', '&passengers[adult]=7');
    expect(connection).toMatchObject({ availability: { fits: false }, from_amount: null });
  });

  test('refuses an unknown port, a day that does not exist and an unknown passenger type', async () => {
    const unknown = await office.request('GET', path(newId('prt'), 'east'));
    expect([unknown.status, codeOf(unknown)]).toEqual([404, 'not_found']);
    const noDay = await office.request('GET', path('west', 'east').replace(DAY, '2026-02-30'));
    expect([noDay.status, codeOf(noDay)]).toEqual([422, 'invalid_input']);
    const noType = await office.request('GET', path('west', 'east', '&passengers[ghost]=1'));
    expect([noType.status, codeOf(noType)]).toEqual([422, 'invalid_input']);
  });
});

describe('an order with a change', () => {
  test('has a ticket on each boat, takes a place on each, and is shown and mailed with both', async () => {
    const legs = [
      ...(await legsAt('10:00')),
      ...(await legsAt('13:00', 'east', 'west', ['back', 'back_onward'])),
    ];
    expect(legs).toHaveLength(4);
    const { order, intent } = await office.takePayment({ legs });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const paid = await office.readOrder(order.id);
    expect(paid.legs.map(({ leg }: { leg: string }) => leg)).toEqual([
      ...['out', 'out_onward', 'back', 'back_onward'],
    ]);
    expect(paid.tickets.map(({ leg }: { leg: string }) => leg)).toEqual([
      ...['out', 'out_onward', 'back', 'back_onward'],
    ]);
    expect(paid.total).toBe(4 * 825);
    for (const { sailing_id } of legs) expect((await office.taken(sailing_id)).passenger).toEqual([0, 1]);
    const document = await findTravelDocument(office.context.db, order.id);
    expect(document?.legs.map(({ leg, origin }) => [leg, origin.name])).toEqual([
      ...[
        ['out', 'West'],
        ['out_onward', 'Middle'],
      ],
      ...[
        ['back', 'East'],
        ['back_onward', 'Middle'],
      ],
    ]);
    if (!document) throw new Error('The order is not there.');
    const origin = 'https://tickets.example.com';
    const text = renderText(
      orderMailContent('order-confirmed', { document, settings: demoSettings, origin }),
    );
    expect(text).toContain('You change boats in Middle and have 30 minutes there.');
    expect(text).toContain('Adult, return, second boat');

    await setDelay(legs[0]?.sailing_id, 15);
    const late = await findTravelDocument(office.context.db, order.id);
    await setDelay(legs[0]?.sailing_id, 0);
    if (!late) throw new Error('The order is not there.');
    const warning = renderText(
      orderMailContent('sailing-changed', { document: late, settings: demoSettings, origin }),
    );
    expect(warning).toContain('leaves only 15 minutes to change in Middle. You may miss this boat.');
  });

  test('can be changed as a whole, with the difference of both boats, and back to a direct boat', async () => {
    const buyer = changesOf(office);
    const [morning, evening] = [await legsAt('10:00'), await legsAt('23:00')];
    const boats = (legs: typeof morning) => legs.map(({ sailing_id: id }) => id);
    const [first = '', second = ''] = boats(morning);
    const before = [await office.taken(first), await office.taken(second)];
    const order = await buyer.buy({ legs: morning });
    await office.database.store.query(
      `update orders set fare_policy = jsonb_set(fare_policy, '{change,allowed}', 'true')`,
    );
    const direction = { direction: 'out' as const, to: boats(evening), adults: 2 };
    const change = must(await buyer.change(order, [direction]));
    expect(change).toMatchObject({ status: 'held', difference: 2 * 825 });
    for (const id of boats(evening)) expect((await office.taken(id)).passenger).toEqual([2, 0]);
    await office.confirmWith(intentOf(must(await buyer.startPayment(order, change))));
    await office.provider.deliverNow();
    const changed = await office.readOrder(order.id);
    expect(changed.legs.map((leg: Order['legs'][number]) => [leg.leg, leg.sailing_id])).toEqual(
      evening.map(({ leg, sailing_id: id }) => [leg, id]),
    );
    expect([await office.taken(first), await office.taken(second)]).toEqual(before);
    for (const id of boats(evening)) expect((await office.taken(id)).passenger).toEqual([0, 2]);
    const shortened = must(await buyer.change(changed, [{ direction: 'out', to: [first], adults: 2 }]));
    expect(shortened).toMatchObject({ status: 'done', difference: -2 * 825 });
    const direct = await office.readOrder(order.id);
    const valid = direct.tickets.filter(({ status }: { status: string }) => status === 'issued');
    expect(valid.map(({ leg }: { leg: string }) => leg)).toEqual(['out', 'out']);
    for (const id of boats(evening)) expect((await office.taken(id)).passenger).toEqual([0, 0]);
  });

  test('is refused once the first boat is too late for the second', async () => {
    const legs = await legsAt('10:00');
    const quote = must(await office.quote({ legs }));
    await setDelay(legs[0]?.sailing_id, 15);
    expect(codeOf(await office.quote({ legs }))).toBe('connection_missed');
    expect(codeOf(await office.hold(quote.id))).toBe('connection_missed');
    await setDelay(legs[1]?.sailing_id, 5);
    expect(codeOf(await office.quote({ legs }))).toBe('success');
    for (const { sailing_id } of legs) await setDelay(sailing_id, 0);
  });

  test('is refused where the boats do not meet, and where no changes are sold', async () => {
    const [first, onward] = await legsAt('10:00');
    const [back] = await legsAt('13:00', 'east', 'west');
    if (!first || !onward || !back) throw new Error('A journey is missing.');
    const away = { ...back, leg: 'out_onward' as const };
    expect(codeOf(await office.quote({ legs: [first, away] }))).toBe('connection_missed');
    const { db } = office.context;
    await importFeed(db, buildFeed({ ...FEED, 'ports.csv': 'stop_id,transfer_minutes\nmiddle,no\n' }));
    expect(codeOf(await office.quote({ legs: [first, onward] }))).toBe('connection_missed');
    expect(await search()).toEqual([]);
    await importFeed(db, buildFeed(FEED));
  });

  test('is refused if its legs do not form a trip', async () => {
    const [first, onward] = await legsAt('10:00');
    if (!first || !onward) throw new Error('A journey is missing.');
    const reply = await office.quote({ legs: [onward, first] });
    expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_input']);
  });

  test('can cost nothing, and is confirmed at once', async () => {
    const { db } = office.context;
    const fares = FEED['fares.csv'].replace('8.25', '0.00');
    await importFeed(db, buildFeed({ ...FEED, 'fares.csv': fares }));
    const order = await office.takeOrder({ legs: await legsAt('10:00') });
    expect(order).toMatchObject({ status: 'confirmed', total: 0 });
    expect(order.tickets.map(({ leg }: { leg: string }) => leg)).toEqual(['out', 'out_onward']);
    await importFeed(db, buildFeed(FEED));
  });

  test('is marked once, with one mail, if one of its boats is canceled', async () => {
    const { db } = office.context;
    const { order, intent } = await office.takePayment({ legs: await legsAt('10:00') });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const withoutSecond = {
      ...FEED,
      'trips.txt': FEED['trips.txt'].replace('second,daily,second-11\n', ''),
      'stop_times.txt': FEED['stop_times.txt'].replaceAll(/^second-11,.*\n/gm, ''),
    };
    await importFeed(db, buildFeed(withoutSecond));
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'confirmed',
      needs_attention: 'sailing_canceled',
      legs: [{ status: expect.not.stringMatching('canceled') }, { status: 'canceled' }],
    });
    const mails = await queryRows(
      db,
      sql`select id from mails where kind = 'sailing-canceled' and order_id = ${order.id}`,
    );
    expect(mails).toHaveLength(1);
    await importFeed(db, buildFeed(FEED));
  });

  test('takes no place on the first boat if the second is full', async () => {
    const legs = await legsAt('23:00');
    const quote = must(await office.quote({ legs }));
    const second = sql`(select voyage_id from sailings where id = ${legs[1]?.sailing_id})`;
    const full = { held: sql`${voyageCapacity.sellableOnline}` };
    await office.context.db.update(voyageCapacity).set(full).where(sql`voyage_id = ${second}`);
    expect(codeOf(await office.hold(quote.id))).toBe('sold_out');
    expect((await office.taken(legs[0]?.sailing_id ?? '')).passenger).toEqual([0, 0]);
  });
});
