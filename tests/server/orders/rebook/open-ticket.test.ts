import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { mails } from '#server/database/schema/system.ts';
import { buildCalendarFile } from '#server/documents/calendar-file.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { describeCancellation } from '#server/documents/travel-text.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { registerOfferJobs, settleDueOffers } from '#server/orders/rebook/settle-offers.ts';
import { lastCode } from '#tests/factories/account-mails.ts';
import { codeOf, contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Order = TestReply['body'];
const HOUR = 3_600_000;
/** The sailings are on June 2; a fare of 7 days ends on June 9. */
const END_LOCAL = '2026-06-09T23:59:00-07:00';
const SENTENCE = 'Open ticket: choose a sailing until Tue, June 9, 2026.';
let office: Office;
beforeAll(async () => {
  office = await openOffice({ passengers: 4 });
  await registerOfferJobs(office.context);
});
afterAll(() => office.close());
beforeEach(() => office.reopen({ passengers: 4 }));

const out = (index: number) => office.ferry.outward[index] ?? '';
const back = (index: number) => office.ferry.back[index] ?? '';

async function run(...args: string[]): Promise<void> {
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args));
}

async function runJobs(): Promise<void> {
  await office.jobs.send('settle-offers', {});
  await office.jobs.runJobs();
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}

/** Buys with a fare whose open tickets last some days. */
async function buy(
  options: Parameters<Office['takePayment']>[0] = {},
  days: number | null = 7,
): Promise<Order> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  if (days !== null) {
    await office.database.store.query(
      `update orders set fare_policy = jsonb_set(fare_policy, '{open_ticket_days}', $1::text::jsonb) where id = $2`,
      [String(days), order.id],
    );
  }
  return office.readOrder(order.id);
}

/** Moves a sailing to a later day. */
async function postpone(sailingId: string, days: number): Promise<void> {
  await office.database.store.query(
    `update sailings set service_date = service_date + $1::int, departs_at = departs_at + make_interval(days => $1::int),
       arrives_at = arrives_at + make_interval(days => $1::int),
       sales_close_at = sales_close_at + make_interval(days => $1::int)
     where id = $2`,
    [days, sailingId],
  );
}

const options = async ({ id }: Order) => must(await office.request('GET', `/api/orders/${id}/options`));

async function choose(call: string, { id }: Order, choice: object = {}): Promise<TestReply> {
  const { version } = await office.readOrder(id);
  const body = { direction: 'out', version, ...choice };
  return office.request('POST', `/api/orders/${id}/${call}`, { body, idempotencyKey: crypto.randomUUID() });
}
const keep = (order: Order, choice: object = {}) => choose('open_ticket', order, choice);

const journeys = ({ id }: Order, day: string) =>
  office.request('GET', `/api/orders/${id}/options/journeys?direction=out&day=${day}`);
const idsOf = (journey: { sailing_id: string }[]) => journey.map(({ sailing_id }) => sailing_id);

async function textOf(kind: string): Promise<string> {
  const [mail] = await office.context.db.select().from(mails).where(eq(mails.kind, kind));
  if (!mail) throw new Error('There is no mail.');
  const { text } = (await prepareMail(office.context, { ...mail, subject: null }, demoSettings)).content;
  return text;
}

async function expectTrueBooks(): Promise<void> {
  expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
  expect(await findBrokenBooks(office.context)).toEqual([]);
}

