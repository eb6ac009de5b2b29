import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { QueueEntry } from '#contract/gate/queue/schemas.ts';
import type { Sold } from '#contract/gate/sales/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { decideTickets } from '#domain/boarding/decide-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { orders } from '#server/database/schema/sales.ts';
import { eraseOldOrders } from '#server/privacy/erase-orders.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { addEntry, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import type { TestReply } from '#tests/setup/server.ts';

let office: Office;
let sailing: string;
let gate: Awaited<ReturnType<typeof openGate>>;
let desk: Awaited<ReturnType<typeof openDesk>>;
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
  desk = await openDesk();
}

const CASH = { method: 'cash' };
const party = (adults: number) => ({ passengers: [{ type: 'adult', count: adults }] });

/** The calls of a staff member who sells. */
async function openDesk(role: StaffRole = 'desk') {
  const { id: staffId } = await createStaffMember(office.context, role);
  const { headers } = await startStaffSession(office.context, staffId);
  const call = (path: string, body: unknown, idempotencyKey: string = randomUUID()) =>
    office.request('POST', path, { body, headers, idempotencyKey });
  const quote = (id: string) => call(fillPath(api.quoteQueueEntry.path, { id }), undefined);
  const read = async (): Promise<QueueEntry[]> => {
    const path = fillPath(api.getQueue.path, { id: sailing });
    return must(await office.request('GET', path, { headers })).entries;
  };
  return {
    staffId,
    headers,
    read,
    quote,
    /** Adds a party to the queue. */
    async join(body: object): Promise<string> {
      office.clock.advance(1000);
      const before = (await read()).map(({ id }) => id);
      must(await call(fillPath(api.joinQueue.path, { id: sailing }), body));
      return (await read()).find(({ id }) => !before.includes(id))?.id ?? '';
    },
    tryJoin: (body: object) => call(fillPath(api.joinQueue.path, { id: sailing }), body),
    async sell(id: string, more: object = {}, key?: string): Promise<TestReply> {
      const [cheapest] = must(await quote(id)).quotes;
      return call(
        fillPath(api.sellToQueueEntry.path, { id }),
        { quote_id: cheapest.id, payment: CASH, ...more },
        key,
      );
    },
    sellAt: (id: string, body: object) => call(fillPath(api.sellToQueueEntry.path, { id }), body),
  };
}

/** A paid order for some adults. */
async function buy(adults: number): Promise<void> {
  const { intent } = await office.takePayment({ adults });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
}

