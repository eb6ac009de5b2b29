import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { orderChanges, orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { prepareMail } from '#server/mail/render-mail.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { cardHolder, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Order = TestReply['body'];
let office: Office;
beforeAll(async () => {
  office = await openOffice({ passengers: 4 });
});
afterAll(() => office.close());
beforeEach(() => office.reopen({ passengers: 4 }));

async function run(...args: string[]): Promise<void> {
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args));
}

/** Buys and pays, a second after the order before. */
async function buy(options: Parameters<Office['takePayment']>[0] = {}): Promise<Order> {
  office.clock.advance(1000);
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return office.readOrder(order.id);
}

const out = (index: number) => office.ferry.outward[index] ?? '';
const back = (index: number) => office.ferry.back[index] ?? '';
const options = async (order: Order) => must(await office.request('GET', `/api/orders/${order.id}/options`));

async function rebook(
  order: Order,
  choice: object,
  idempotencyKey: string = crypto.randomUUID(),
): Promise<TestReply> {
  const { version } = await office.readOrder(order.id);
  const body = { direction: 'out', version, ...choice };
  return office.request('POST', `/api/orders/${order.id}/rebook`, { body, idempotencyKey });
}

const idsOf = (journey: { sailing_id: string }[]) => journey.map(({ sailing_id }) => sailing_id);
const countTickets = (order: Order, sailingId: string, status: string) =>
  order.tickets.filter((ticket: Order) => ticket.sailing_id === sailingId && ticket.status === status).length;

describe('GET /api/orders/{id}/options', () => {
  it('lists the protected sailing, the others with room for the whole party, and the full refund', async () => {
    const order = await buy({ adults: 3 });
    await buy({ legs: [out(2)], adults: 2 });
    await run('cancel', out(0), '--reason', 'weather');
    const { journeys, refund, version, later_same_day } = await options(order);
    expect({ refund, later_same_day }).toEqual({ refund: 3825, later_same_day: true });
    expect(version).toBe((await office.readOrder(order.id)).version);
    expect(journeys).toHaveLength(1);
    const [journey] = journeys;
    expect(journey).toMatchObject({
      ...{
        direction: 'out',
        reason: 'sailing_canceled',
        status: 'open',
        refund: 3825,
        if_unanswered: 'refund',
      },
      deadline: new Date(office.clock.now().getTime() + 72 * 3_600_000).toISOString(),
      protected: { until: '2026-06-02T16:50:00.000Z', until_local: '2026-06-02T09:50:00-07:00' },
    });
    expect(idsOf(journey.booked)).toEqual([out(0)]);
    expect(idsOf(journey.protected.journey)).toEqual([out(1)]);
    expect(journey.others.map(idsOf)).toEqual([[out(3)], [out(4)], [out(5)]]);
  });

  it('lists later sailings of the day before earlier ones', async () => {
    const order = await buy({ legs: [out(2)] });
    await run('cancel', out(2));
    const [journey] = (await options(order)).journeys;
    expect(idsOf(journey.protected.journey)).toEqual([out(3)]);
    expect(journey.others.map(idsOf)).toEqual([[out(4)], [out(5)], [out(0)], [out(1)]]);
  });

  it('is empty for an order that travels as booked, and unknown for others', async () => {
    const order = await buy();
    expect(await options(order)).toMatchObject({ journeys: [], refund: 1275 });
    const reply = await office.request('GET', '/api/orders/ord_00000000000000000000000000/options');
    expect(reply.status).toBe(404);
  });

  it('leaves time for the other journey', async () => {
    const order = await buy({ legs: [out(0), back(0)] });
    await run('cancel', out(0));
    const [journey] = (await options(order)).journeys;
    expect([idsOf(journey.protected.journey), journey.others]).toEqual([[out(1)], []]);
  });
});