describe('POST /api/orders/{id}/open_ticket', () => {
  it('keeps the tickets without a sailing and puts the protected places on sale', async () => {
    const order = await buy({ adults: 2 });
    await run('cancel', out(0));
    expect((await options(order)).journeys).toMatchObject([
      { status: 'open', open_ticket: { until_local: END_LOCAL }, days: { last: '2026-06-09' } },
    ]);
    const reply = must(await keep(order));
    expect(reply).toMatchObject({
      ...{ status: 'confirmed', needs_attention: 'sailing_canceled', refunded: 0 },
      choice_until: '2026-06-10T06:59:00.000Z',
      legs: [{ sailing_id: out(0), status: 'canceled', open_ticket_until_local: END_LOCAL }],
      notice: expect.stringContaining('You have an open ticket'),
    });
    // Other changes of the timetable protect no places again.
    await run('cancel', out(4));
    expect((await office.taken(out(1))).passenger).toEqual([0, 0]);
    expect((await options(order)).journeys).toMatchObject([
      { status: 'open_ticket', protected: null, open_ticket: null, deadline_local: END_LOCAL, refund: 2550 },
    ]);
    await expectTrueBooks();
  });

  it('says so by mail, in the tickets and in the calendar', async () => {
    const order = await buy();
    await run('cancel', out(0));
    expect(await textOf('sailing-canceled')).toContain(
      'Keep an open ticket and choose one by Tue, June 9, 2026, 11:59 PM PDT.',
    );
    must(await keep(order));
    const told = await textOf('open-ticket-kept');
    expect(told).toContain(SENTENCE);
    expect(told).toContain('You can get the full refund of $12.75 at any time until then.');
    const document = await findTravelDocument(office.context.db, order.id);
    if (!document) throw new Error('The order is not there.');
    const { config } = office.context;
    const calendar = buildCalendarFile(document, { config, brandName: 'Ferry' });
    expect(calendar.replaceAll('\r\n ', '').replaceAll('\\,', ',')).toContain(SENTENCE);
    expect(document.legs.map((leg) => describeCancellation(leg, 'en-US'))).toEqual([SENTENCE]);
  });

  it('lets the party take any sailing of that time that has room, by day', async () => {
    const order = await buy({ adults: 2 });
    await postpone(out(5), 7);
    await postpone(out(4), 8);
    await run('cancel', out(0));
    must(await keep(order));
    office.clock.set('2026-06-09T15:00:00.000Z');
    expect((await options(order)).journeys).toMatchObject([
      { days: { first: '2026-06-09', last: '2026-06-09' } },
    ]);
    const listed = must(await journeys(order, '2026-06-09'));
    expect(listed.journeys.map(idsOf)).toEqual([[out(5)]]);
    expect(must(await journeys(order, '2026-06-10')).journeys).toEqual([]);
    expect(codeOf(await choose('rebook', order, { sailing_ids: [out(4)] }))).toBe('sold_out');
    const moved = must(await choose('rebook', order, { sailing_ids: [out(5)] }));
    expect(moved).toMatchObject({
      needs_attention: null,
      legs: [{ sailing_id: out(5) }],
      paid: 2550,
      refunded: 0,
    });
    expect(moved.legs[0].open_ticket_until_local).toBeUndefined();
    expect((await office.taken(out(5))).passenger).toEqual([0, 2]);
    await expectTrueBooks();
  });

  it('has one effect when it is repeated', async () => {
    const order = await buy();
    await run('cancel', out(0));
    const { version } = await office.readOrder(order.id);
    const [first, second] = await Promise.all([keep(order, { version }), keep(order, { version })]);
    expect(must(first).version).toBe(must(second).version);
    expect(await office.count('mails:open-ticket-kept')).toBe(1);
  });

  it('refuses a late boat, a fare without it, a party that has moved, an old version and what is malformed', async () => {
    const late = await buy();
    const strict = await buy({ legs: [out(1)] }, null);
    const moved = await buy({ legs: [out(2)] });
    await run('delay', out(0), '120');
    await run('cancel', out(1));
    await run('cancel', out(2));
    must(await choose('rebook', moved, { sailing_ids: [out(3)] }));
    for (const order of [late, strict, moved]) {
      expect((await options(order)).journeys[0].open_ticket).toBeNull();
      expect(codeOf(await keep(order))).toBe('change_not_allowed');
    }
    expect(codeOf(await keep(strict, { version: 1 }))).toBe('version_conflict');
    expect(codeOf(await keep(strict, { direction: 'back' }))).toBe('change_not_allowed');
    expect(codeOf(await keep(strict, { direction: 'up' }))).toBe('invalid_input');
    expect(codeOf(await journeys(strict, 'soon'))).toBe('invalid_input');
    const unknown = '/api/orders/ord_00000000000000000000000000';
    const body = { direction: 'out', version: 1 };
    const reply = await office.request('POST', `${unknown}/open_ticket`, {
      body,
      idempotencyKey: crypto.randomUUID(),
    });
    expect(reply.status).toBe(404);
    const list = await office.request('GET', `${unknown}/options/journeys?direction=out&day=2026-06-02`);
    expect(list.status).toBe(404);
  });

  it('is refused after the deadline', async () => {
    const order = await buy();
    await run('cancel', out(0));
    office.clock.advance(72 * HOUR);
    expect(codeOf(await keep(order))).toBe('change_not_allowed');
    expect(codeOf(await journeys(order, '2026-06-05'))).toBe('change_not_allowed');
  });

  it('counts the days of the journey it is for', async () => {
    const order = await buy({ legs: [out(0), back(5)] });
    await run('cancel', out(0));
    must(await keep(order));
    const read = await office.readOrder(order.id);
    expect(read.legs.map((leg: Order) => leg.open_ticket_until_local)).toEqual([END_LOCAL, undefined]);
    expect((await options(order)).journeys).toMatchObject([{ days: { last: '2026-06-02' } }]);
  });
});