describe('a sale at the ramp', () => {
  test('may be on an invoice, if the settings say where it is paid', async () => {
    const id = await desk.join({ ...party(2), label: 'Kelp School' });
    const recipient = { name: 'Kelp School', address: '5 Shore Road', tax_number: '' };
    const payment = { method: 'invoice', recipient, email: 'school@example.com' };
    expect(codeOf(await desk.sell(id, { payment }))).toBe('no_invoices');
    expect(await desk.read()).toMatchObject([{ id, status: 'called' }]);
    const seller = { name: 'Ferries', address: '1 Dock', tax_number: '1', bank_account: 'IBAN 1' };
    await storeWebSettings(office.context, { seller });
    const sold: Sold = must(await desk.sell(id, { payment }));
    expect(await office.readOrder(sold.order_id)).toMatchObject({
      ...{ status: 'confirmed', payments: [{ method: 'invoice', amount: 2550 }] },
    });
    expect(await office.count('mails:invoice')).toBe(1);
    const unnamed = { ...payment, recipient: { ...recipient, name: '' } };
    const other = await desk.join(party(1));
    expect(codeOf(await desk.sell(other, { payment: unnamed }))).toBe('invalid_input');
  });

  test('is a paid order with tickets, with who sold it and who took the money', async () => {
    const id = await desk.join({ ...party(2), label: 'red van', phone: '+12065550123' });
    const sold: Sold = must(await desk.sell(id, { email: 'ada@example.com' }));
    expect(sold.ticket_ids).toHaveLength(2);
    const { tickets } = office.context.config.origins;
    expect(sold.link).toBe(`${tickets}/orders/${sold.order_id}/confirmation`);
    expect(await office.readOrder(sold.order_id)).toMatchObject({
      ...{ reference: sold.reference, status: 'confirmed', total: 2550, paid: 2550 },
      payments: [{ method: 'cash', amount: 2550, status: 'succeeded' }],
    });
    const [order] = await office.context.db.select().from(orders);
    expect(order).toMatchObject({ soldBy: desk.staffId, contactName: 'red van', customerId: null });
    expect(await office.count('mails:order-confirmed')).toBe(1);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
    expect(await desk.read()).toEqual([]);
    const taken = await office.context.db.select().from(auditLog).where(eq(auditLog.action, 'payment_taken'));
    expect(taken).toMatchObject([{ actorId: desk.staffId, objectId: sold.order_id }]);
  });

  test('needs no address: the tickets are shown, and nothing is mailed', async () => {
    const sold: Sold = must(await desk.sell(await desk.join(party(1))));
    expect(await office.readOrder(sold.order_id)).toMatchObject({ status: 'confirmed' });
    expect(await office.count('mails')).toBe(0);
  });

  test('without an address is erased like every other order', async () => {
    const sold: Sold = must(
      await desk.sell(await desk.join({ ...party(1), label: 'Ada', phone: '+12065550123' })),
    );
    office.clock.advance(400 * 24 * 3_600_000);
    expect(await eraseOldOrders(office.context.db, office.clock.now())).toBe(1);
    expect(await eraseOldOrders(office.context.db, office.clock.now())).toBe(0);
    const [order] = await office.context.db.select().from(orders);
    expect(order).toMatchObject({ id: sold.order_id, contactName: '', contactPhone: '' });
  });

  test('takes the places that closing check-in freed, and its tickets board until the boat departs', async () => {
    await openAtBoat({ passengers: 2 });
    await buy(2);
    const id = await desk.join(party(1));
    expect(codeOf(await desk.sell(id))).toBe('sold_out');
    must(await gate.change('closeCheckIn'));
    office.clock.advance(60_000);
    const sold: Sold = must(await desk.sell(id));
    const list = createGateList(await gate.readPack());
    const listed = list.tickets.get(sold.ticket_ids[0] ?? '');
    const boat = list.sailings.get(sailing);
    if (!listed || !boat) throw new Error('The list of the gate lacks the ticket.');
    const at = { sailing: boat, now: office.clock.now().getTime() };
    expect(decideTickets([listed.ticket], listed.party, at, list).answer).toBe('go');
    must(await gate.send(gate.board(sold.ticket_ids)));
    office.clock.advance(1000);
    must(await gate.send(gate.leave(sold.ticket_ids)));
    expect((await office.readOrder(sold.order_id)).tickets).toMatchObject([{ status: 'issued' }]);
    must(await gate.change('departSailing'));
    expect((await office.readOrder(sold.order_id)).tickets).toMatchObject([{ status: 'no_show' }]);
    expect(codeOf(await desk.quote(id))).toBe('sailing_not_boarding');
  });

  test('takes the share of the booth, which is not sold online', async () => {
    await office.database.store.query(
      `update voyage_capacity set sellable_online = 0 where resource = 'passenger'`,
    );
    expect(codeOf(await office.hold(must(await office.quote()).id))).toBe('sold_out');
    must(await desk.sell(await desk.join(party(2))));
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
    expect(codeOf(await office.hold(must(await office.quote()).id))).toBe('sold_out');
  });

  test('never oversells a boat, also with buyers online at the same time', async () => {
    await openAtBoat({ passengers: 5 });
    const entries = [await desk.join(party(2)), await desk.join(party(2))];
    const quotes = await Promise.all([1, 2, 3].map(async () => must(await office.quote({ adults: 2 })).id));
    const replies = await Promise.all([
      ...entries.map((id) => desk.sell(id)),
      ...quotes.map((quoteId) => office.hold(quoteId)),
    ]);
    const codes = replies.map(codeOf).toSorted();
    expect(codes).toEqual(['sold_out', 'sold_out', 'sold_out', 'success', 'success']);
    const [held = 0, sold = 0] = (await office.taken(sailing)).passenger ?? [];
    expect(held + sold).toBe(4);
  });

  test('happens once if the request is repeated, and once if two people serve the party', async () => {
    const id = await desk.join(party(1));
    const key = randomUUID();
    const [quote] = must(await desk.quote(id)).quotes;
    const body = { quote_id: quote.id, payment: CASH };
    const replies = await Promise.all([desk.sellAt(id, body), desk.sellAt(id, body)]);
    expect(replies.map(codeOf).toSorted()).toEqual(['not_found', 'success']);
    const other = await desk.join(party(1));
    const first: Sold = must(await desk.sell(other, {}, key));
    expect(await office.count('payments')).toBe(2);
    expect(first.reference).not.toBe('');
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  });

  test('is paid with a card at a terminal, or with a trip card', async () => {
    const terminal: Sold = must(
      await desk.sell(await desk.join(party(1)), {
        payment: { method: 'terminal', reference: 'Receipt 0042' },
      }),
    );
    expect((await office.readOrder(terminal.order_id)).payments).toMatchObject([{ method: 'terminal' }]);
    const { id: customerId } = await createCustomer(office.context);
    const card = await createTripCard(office.context, customerId);
    await addEntry(office.context, card.id, 2000);
    const paid = { payment: { method: 'trip_card', card: card.number } };
    must(await desk.sell(await desk.join(party(1)), paid));
    const entry = await desk.join(party(1));
    expect(codeOf(await desk.sell(entry, paid))).toBe('insufficient_balance');
    expect(await desk.read()).toMatchObject([{ id: entry, status: 'called' }]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
    expect(await findBrokenBooks(office.context)).toEqual([]);
    const unknown = { payment: { method: 'trip_card', card: '9000 0000 0000 0000' } };
    expect(codeOf(await desk.sell(entry, unknown))).toBe('unknown_trip_card');
  });

  test('may be of a group larger than the public can buy for, up to 200 people', async () => {
    expect(codeOf(await office.quote({ adults: 40 }))).toBe('party_too_large');
    const id = await desk.join({ ...party(40), label: 'Kelp School', phone: '+12065550123' });
    const sold: Sold = must(await desk.sell(id, { email: 'school@example.com' }));
    expect(sold.ticket_ids).toHaveLength(40);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 40] });
    const order = await office.readOrder(sold.order_id);
    expect(order).toMatchObject({
      ...{ status: 'confirmed', total: 51_000, contact: { name: 'Kelp School' } },
    });
    const pdf = await office.request('GET', fillPath(api.getTicketsPdf.path, { id: sold.order_id }));
    expect(pdf.status).toBe(200);
    const path = fillPath(api.correctStaffOrder.path, { reference: sold.reference });
    const names = Array.from({ length: 40 }, (_, index) => `Pupil ${index + 1}`);
    const { headers } = desk;
    const body = { traveler_names: names, mail_tickets: true };
    must(await office.request('PATCH', path, { body, headers }));
    expect((await office.readOrder(sold.order_id)).traveler_names).toEqual(names);
    const more = { body: { ...body, traveler_names: [...names, 'Pupil 41'] }, headers };
    expect(codeOf(await office.request('PATCH', path, more))).toBe('invalid_input');
    const packed = (await gate.readPack()).parties.filter(({ reference }) => reference === sold.reference);
    expect(packed.flatMap(({ tickets }) => tickets)).toHaveLength(40);
    expect(must(await gate.send(gate.board(sold.ticket_ids)))).toMatchObject({ twice: [], unknown: [] });
    expect((await desk.tryJoin(party(201))).status).toBe(422);
    const full = await desk.join(party(200));
    await desk.join(party(100));
    must(await desk.sell(full));
    expect(await desk.read()).toMatchObject([{ party: { passengers: [{ count: 100 }] }, fits: false }]);
  });

  test('is refused for another party, for a quote of the web, and for a bad request', async () => {
    const [one, two] = [await desk.join(party(1)), await desk.join(party(2))];
    const [quote] = must(await desk.quote(one)).quotes;
    expect(codeOf(await desk.sellAt(two, { quote_id: quote.id, payment: CASH }))).toBe('invalid_input');
    const web = must(await office.quote()).id;
    expect(codeOf(await desk.sellAt(one, { quote_id: web, payment: CASH }))).toBe('invalid_input');
    expect(codeOf(await office.hold(quote.id))).toBe('invalid_input');
    const unpaid = { quote_id: quote.id, payment: { method: 'terminal' } };
    expect(codeOf(await desk.sellAt(one, unpaid))).toBe('invalid_input');
    expect(
      (await desk.sellAt('que_00000000000000000000000000', { quote_id: quote.id, payment: CASH })).status,
    ).toBe(404);
    expect((await desk.read()).map(({ id }) => id)).toEqual([one, two]);
  });

  test('needs the right to sell, which the gate does not have', async () => {
    const id = await desk.join(party(1));
    const atGate = await openDesk('gate');
    expect(codeOf(await atGate.quote(id))).toBe('not_permitted');
    expect(codeOf(await atGate.sellAt(id, {}))).toBe('not_permitted');
  });
});
