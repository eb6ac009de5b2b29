import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { buildCalendarFile, buildCancelingCalendarFile } from '#server/documents/calendar-file.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { orderMailContent } from '#server/mail/templates/order.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { cardHolder } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Bought = TestReply['body'];
const HOUR = 3_600_000;
const car = { type: 'car', length_cm: 400 };
let office: Office;
let buyer: ReturnType<typeof changesOf>;
let sailing: string;
let later: string;
let back: string;
let laterBack: string;
beforeAll(async () => {
  office = await openOffice();
  buyer = changesOf(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  [sailing = '', later = ''] = office.ferry.outward;
  [back = '', laterBack = ''] = office.ferry.back;
});

const valid = (order: Bought): Bought[] =>
  order.tickets.filter(({ status }: { status: string }) => status === 'issued');
const sumActive = (order: Bought) =>
  order.lines
    .filter(({ status }: { status: string }) => status === 'active')
    .reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
const setPolicy = (policy: object) =>
  office.database.store.query(`update orders set fare_policy = fare_policy || $1::jsonb`, [
    JSON.stringify(policy),
  ]);
async function readDocument(order: Bought) {
  const document = await findTravelDocument(office.context.db, order.id);
  if (!document) throw new Error('The order is not there.');
  return document;
}

describe('a quote of a change', () => {
  test('shows the new lines, the value carried over and the difference, and changes nothing', async () => {
    const order = await buyer.buy({ adults: 2 });
    await setPolicy({ change: { allowed: true, fee: 500, until_minutes: 60 } });
    expect(must(await buyer.quote(order, [{ direction: 'out', to: [later], adults: 3 }]))).toEqual({
      version: order.version,
      lines: [
        { leg: 'out', kind: 'passenger', description: 'Adult', quantity: 3, unit_amount: 1275, amount: 3825 },
      ],
      ...{ price: 3825, fee: 500, carried: 2550, forfeited: 0, waived: 0 },
      ...{ difference: 1775, currency: 'USD' },
      ...{ destinations: [], needs_code: true, notes: [] },
    });
    expect(must(await buyer.quote(order, [{ direction: 'out', to: [later], adults: 1 }]))).toMatchObject({
      difference: -775,
      destinations: [{ destination: 'card', amount: 775 }],
    });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    expect(await office.readOrder(order.id)).toMatchObject({ version: order.version });
  });

  test('waives a difference that is too small to charge, and says so', async () => {
    const order = await buyer.buy();
    await setPolicy({ change: { allowed: true, fee: 49, until_minutes: 60 } });
    expect(must(await buyer.quote(order, [{ direction: 'out', to: [later], adults: 1 }]))).toMatchObject({
      ...{ price: 1275, fee: 49, waived: 49, difference: 0 },
      notes: ['The difference is too small to charge, so nothing is due.'],
    });
  });

  test('applies the promo code as far as the other journey has not used it', async () => {
    const order = await buyer.buy({ legs: [sailing, back], promo: 'ONCE' });
    const discount = (lines: Bought[]) =>
      lines.filter(({ kind }) => kind === 'discount').map(({ amount }) => amount);
    expect(discount(order.lines)).toEqual([-250, -250]);
    const quoted = must(await buyer.quote(order, [{ direction: 'back', to: [laterBack], adults: 2 }]));
    expect(discount(quoted.lines)).toEqual([-250]);
    await office.database.store.query(`update promo_codes set ends_on = '2026-05-01'`);
    expect(must(await buyer.quote(order, [{ direction: 'back', to: [laterBack], adults: 2 }]))).toMatchObject(
      {
        ...{ price: 2550, notes: ['Promo code ONCE no longer applies.'] },
      },
    );
  });

  test('adds a return without a fee', async () => {
    const order = await buyer.buy({ adults: 2 });
    await setPolicy({ change: { allowed: true, fee: 500, until_minutes: 60 } });
    expect(must(await buyer.quote(order, [{ direction: 'back', to: [back], adults: 2 }]))).toMatchObject({
      ...{ price: 2550, fee: 0, carried: 0, difference: 2550 },
    });
  });

  test.each([
    [
      'the fare allows none',
      { change: { allowed: false, fee: 0, until_minutes: 0 } },
      0,
      'change_not_allowed',
      { reason: 'fare_not_changeable', params: { remedy: 'cancel' } },
      'no changes. You can still cancel tickets for a refund.',
    ],
    [
      'the deadline has passed',
      {},
      23.5 * HOUR,
      'change_not_allowed',
      { reason: 'change_too_late', params: { until_minutes: 60, remedy: 'travel' } },
      'less than 1 hour before departure. Your tickets stay valid.',
    ],
    [
      'the boat has departed',
      {},
      25 * HOUR,
      'check_in_closed',
      { reason: 'boat_departed' },
      'This boat has departed.',
    ],
  ])('is refused with what is still possible: %s', async (_, policy, wait, code, given, words) => {
    const order = await buyer.buy();
    await setPolicy(policy);
    office.clock.advance(wait);
    const reply = await buyer.quote(order, [
      { direction: 'out', to: [office.ferry.outward[3] ?? ''], adults: 1 },
    ]);
    expect(reply.body.errors).toEqual([{ code, ...given, message: expect.stringContaining(words) }]);
  });

  test('is refused once the boat has left, also before its time', async () => {
    const order = await buyer.buy();
    office.clock.advance(22 * HOUR);
    await office.database.store.query('update sailings set departed_at = $1 where id = $2', [
      office.clock.now(),
      sailing,
    ]);
    const reply = await buyer.quote(order, [{ direction: 'out', to: [later], adults: 1 }]);
    expect(reply.body.errors).toMatchObject([{ code: 'check_in_closed', reason: 'boat_departed' }]);
  });

  test('is refused if a passenger is checked in, nothing changes, or the trip does not fit together', async () => {
    const order = await buyer.buy({ legs: [sailing, back] });
    const same = await buyer.quote(order, [{ direction: 'out', to: [sailing], adults: 1 }]);
    expect([codeOf(same), same.body.errors[0].message]).toEqual([
      'invalid_input',
      expect.stringContaining('Nothing would change'),
    ]);
    const late = office.ferry.outward[5] ?? '';
    expect(codeOf(await buyer.quote(order, [{ direction: 'out', to: [late], adults: 1 }]))).toBe(
      'return_before_outward',
    );
    expect(codeOf(await buyer.quote(order, [{ direction: 'out', to: [later], children: 1 }]))).toBe(
      'needs_adult',
    );
    await office.database.store.query(`update tickets set status = 'checked_in' where leg = 'out'`);
    expect(codeOf(await buyer.quote(order, [{ direction: 'out', to: [later], adults: 1 }]))).toBe(
      'check_in_closed',
    );
    expect((await buyer.quote(order, [{ direction: 'back', to: [laterBack], adults: 1 }])).status).toBe(200);
  });
});

describe('a change without anything to pay', () => {
  test('to another sailing is done at once, with new tickets and one mail', async () => {
    const order = await buyer.buy({ adults: 2, vehicle: car, promo: 'TEN' });
    const made = must(
      await buyer.change(order, [{ direction: 'out', to: [later], adults: 2, vehicle: car }]),
    );
    expect(made).toMatchObject({ status: 'done', difference: 0, expires_at: null });
    const changed = await office.readOrder(order.id);
    expect(changed).toMatchObject({ status: 'confirmed', total: order.total, legs: [{ sailing_id: later }] });
    expect([valid(changed).length, sumActive(changed)]).toEqual([3, order.total]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0], lane_cm: [0, 0] });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 2], lane_cm: [0, 450] });
    expect(await office.count('mails:order-changed')).toBe(1);
  });

  test('to fewer people gives the difference back, and a later cancellation gives the rest', async () => {
    const order = await buyer.buy({ legs: [later], adults: 3 });
    must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 2 }]));
    const changed = await office.readOrder(order.id);
    expect(changed).toMatchObject({
      total: 2550,
      paid: 3825,
      refunds: [{ amount: 1275, reason: 'customer' }],
    });
    await office.jobs.runJobs();
    await office.provider.deliverNow();
    expect(await office.readOrder(order.id)).toMatchObject({
      refunded: 1275,
      payment_status: 'partly_refunded',
    });
    const mail = renderText(
      orderMailContent('order-changed', {
        document: await readDocument(order),
        settings: demoSettings,
        origin: 'https://example.com',
        changeId: (await readDocument(order)).changes[0]?.id ?? null,
      }),
    );
    for (const words of [
      '2 × Adult: $25.50',
      'Earlier tickets: -$38.25',
      'Refund: $12.75',
      'is on its way to your Visa',
    ]) {
      expect(mail).toContain(words);
    }
    const ids = valid(changed).map(({ id }) => id);
    const quoted = must(
      await office.request('POST', fillPath(api.quoteCancellation.path, { id: order.id }), {
        body: { ticket_ids: ids },
      }),
    );
    expect(quoted).toMatchObject({ paid: 2550, refund: 2550 });
  });

  test('swaps people on a full boat, where another buyer finds no place', async () => {
    await office.reopen({ passengers: 2 });
    [sailing = ''] = office.ferry.outward;
    const order = await buyer.buy({ adults: 2 });
    expect(codeOf(await buyer.quote(order, [{ direction: 'out', to: [sailing], adults: 3 }]))).toBe(
      'success',
    );
    must(await buyer.change(order, [{ direction: 'out', to: [sailing], adults: 1, children: 1 }]));
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
    expect(valid(await office.readOrder(order.id)).map(({ title }) => title)).toEqual(['Adult', 'Child']);
    const left = await office.readOrder(order.id);
    expect(codeOf(await buyer.change(left, [{ direction: 'out', to: [sailing], adults: 3 }]))).toBe(
      'sold_out',
    );
    expect(await office.readOrder(order.id)).toMatchObject({ version: left.version });
  });

  test('keeps a vehicle per journey, also in the list of passengers', async () => {
    const order = await buyer.buy({ legs: [sailing, back], vehicle: car });
    const longer = { type: 'car', length_cm: 500 };
    must(
      await buyer.change(order, [{ direction: 'back', to: [back], adults: 1, vehicle: longer }], {
        plate: 'OTHER 1',
      }),
    );
    const changed = await office.readOrder(order.id);
    const titles = valid(changed)
      .filter(({ kind }) => kind === 'vehicle')
      .map(({ leg, title }) => `${leg} ${title}`);
    expect(titles).toEqual(['out Car, 5KJH 220', 'back Car, OTHER 1']);
    expect(await office.taken(back)).toMatchObject({ lane_cm: [0, 550] });
  });

  test('moves the event of calendars, and removes that of a second boat', async () => {
    const order = await buyer.buy();
    await office.database.store.query('update sailings set version = 9 where id = $1', [sailing]);
    const options = { config: office.context.config, brandName: 'Harbor Line' };
    const sequence = async () => {
      const [, number] = /SEQUENCE:(\d+)/.exec(buildCalendarFile(await readDocument(order), options)) ?? [];
      return Number(number);
    };
    const before = await sequence();
    must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 1 }]));
    expect(await sequence()).toBeGreaterThan(before);
    expect(buildCancelingCalendarFile(await readDocument(order), options)).toBeNull();
  });

  test('is refused once the order or the difference has changed', async () => {
    const order = await buyer.buy();
    const journeys = [{ direction: 'out' as const, to: [later], adults: 1 }];
    expect(codeOf(await buyer.change(order, journeys, { version: order.version + 1 }))).toBe(
      'version_conflict',
    );
    expect(codeOf(await buyer.change(order, journeys, { difference: 1 }))).toBe('version_conflict');
    expect(await office.readOrder(order.id)).toMatchObject({
      version: order.version,
      legs: [{ sailing_id: sailing }],
    });
  });
});

