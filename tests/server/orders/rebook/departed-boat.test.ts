import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { newId } from '#server/core/ids.ts';
import { rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { feed, ports, routes } from '#server/database/schema/timetable.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { registerOfferJobs } from '#server/orders/rebook/settle-offers.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { findHardSentences } from '#tests/factories/wording.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Order = TestReply['body'];
let office: Office;
/** From North Quay to South Quay, at 15:00, in an hour. */
let first: string;
/** From South Quay to East Quay, at 18:00, 20:00 and 22:00. */
let onward: string[];
beforeAll(async () => {
  office = await openOffice();
  await registerOfferJobs(office.context);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  [first = ''] = office.ferry.outward;
  onward = office.ferry.back;
  await addEastQuay();
});

/** The return journey becomes a journey on to East Quay, with 20 minutes to change boats. */
async function addEastQuay(): Promise<void> {
  const { db } = office.context;
  const [south] = await db
    .update(ports)
    .set({ transferMinutes: 20 })
    .where(eq(ports.code, 'SOU'))
    .returning();
  if (!south) throw new Error('There is no South Quay.');
  const id = newId('prt');
  const [code, name, gtfsStopId] = ['EAS', 'East Quay', 'stop-east'];
  await db.insert(ports).values({ ...south, id, code, name, gtfsStopId, transferMinutes: null });
  await db.update(routes).set({ destinationPortId: id }).where(eq(routes.code, 'south-north'));
  await db.update(feed).set({ revision: crypto.randomUUID() });
}

const at = (time: string) => office.clock.set(`2026-06-02T${time}:00.000Z`);

async function run(...args: string[]): Promise<void> {
  // Of two exceptions the later one counts.
  office.clock.advance(1000);
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args));
}

/** For two adults, with a discount. */
function connection() {
  return {
    adults: 2,
    promo: 'TEN',
    legs: [
      { sailing_id: first, leg: 'out' as const },
      { sailing_id: onward[0] ?? '', leg: 'out_onward' as const },
    ],
  };
}

async function buy(): Promise<Order> {
  const { order, intent } = await office.takePayment(connection());
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return office.readOrder(order.id);
}

const readJourneys = async ({ id }: Order) =>
  must(await office.request('GET', `/api/orders/${id}/options`)).journeys;
const idsOf = (journey: { sailing_id: string }[]) => journey.map(({ sailing_id }) => sailing_id);
const ticketsOf = ({ tickets }: Order, leg: string) => tickets.filter((ticket: Order) => ticket.leg === leg);
const statusesOf = (order: Order, leg: string) =>
  ticketsOf(order, leg)
    .map(({ status }: Order) => status)
    .toSorted();
const codesOf = (order: Order, leg: string) =>
  ticketsOf(order, leg).map(({ id, status, version, barcode }: Order) => [
    id,
    status,
    version,
    barcode.payload,
  ]);
const sumOf = ({ lines }: Order, leg: string) =>
  lines.filter((line: Order) => line.leg === leg).reduce((sum: number, { amount }: Order) => sum + amount, 0);
const offersOf = ({ id }: Order) =>
  office.context.db
    .select()
    .from(rebookingOffers)
    .where(eq(rebookingOffers.orderId, id))
    .orderBy(rebookingOffers.insertedAt);

async function rebook({ id }: Order, sailingIds: string[]): Promise<TestReply> {
  const { version } = await office.readOrder(id);
  const body = { direction: 'out', sailing_ids: sailingIds, version };
  return office.request('POST', `/api/orders/${id}/rebook`, { body, idempotencyKey: crypto.randomUUID() });
}

const quote = ({ id }: Order, tickets: Order[]) =>
  office.request('POST', `/api/orders/${id}/cancellations/quote`, {
    body: { ticket_ids: tickets.map((ticket) => ticket.id) },
  });

async function lastMail({ id }: Order): Promise<string> {
  const rows = await office.context.db
    .select()
    .from(mails)
    .where(eq(mails.orderId, id))
    .orderBy(mails.insertedAt, mails.id);
  const mail = rows.at(-1);
  if (!mail) throw new Error('There is no mail.');
  return (await prepareMail(office.context, { ...mail, subject: null }, demoSettings)).content.text;
}