describe('POST /api/orders/{id}/rebook', () => {
  it('moves the party to the protected sailing with the order’s link, without any money', async () => {
    const order = await buy({ adults: 2 });
    await run('cancel', out(0));
    const moved = must(await rebook(order, { sailing_ids: [out(1)] }));
    expect(moved).toMatchObject({
      ...{ status: 'confirmed', needs_attention: null, total: 2550, paid: 2550, refunded: 0 },
      legs: [{ sailing_id: out(1) }],
    });
    expect([countTickets(moved, out(0), 'replaced'), countTickets(moved, out(1), 'issued')]).toEqual([2, 2]);
    expect(moved.tickets).toHaveLength(4);
    expect((await office.taken(out(0))).passenger).toEqual([0, 0]);
    expect((await office.taken(out(1))).passenger).toEqual([0, 2]);
    expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  it('mails the buyer the new tickets and until when to choose again', async () => {
    const order = await buy();
    await run('cancel', out(0));
    must(await rebook(order, { sailing_ids: [out(1)] }));
    const rows = await office.context.db.select().from(mails).where(eq(mails.orderId, order.id));
    const kinds = ['order-confirmed', 'order-rebooked', 'sailing-canceled'];
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    const mail = rows.find(({ kind }) => kind === 'order-rebooked');
    if (!mail) throw new Error('There is no mail.');
    const { text } = (await prepareMail(office.context, mail, demoSettings)).content;
    expect(text).toContain('You can choose again until Thu, June 4, 2026, 8:00 AM PDT.');
    expect(text).toContain('Boarding code');
  });

  it('takes another sailing, and puts the protected places on sale', async () => {
    const order = await buy({ adults: 2 });
    await run('cancel', out(0));
    must(await rebook(order, { sailing_ids: [out(3)] }));
    expect((await office.taken(out(1))).passenger).toEqual([0, 0]);
    expect((await office.taken(out(3))).passenger).toEqual([0, 2]);
    expect(await auditBooks(office.database.store)).toEqual(cleanBooks);
  });

  it('has one effect when it is repeated, with the same key or another', async () => {
    const order = await buy();
    await run('cancel', out(0));
    const { version } = await office.readOrder(order.id);
    const choice = { sailing_ids: [out(1)], version };
    const key = crypto.randomUUID();
    const first = must(await rebook(order, choice, key));
    expect(must(await rebook(order, choice, key))).toEqual(first);
    expect(must(await rebook(order, choice)).version).toBe(first.version);
    expect((await office.taken(out(1))).passenger).toEqual([0, 1]);
    expect(await office.count('mails:order-rebooked')).toBe(1);
  });

  it('can be repeated for another sailing until the deadline, and refunded in full', async () => {
    const order = await buy();
    await run('cancel', out(0));
    must(await rebook(order, { sailing_ids: [out(1)] }));
    expect((await office.readOrder(order.id)).choice_until).not.toBeNull();
    expect((await options(order)).journeys).toMatchObject([{ status: 'moved', protected: null }]);
    const again = must(await rebook(order, { sailing_ids: [out(4)] }));
    const left = again.tickets.filter(({ status }: Order) => status === 'issued').map(({ id }: Order) => id);
    office.clock.advance(31 * 3_600_000);
    const quote = must(
      await office.request('POST', `/api/orders/${order.id}/cancellations/quote`, {
        body: { ticket_ids: left },
      }),
    );
    expect(quote).toMatchObject({ refund: 1275, fee: 0 });
    office.clock.advance(41 * 3_600_000);
    expect((await office.readOrder(order.id)).choice_until).toBeNull();
    expect((await options(order)).journeys).toEqual([]);
    expect(codeOf(await rebook(order, { sailing_ids: [out(5)] }))).toBe('change_not_allowed');
  });

  it('is over once the moved tickets are refunded', async () => {
    const order = await buy();
    await run('cancel', out(0));
    must(await rebook(order, { sailing_ids: [out(1)] }));
    await refundOrder(office.context, {
      actor: { kind: 'server' },
      reference: order.reference,
      toTripCard: null,
    });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'canceled', choice_until: null });
  });

  it('gives the full refund of a late sailing too', async () => {
    const order = await buy();
    await run('delay', out(0), '120');
    const ids = order.tickets.map(({ id }: Order) => id);
    office.clock.advance(23.5 * 3_600_000);
    const quote = must(
      await office.request('POST', `/api/orders/${order.id}/cancellations/quote`, {
        body: { ticket_ids: ids },
      }),
    );
    expect(quote).toMatchObject({ refund: 1275, fee: 0 });
  });

  it('refuses an old version, a full sailing, a journey without a choice, and what is malformed', async () => {
    const order = await buy({ adults: 2 });
    await buy({ legs: [out(2)], adults: 3 });
    await run('cancel', out(0));
    expect(codeOf(await rebook(order, { sailing_ids: [out(1)], version: 1 }))).toBe('version_conflict');
    expect(codeOf(await rebook(order, { sailing_ids: [out(2)] }))).toBe('sold_out');
    expect(codeOf(await rebook(order, { sailing_ids: [back(1)] }))).toBe('sold_out');
    expect(codeOf(await rebook(order, { direction: 'back', sailing_ids: [back(1)] }))).toBe(
      'change_not_allowed',
    );
    expect(codeOf(await rebook(order, { sailing_ids: [] }))).toBe('invalid_input');
    const unknown = { id: 'ord_00000000000000000000000000' };
    const body = { direction: 'out', sailing_ids: [out(1)], version: 1 };
    const reply = await office.request('POST', `/api/orders/${unknown.id}/rebook`, {
      body,
      idempotencyKey: crypto.randomUUID(),
    });
    expect(reply.status).toBe(404);
    expect(countTickets(await office.readOrder(order.id), out(0), 'issued')).toBe(2);
    expect((await office.taken(out(1))).passenger).toEqual([2, 0]);
  });

  it('sells the last places once, to the first who chooses them', async () => {
    const first = await buy({ adults: 2 });
    const second = await buy({ adults: 2 });
    await run('cancel', out(0));
    office.clock.set('2026-06-02T16:55:00.000Z');
    await buy({ legs: [out(2)], adults: 2 });
    const replies = await Promise.all([
      rebook(first, { sailing_ids: [out(2)] }),
      rebook(second, { sailing_ids: [out(2)] }),
    ]);
    expect(replies.map(({ body }) => (body.success ? 'moved' : body.errors[0].code)).toSorted()).toEqual([
      'moved',
      'sold_out',
    ]);
    expect((await office.taken(out(2))).passenger).toEqual([0, 4]);
  });

  it('records whether the owner was signed in', async () => {
    const order = await buy();
    const { customer, token } = await cardHolder(office);
    await office.context.db.update(orders).set({ customerId: customer.id });
    await run('cancel', out(0));
    must(await rebook(order, { sailing_ids: [out(1)] }));
    const { version } = await office.readOrder(order.id);
    const body = { direction: 'out', sailing_ids: [out(2)], version };
    const path = `/api/orders/${order.id}/rebook`;
    must(await office.request('POST', path, { body, token, idempotencyKey: crypto.randomUUID() }));
    const changes = await office.context.db.select().from(orderChanges).orderBy(orderChanges.id);
    expect(changes.map(({ actor }) => actor).toSorted()).toEqual(['customer', 'guest']);
  });
});