describe('tickets that a change removes', () => {
  const saver = {
    change: { allowed: true, fee: 0, until_minutes: 60 },
    cancel: [{ until_minutes_before: 60, refund_bp: 6000, fee: 500 }],
  };
  const quoteCancellation = async (order: Bought, ids: string[]) =>
    must(
      await office.request('POST', fillPath(api.quoteCancellation.path, { id: order.id }), {
        body: { ticket_ids: ids },
      }),
    );
  const change = (order: Bought, direction: object) =>
    buyer.change(order, [{ direction: 'out', to: [later], adults: 1, ...direction }]);
  const quote = async (order: Bought, direction: object) =>
    must(await buyer.quote(order, [{ direction: 'out', to: [later], adults: 1, ...direction }]));

  test('are refunded as their cancellation would be, and the fee counts once', async () => {
    const order = await buyer.buy({ legs: [later], adults: 9 });
    await setPolicy(saver);
    const ids = valid(order).map(({ id }) => id);
    const cancellation = await quoteCancellation(order, ids.slice(1));
    expect(cancellation).toMatchObject({ paid: 8 * 1275, fee: 500, refund: 5620 });
    const quoted = await quote(order, {});
    expect(quoted).toMatchObject({
      ...{ price: 1275, carried: 9 * 1275, forfeited: 8 * 1275 - 5620, difference: -5620 },
    });
    must(await change(order, {}));
    const changed = await office.readOrder(order.id);
    expect(changed).toMatchObject({ total: 9 * 1275 - 5620, refunds: [{ amount: 5620 }] });
    expect(sumActive(changed)).toBe(1275);
    const rest = await quoteCancellation(
      changed,
      valid(changed).map(({ id }) => id),
    );
    expect(rest).toMatchObject({ paid: 1275, fee: 0, refund: 765 });
  });

  test('give nothing back where a cancellation would not, also as another type or vehicle', async () => {
    const order = await buyer.buy({ legs: [later], adults: 3, vehicle: car });
    await setPolicy({ ...saver, cancel: [] });
    expect(await quote(order, { adults: 3 })).toMatchObject({ forfeited: 3000 - 1275, difference: 0 });
    expect(await quote(order, { vehicle: car, children: 2 })).toMatchObject({
      ...{ forfeited: 2 * (1275 - 500), difference: 0 },
    });
  });

  test('pay for others in full', async () => {
    const order = await buyer.buy({ legs: [later], adults: 2, children: 2 });
    await setPolicy({ ...saver, cancel: [] });
    expect(await quote(order, { adults: 3 })).toMatchObject({ forfeited: 0, difference: 275 });
  });

  test('are refunded in full if the operator is the cause', async () => {
    const order = await buyer.buy({ legs: [later], adults: 2 });
    await setPolicy({ ...saver, cancel: [] });
    await office.database.store.query(`update orders set needs_attention = 'no_room'`);
    expect(await quote(order, {})).toMatchObject({ forfeited: 0, difference: -1275 });
  });
});