describe('an open ticket that is not used', () => {
  it('is mailed about once before its end, and refunded in full then', async () => {
    const order = await buy({ adults: 2 });
    await run('cancel', out(0));
    must(await keep(order));
    office.clock.set('2026-06-08T06:58:59.999Z');
    await runJobs();
    expect(await office.count('mails:open-ticket-ends')).toBe(0);
    office.clock.set('2026-06-08T06:59:00.000Z');
    await runJobs();
    await runJobs();
    expect(await office.count('mails:open-ticket-ends')).toBe(1);
    expect(await textOf('open-ticket-ends')).toContain(
      'Choose a sailing by Tue, June 9, 2026, 11:59 PM PDT.',
    );
    office.clock.set('2026-06-10T06:58:59.999Z');
    await runJobs();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', refunded: 0 });
    office.clock.set('2026-06-10T06:59:00.000Z');
    await runJobs();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'canceled', refunded: 2550 });
    await expectTrueBooks();
  });

  it('is refunded in full at any time, with the proof of a cancellation', async () => {
    const order = await buy();
    await run('cancel', out(0));
    must(await keep(order));
    office.clock.set('2026-06-09T15:00:00.000Z');
    const { tickets, version } = await office.readOrder(order.id);
    const path = `/api/orders/${order.id}/cancellations`;
    const body = { ticket_ids: tickets.map(({ id }: Order) => id), version, refund: 1275 };
    const post = (to: string, sent: object) =>
      office.request('POST', to, { body: sent, idempotencyKey: crypto.randomUUID() });
    const { temp } = must(await post(`${path}/code`, {}));
    const { code } = await lastCode(office.context, contact.email);
    must(await post(path, { ...body, proof: { temp, code } }));
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'canceled', choice_until: null });
    expect(codeOf(await keep(order))).toBe('change_not_allowed');
    await expectTrueBooks();
  });

  it('becomes a ticket of its sailing again if that runs after all', async () => {
    const order = await buy();
    await run('cancel', out(0));
    must(await keep(order));
    const { stdout } = await settleCommand(sailingsCommand, async () =>
      executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['exceptions', '--csv'])),
    );
    await run('undo', stdout.split('\n')[1]?.split(',')[0] ?? '');
    const read = await office.readOrder(order.id);
    expect(read).toMatchObject({ needs_attention: 'sailing_changed', choice_until: null });
    expect(read.legs[0].open_ticket_until_local).toBeUndefined();
  });

  it('is either kept before the deadline or refunded at it, when both happen at once', async () => {
    const order = await buy();
    await run('cancel', out(0));
    const { version } = await office.readOrder(order.id);
    office.clock.advance(72 * HOUR - 1);
    const atDeadline = new Date(office.clock.now().getTime() + 1);
    const [kept] = await Promise.all([
      keep(order, { version }),
      settleDueOffers({ ...office.context, clock: { now: () => atDeadline } }),
    ]);
    const { status } = await office.readOrder(order.id);
    expect(status).toBe(kept.body.success ? 'confirmed' : 'canceled');
    await expectTrueBooks();
  });
});