async function settle(): Promise<void> {
  for (const job of ['settle-offers', 'expire-holds'] as const) await office.jobs.send(job, {});
  await office.jobs.runJobs();
  // The refunds that the first run asked for.
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}

async function expectCleanBooks(): Promise<void> {
  expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
  expect(await findBrokenBooks(office.context)).toEqual([]);
}

describe('a second boat that is canceled while its party is on the first', () => {
  it('is replaced by a later one at no charge, and the ticket of the first stays as it is', async () => {
    const order = await buy();
    at('15:30');
    await run('cancel', onward[0] ?? '');
    expect((await office.taken(onward[1] ?? '')).passenger).toEqual([2, 0]);
    const [direction] = await readJourneys(order);
    expect(direction).toMatchObject({
      direction: 'out',
      if_unanswered: 'refund',
      refund: sumOf(order, 'out_onward'),
    });
    expect(direction.protected.journey).toMatchObject([{ leg: 'out_onward', sailing_id: onward[1] }]);
    expect(idsOf(direction.booked)).toEqual([onward[0]]);
    expect(direction.others.map(idsOf)).toContainEqual([onward[2]]);
    must(await rebook(order, [onward[1] ?? '']));
    const moved = await office.readOrder(order.id);
    expect(moved).toMatchObject({
      ...{ status: 'confirmed', needs_attention: null, total: order.total, paid: order.total, refunded: 0 },
      legs: [
        { leg: 'out', sailing_id: first },
        { leg: 'out_onward', sailing_id: onward[1] },
      ],
    });
    expect(codesOf(moved, 'out')).toEqual(codesOf(order, 'out'));
    expect(statusesOf(moved, 'out_onward')).toEqual(['issued', 'issued', 'replaced', 'replaced']);
    const taken = await Promise.all([first, ...onward.slice(0, 2)].map(office.taken));
    expect(taken.map(({ passenger }) => passenger)).toEqual([
      [0, 2],
      [0, 0],
      [0, 2],
    ]);
    await expectCleanBooks();
    must(await rebook(order, [onward[2] ?? '']));
    expect((await office.taken(onward[2] ?? '')).passenger).toEqual([0, 2]);
    await expectCleanBooks();
  });

  it('is refunded alone without an answer, and the mails say so', async () => {
    const order = await buy();
    at('15:30');
    await run('cancel', onward[0] ?? '');
    const mail = await lastMail(order);
    expect(mail).toContain('for the rest of the way from South Quay');
    expect(mail).toContain('If you would rather go back to North Quay, please');
    expect(mail).not.toContain('runs as planned');
    expect(
      mail
        .split('\n')
        .filter((line) => line.includes('. '))
        .flatMap(findHardSentences),
    ).toEqual([]);
    office.clock.advance(72 * 3_600_000);
    await settle();
    const after = await office.readOrder(order.id);
    const refund = sumOf(order, 'out_onward');
    expect(after).toMatchObject({
      ...{ status: 'partly_canceled', payment_status: 'partly_refunded', refunded: refund },
      refunds: [{ amount: refund, reason: 'sailing_canceled', status: 'succeeded' }],
    });
    expect([statusesOf(after, 'out'), statusesOf(after, 'out_onward')]).toEqual([
      ['issued', 'issued'],
      ['canceled', 'canceled'],
    ]);
    expect((await offersOf(order)).map(({ status }) => status)).toEqual(['refunded']);
    await expectCleanBooks();
  });

  it('can be refunded at once, in full and alone', async () => {
    const order = await buy();
    at('15:30');
    await run('cancel', onward[0] ?? '');
    const { refund, fee, tickets } = must(await quote(order, ticketsOf(order, 'out_onward')));
    expect({ refund, fee, count: tickets.length }).toEqual({
      ...{ refund: sumOf(order, 'out_onward'), fee: 0, count: 2 },
    });
    expect(codeOf(await quote(order, ticketsOf(order, 'out')))).toBe('check_in_closed');
  });

  it('gives a trip of a pass back once', async () => {
    const { customer, token } = await cardHolder(office);
    const pass = buildPassTerms();
    const unit = { unit: 'trips' as const, pass, name: pass.name, balance: 10 };
    const card = await createTripCard(office.context, customer.id, unit);
    const order = await office.takeOrder({ ...connection(), promo: '' });
    await office.context.db.update(orders).set({ customerId: customer.id }).where(eq(orders.id, order.id));
    const body = { method: 'trip_card', trip_card_id: card.id, trips: 2 };
    const path = `/api/orders/${order.id}/payments`;
    must(await office.request('POST', path, { body, token, idempotencyKey: crypto.randomUUID() }));
    const balance = async () =>
      (await office.context.db.select().from(tripCards).where(eq(tripCards.id, card.id)))[0]?.balance;
    expect(await balance()).toBe(8);
    at('15:30');
    await run('cancel', onward[0] ?? '');
    office.clock.advance(72 * 3_600_000);
    await settle();
    expect(await office.readOrder(order.id)).toMatchObject({ refunded: sumOf(order, 'out_onward') });
    expect(await balance()).toBe(10);
    await expectCleanBooks();
  });
});