describe('refund deadlines after a change', () => {
  const WEEK = 7 * 24 * HOUR;
  let nextWeek: string;
  beforeEach(async () => {
    nextWeek = office.ferry.outward[5] ?? '';
    await office.database.store.query(
      `update sailings set departs_at = departs_at + interval '7 days', arrives_at = arrives_at + interval '7 days',
         sales_close_at = sales_close_at + interval '7 days'
       where id = $1`,
      [nextWeek],
    );
  });
  const quoteRefund = async (order: Bought) => {
    const changed = await office.readOrder(order.id);
    return office.request('POST', fillPath(api.quoteCancellation.path, { id: order.id }), {
      body: { ticket_ids: valid(changed).map(({ id }) => id) },
    });
  };
  const move = async (order: Bought, to: string, adults: number) =>
    must(await buyer.change(order, [{ direction: 'out', to: [to], adults }]));

  test('count from the earlier boat, through any number of changes', async () => {
    const order = await buyer.buy();
    office.clock.advance(22.5 * HOUR);
    await move(order, nextWeek, 1);
    expect(must(await quoteRefund(order))).toMatchObject({ paid: 1275, refund: 520 });
    const { policy_text: rules } = await office.readOrder(order.id);
    expect(rules[0]).toMatch(/^80% refund, less \$5\.00, until Tue, Jun 2,/);
    await move(order, office.ferry.outward[4] ?? '', 1);
    await move(order, nextWeek, 1);
    expect(must(await quoteRefund(order))).toMatchObject({ refund: 520 });
    office.clock.advance(2 * HOUR);
    expect(codeOf(await quoteRefund(order))).toBe('refund_not_allowed');
  });

  test('count from the new boat for travelers who are added, and after a change to an earlier boat', async () => {
    const order = await buyer.buy({ legs: [later] });
    office.clock.advance(22.5 * HOUR);
    const added = must(await buyer.change(order, [{ direction: 'out', to: [nextWeek], adults: 2 }]));
    const intent = must(await buyer.startPayment(order, added)).client_secret.split('_secret')[0];
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    expect(must(await quoteRefund(order))).toMatchObject({
      tickets: [{ refund: 520 }, { refund: 1275 }],
    });
    const early = await buyer.buy({ legs: [nextWeek] });
    await move(early, later, 1);
    expect(must(await quoteRefund(early))).toMatchObject({ refund: 520 });
    office.clock.advance(WEEK);
    expect(codeOf(await quoteRefund(early))).toBe('check_in_closed');
  });
});