describe('a second boat that was canceled before the first departed', () => {
  it('leaves the tickets of the first valid, then the choice of a later second boat, and the promised refund', async () => {
    const order = await buy();
    at('14:00');
    await run('cancel', onward[0] ?? '');
    expect(statusesOf(await office.readOrder(order.id), 'out')).toEqual(['issued', 'issued']);
    expect(await offersOf(order)).toMatchObject([{ sailingIds: [first, onward[0]] }]);
    at('15:30');
    const [direction] = await readJourneys(order);
    expect(direction.refund).toBe(order.total);
    expect(direction.others.map(idsOf)).toContainEqual([onward[1]]);
    expect(must(await quote(order, ticketsOf(order, 'out_onward')))).toMatchObject({ refund: order.total });
    await run('delay', office.ferry.outward[5] ?? '', '200');
    expect((await offersOf(order)).map(({ status }) => status)).toEqual(['open']);
    office.clock.advance(72 * 3_600_000);
    await settle();
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'canceled', refunded: order.total });
    await expectCleanBooks();
  });

  it('is replaced alone after the first departed', async () => {
    const order = await buy();
    at('14:00');
    await run('cancel', onward[0] ?? '');
    at('15:30');
    must(await rebook(order, [onward[2] ?? '']));
    const moved = await office.readOrder(order.id);
    expect(moved.legs).toMatchObject([{ sailing_id: first }, { sailing_id: onward[2] }]);
    expect(codesOf(moved, 'out')).toEqual(codesOf(order, 'out'));
    await expectCleanBooks();
  });
});

describe('a first boat that arrives too late for the second', () => {
  it('gives its party a boat after the expected arrival once it has departed, until they answer', async () => {
    const order = await buy();
    at('14:00');
    await run('delay', first, '270');
    expect(await offersOf(order)).toMatchObject([{ sailingIds: [first, onward[0]], ifUnanswered: 'keep' }]);
    at('15:00');
    await settle();
    expect(await offersOf(order)).toMatchObject([
      { status: 'kept' },
      {
        ...{ status: 'open', reason: 'sailing_delayed', ifUnanswered: 'keep' },
        ...{ sailingIds: [onward[0]], protectedSailingIds: [onward[2]] },
      },
    ]);
    const mail = await lastMail(order);
    expect(mail).toContain('from North Quay to South Quay, is 270 min late.');
    expect(mail).toContain('It arrives in South Quay too late for your second boat');
    expect(mail).not.toContain('Check-in for it stays as planned');
    await settle();
    expect(await office.count('mails:sailing-delayed')).toBe(2);
    // The booked second boat has left without them.
    at('18:30');
    const [direction] = await readJourneys(order);
    expect(idsOf(direction.protected.journey)).toEqual([onward[2]]);
    expect(direction.others.map(idsOf)).not.toContainEqual([onward[1]]);
    must(await rebook(order, [onward[2] ?? '']));
    expect((await office.taken(onward[2] ?? '')).passenger).toEqual([0, 2]);
    await expectCleanBooks();
  });

  it('gives no second choice if the boats connect', async () => {
    const order = await buy();
    await run('delay', first, '100');
    expect(await offersOf(order)).toHaveLength(1);
    at('15:00');
    await settle();
    expect((await offersOf(order)).map(({ status }) => status)).toEqual(['kept']);
    expect(await readJourneys(order)).toEqual([]);
  });
});