describe('who may change', () => {
  test('a guest needs the mailed code; a customer is signed in', async () => {
    const order = await buyer.buy();
    const journeys = [{ direction: 'out' as const, to: [later], adults: 1 }];
    expect(codeOf(await buyer.change(order, journeys, { proof: undefined }))).toBe('invalid_code');
    const { temp } = await buyer.mailCode(order);
    expect(codeOf(await buyer.change(order, journeys, { proof: { temp, code: '12' } }))).toBe('invalid_code');
    const holder = await cardHolder(office);
    await office.database.store.query('update orders set customer_id = $1', [holder.customer.id]);
    expect((await buyer.quote(order, journeys)).status).toBe(401);
    const made = must(await buyer.change(order, journeys, { token: holder.token }));
    const path = fillPath(api.getChange.path, { id: order.id, change_id: made.id });
    expect((await office.request('GET', path)).status).toBe(401);
    expect(must(await office.request('GET', path, { token: holder.token })).status).toBe('done');
    const stranger = await cardHolder(office, { email: 'eve@example.com' });
    expect((await office.request('GET', path, { token: stranger.token })).status).toBe(404);
  });

  test('malformed requests are refused', async () => {
    const order = await buyer.buy();
    const direction = { direction: 'out', sailing_ids: [later], passengers: [{ type: 'adult', count: 1 }] };
    for (const journeys of [
      [],
      [direction, direction],
      [{ ...direction, sailing_ids: [] }],
      [{ ...direction, direction: 'out_onward' }],
    ]) {
      const reply = await office.request('POST', fillPath(api.quoteChange.path, { id: order.id }), {
        body: { journeys },
      });
      expect([reply.status, codeOf(reply)]).toEqual([422, 'invalid_input']);
    }
  });
});
