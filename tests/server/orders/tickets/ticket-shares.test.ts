import { desc, eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { type CreatedTicketShare, MAX_TICKET_SHARES } from '#contract/orders/ticket-shares/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { parseCode } from '#domain/orders/ticket-code.ts';
import { checkTicket, readKeys } from '#server/commands/verify-ticket.ts';
import { newId } from '#server/core/ids.ts';
import { orders, type TicketRow, tickets } from '#server/database/schema/sales.ts';
import { ticketShares } from '#server/database/schema/ticket-shares.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { deleteOldShares } from '#server/orders/tickets/shares.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { buildConfirmedOrder, type ConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { emptyTables } from '#tests/setup/database.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';

const OPENED = '2026-06-01T15:00:00.000Z';
let server: TestServer;
let order: ConfirmedOrder;
let sold: TicketRow[];

beforeAll(async () => {
  server = await openTestServer({ now: OPENED });
});
afterAll(() => server.close());
beforeEach(async () => {
  await emptyTables(server.database.store, ['public.ticket_keys', 'public.secrets', 'sandbox.config']);
  server.clock.set(OPENED);
  server.logged.length = 0;
  order = await buildConfirmedOrder(server.context, { travelerNames: ['Ada', 'Grace'] });
  // The way out before the way back.
  sold = await server.context.db
    .select()
    .from(tickets)
    .orderBy(desc(tickets.leg), tickets.kind, tickets.partyIndex);
});

/** Grace's tickets of both crossings. */
const graces = () => sold.filter(({ kind, partyIndex }) => kind === 'passenger' && partyIndex === 2);
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

function share(
  body: object,
  { id = order.id, ...options }: { id?: string; token?: string; from?: string } = {},
): Promise<TestReply> {
  const idempotencyKey = crypto.randomUUID();
  return server.request('POST', fillPath(api.shareTickets.path, { id }), {
    body,
    idempotencyKey,
    ...options,
  });
}
async function shareGraces(more: object = {}): Promise<CreatedTicketShare & { token: string }> {
  const shared = must(await share({ ticket_ids: idsOf(graces()), ...more }));
  return { ...shared, token: shared.url.split('/').at(-1) };
}
const open = (token: string, path: string = api.getSharedTickets.path) =>
  server.request('GET', fillPath(path as typeof api.getSharedTickets.path, { token }));
const listShares = (options: { token?: string } = {}, id = order.id) =>
  server.request('GET', fillPath(api.listTicketShares.path, { id }), options);
const revoke = (shareId: string, id = order.id) =>
  server.request('DELETE', fillPath(api.revokeTicketShare.path, { id, share_id: shareId }));

describe('a link to shared tickets', () => {
  test('shows those tickets and their sailings, and nothing else of the order', async () => {
    const { url, token } = await shareGraces({ name: 'Grace H.' });
    expect(url).toMatch(/^http:\/\/tickets\.ferry\.localhost\S*\/shared_tickets\/[0-9a-z]{26}$/);
    const shared = must(await open(token));
    expect(Object.keys(shared).toSorted()).toEqual(['as_of', 'legs', 'notice', 'reference', 'tickets']);
    expect(idsOf(shared.tickets)).toEqual(idsOf(graces()));
    expect(shared.legs.map(({ leg }: { leg: string }) => leg)).toEqual(['out', 'back']);
    expect(shared).toMatchObject({ reference: order.reference, notice: '' });
    const text = JSON.stringify(shared);
    expect(text).toContain('Grace');
    for (const secret of ['Ada', 'Lovelace', 'example.com', '5KJH', 'Grace H.', 'USD', order.id]) {
      expect(text).not.toContain(secret);
    }
    for (const { payload, boardingCode } of sold.filter((ticket) => !idsOf(graces()).includes(ticket.id))) {
      expect(text).not.toContain(payload);
      expect(text).not.toContain(boardingCode);
    }
  });

  test('shows the sailings of its tickets only', async () => {
    const [out] = graces();
    const { url } = must(await share({ ticket_ids: [out?.id] }));
    const shared = must(await open(url.split('/').at(-1)));
    expect(shared.legs.map(({ leg }: { leg: string }) => leg)).toEqual(['out']);
  });

  test('is stored as a hash, and is in no log', async () => {
    const { token } = await shareGraces();
    await open(token);
    await open(token, api.getSharedCalendar.path);
    const stored = await server.context.db.select().from(ticketShares);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(server.logged.length).toBeGreaterThan(0);
    expect(JSON.stringify(server.logged)).not.toContain(token);
  });

  test('is the same again for a repeated request', async () => {
    const body = { ticket_ids: idsOf(graces()) };
    const path = fillPath(api.shareTickets.path, { id: order.id });
    const idempotencyKey = crypto.randomUUID();
    const first = must(await server.request('POST', path, { body, idempotencyKey }));
    expect(must(await server.request('POST', path, { body, idempotencyKey }))).toEqual(first);
    expect(must(await listShares())).toHaveLength(1);
  });

  test('answers the same if it is unknown, malformed or taken back', async () => {
    const { id, token } = await shareGraces();
    must(await revoke(id));
    for (const path of [
      api.getSharedTickets.path,
      api.getSharedTicketsPdf.path,
      api.getSharedCalendar.path,
    ]) {
      const replies = [];
      for (const each of [token, '0'.repeat(26), 'x', '%00', order.id]) replies.push(await open(each, path));
      expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
      expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    }
  });

  test('shows delays and canceled sailings', async () => {
    const { token } = await shareGraces();
    const { db } = server.context;
    const [out = ''] = order.sailingIds;
    await db.update(sailings).set({ delayMinutes: 25 }).where(eq(sailings.id, out));
    expect(must(await open(token)).legs[0]).toMatchObject({ delay_minutes: 25 });
    await db.update(sailings).set({ status: 'canceled' }).where(eq(sailings.id, out));
    await db.update(orders).set({ needsAttention: 'sailing_canceled' });
    const shared = must(await open(token));
    expect(shared.legs[0].status).toBe('canceled');
    expect(shared.notice).toContain('Ask the person who sent you this ticket');
  });

  test('says that a ticket is canceled, also with all others of the order', async () => {
    const { token } = await shareGraces();
    const { db } = server.context;
    await db.update(tickets).set({ status: 'canceled' });
    await db.update(orders).set({ status: 'canceled' });
    const shared = must(await open(token));
    expect(shared.legs).toHaveLength(2);
    expect(shared.tickets.map(({ status }: TicketRow) => status)).toEqual(['canceled', 'canceled']);
    for (const path of [api.getSharedTicketsPdf.path, api.getSharedCalendar.path]) {
      expect((await open(token, path)).status).toBe(404);
    }
  });
});

describe('a gate', () => {
  test('reads the same code from buyer and companion, so that the ticket boards once', async () => {
    const [ticket] = graces();
    const { token } = await shareGraces();
    const keys = readKeys((await server.request('GET', api.listTicketKeys.path)).body);
    const aboard = new Set<string>();
    /** Lets each valid ticket aboard once, by the id in its signed code. */
    const scan = (code: string): boolean => {
      const parsed = parseCode(code);
      if (!parsed.ok || parsed.type !== 'ticket' || aboard.has(parsed.fields.ticketId)) return false;
      if (!checkTicket(code, keys, server.clock.now()).isValid) return false;
      aboard.add(parsed.fields.ticketId);
      return true;
    };
    const path = fillPath(api.getOrder.path, { id: order.id });
    const ofBuyer = must(await server.request('GET', path)).tickets.find(
      ({ id }: TicketRow) => id === ticket?.id,
    );
    const [ofCompanion] = must(await open(token)).tickets;
    expect(ofCompanion.barcode).toEqual(ofBuyer.barcode);
    expect(ofCompanion.boarding_code).toBe(ofBuyer.boarding_code);
    expect([scan(ofCompanion.barcode.payload), scan(ofBuyer.barcode.payload)]).toEqual([true, false]);
  });

  test('reports a boarded ticket to the buyer and the companion', async () => {
    const [ticket] = graces();
    const { token } = await shareGraces();
    await server.context.db
      .update(tickets)
      .set({ status: 'boarded' })
      .where(eq(tickets.id, ticket?.id ?? ''));
    const statusIn = (list: TicketRow[]) => list.find(({ id }) => id === ticket?.id)?.status;
    const path = fillPath(api.getOrder.path, { id: order.id });
    expect(statusIn(must(await open(token)).tickets)).toBe('boarded');
    expect(statusIn(must(await server.request('GET', path)).tickets)).toBe('boarded');
  });
});

describe('files of shared tickets', () => {
  test('contain those tickets only, and link to the companion’s page', async () => {
    const { token, url } = await shareGraces();
    const pdf = await open(token, api.getSharedTicketsPdf.path);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.headers.get('cache-control')).toBe('no-store');
    const calendar = await open(token, api.getSharedCalendar.path);
    const text = String(calendar.body).replace(/\r\n[ \t]/g, '');
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(text).toContain(`URL;VALUE=URI:${url}`);
    const [own, others] = [graces(), sold.filter((each) => !idsOf(graces()).includes(each.id))];
    for (const { boardingCode } of own) expect(text).toContain(boardingCode);
    for (const { boardingCode } of others) expect(text).not.toContain(boardingCode);
    expect(text).not.toContain(order.id);
  });
});

test('a companion’s calendar file is in the language of the companion’s page', async () => {
  const { token } = await shareGraces();
  const path = fillPath(api.getSharedCalendar.path, { token });
  const inEnglish = String((await server.request('GET', path)).body);
  const chosen = { headers: { cookie: 'my-language=de', 'accept-language': 'fr' } };
  const inGerman = String((await server.request('GET', path, chosen)).body);
  expect(inEnglish).toContain('SUMMARY:Ferry Seattle to Bergen');
  expect(inGerman).toContain('SUMMARY:Fähre Seattle nach Bergen');
});

describe('sharing tickets', () => {
  test('mails the link without any text of the sender, and keeps no copy of it', async () => {
    const { token, is_mailed, email } = await shareGraces({ name: 'Evil text', email: 'Grace@Example.com ' });
    expect([is_mailed, email]).toEqual([true, 'g•••@example.com']);
    const [mail] = await mailsTo(server.context, 'grace@example.com');
    expect(mail).toMatchObject({ kind: 'tickets-shared', data: { tickets: 2 } });
    expect(mail?.data).toMatchObject({ link: expect.stringContaining(token) });
    expect(JSON.stringify(mail)).not.toMatch(/Evil|Ada|Lovelace|Grace H/);
  });

  test('writes to one address a few times a day, and says when it does not', async () => {
    const sent = [];
    for (let time = 0; time < 6; time += 1) {
      sent.push((await shareGraces({ email: 'grace@example.com' })).is_mailed);
    }
    expect(sent).toEqual([true, true, true, true, true, false]);
    const addresses = must(await listShares()).map(({ email }: { email: string | null }) => email);
    expect(addresses.filter((email: string | null) => email === null)).toHaveLength(1);
  });

  test('is refused for tickets that are not valid or not of the order', async () => {
    const other = await buildConfirmedOrder(server.context, { reference: '2222-2222' });
    const all = await server.context.db.select().from(tickets);
    const foreign = all.find(({ orderId }) => orderId === other.id);
    const [gone] = graces();
    await server.context.db
      .update(tickets)
      .set({ status: 'canceled' })
      .where(eq(tickets.id, gone?.id ?? ''));
    for (const ticketIds of [[foreign?.id], [gone?.id], [newId('tkt')], ['x'], [], 'all', undefined]) {
      const reply = await share({ ticket_ids: ticketIds });
      expect([ticketIds, reply.status, codeOf(reply)]).toEqual([ticketIds, 422, 'invalid_input']);
    }
    expect(codeOf(await share({ ticket_ids: [sold[0]?.id], email: 'a@b.c, d@e.f' }))).toBe('invalid_input');
    expect(codeOf(await share({ ticket_ids: [sold[0]?.id], note: 'x' }))).toBe('unknown_field');
    expect(must(await listShares())).toEqual([]);
  });

  test('is refused for an order without tickets, and answers not found for an unknown one', async () => {
    expect(codeOf(await share({ ticket_ids: idsOf(graces()) }, { id: newId('ord') }))).toBe('not_found');
    await server.context.db.update(orders).set({ status: 'canceled' });
    expect(codeOf(await share({ ticket_ids: idsOf(graces()) }))).toBe('order_closed');
  });

  test('is limited per order, also for concurrent requests', async () => {
    const shared = must(await share({ ticket_ids: idsOf(graces()) }));
    const { db } = server.context;
    const [row] = await db.select().from(ticketShares).where(eq(ticketShares.id, shared.id));
    for (let copy = 2; copy < MAX_TICKET_SHARES; copy += 1) {
      if (row) await db.insert(ticketShares).values({ ...row, id: newId('tsh'), tokenHash: `copy ${copy}` });
    }
    const replies = await Promise.all([1, 2, 3].map(() => share({ ticket_ids: idsOf(graces()) })));
    expect(replies.map(codeOf).toSorted()).toEqual(['success', 'too_many_shares', 'too_many_shares']);
    expect(must(await listShares())).toHaveLength(MAX_TICKET_SHARES);
  });

  test('is limited in time', async () => {
    const { db } = server.context;
    const replies = [];
    for (let time = 0; time < 61; time += 1) {
      const reply = await share({ ticket_ids: idsOf(graces()) });
      replies.push(reply.status);
      if (reply.status === 201) await db.delete(ticketShares);
    }
    expect(replies.filter((status) => status === 201)).toHaveLength(60);
    expect(replies.at(-1)).toBe(429);
  });
});

describe('the list of shares', () => {
  test('tells the owner the address, and others with the order’s link a masked one', async () => {
    const owner = await createCustomer(server.context);
    await server.context.db.update(orders).set({ customerId: owner.id }).where(eq(orders.id, order.id));
    const token = await startSession(server.context, owner.id);
    const stranger = await startSession(server.context, (await createCustomer(server.context)).id);
    const { id } = await shareGraces({ name: 'Grace', email: 'grace@example.com' });
    const expected = { id, ticket_ids: idsOf(graces()), name: 'Grace', inserted_at: OPENED };
    expect(must(await listShares({ token }))).toEqual([{ ...expected, email: 'grace@example.com' }]);
    for (const options of [{}, { token: stranger }]) {
      expect(must(await listShares(options))).toEqual([{ ...expected, email: 'g•••@example.com' }]);
    }
    expect((await listShares({}, newId('ord'))).status).toBe(404);
  });

  test('loses a link that is taken back, and answers not found for the links of other orders', async () => {
    const { id } = await shareGraces();
    const other = await buildConfirmedOrder(server.context, { reference: '2222-2222' });
    for (const [share, of] of [
      [id, other.id],
      [newId('tsh'), order.id],
      ['x', order.id],
    ] as const) {
      expect((await revoke(share, of)).status).toBe(404);
    }
    must(await revoke(id));
    expect(must(await listShares())).toEqual([]);
    expect((await revoke(id)).status).toBe(404);
  });
});

describe('a share of a changed order', () => {
  /** Replaces tickets as a change of the order does. */
  async function replace(rows: readonly TicketRow[], legs: readonly TicketRow['leg'][]): Promise<void> {
    const { db } = server.context;
    await db
      .update(tickets)
      .set({ status: 'replaced' })
      .where(inArray(tickets.id, idsOf(rows)));
    for (const [index, leg] of legs.entries()) {
      const id = newId('tkt');
      const row = rows[Math.min(index, rows.length - 1)];
      if (row) await db.insert(tickets).values({ ...row, id, leg, boardingCode: id.slice(-9), payload: id });
    }
  }
  const legsOf = (list: TicketRow[]) => list.map(({ leg, status }) => [leg, status]);

  test('follows to the ticket that takes the place', async () => {
    const { token } = await shareGraces();
    await replace(graces(), ['out', 'back']);
    const shared = must(await open(token));
    expect(legsOf(shared.tickets)).toEqual([
      ['out', 'issued'],
      ['back', 'issued'],
    ]);
    const replaced = idsOf(graces());
    for (const { id } of shared.tickets) expect(replaced).not.toContain(id);
    expect(must(await listShares())[0].ticket_ids).toEqual(idsOf(shared.tickets));
  });

  test('follows to both boats of a journey with a change, and back to a direct boat', async () => {
    const { token } = await shareGraces();
    await replace(graces().slice(0, 1), ['out', 'out_onward']);
    expect(legsOf(must(await open(token)).tickets)).toEqual([
      ['out', 'issued'],
      ['out_onward', 'issued'],
      ['back', 'issued'],
    ]);
    const all = await server.context.db.select().from(tickets);
    const current = all.filter(({ id }) => !idsOf(sold).includes(id));
    await replace(current, ['out']);
    expect(legsOf(must(await open(token)).tickets)).toEqual([
      ['out', 'issued'],
      ['back', 'issued'],
    ]);
  });

  test('shows a canceled ticket if none of its kind takes the place', async () => {
    const { token } = await shareGraces();
    await replace(graces(), []);
    const shared = must(await open(token));
    expect(legsOf(shared.tickets)).toEqual([
      ['out', 'canceled'],
      ['back', 'canceled'],
    ]);
    expect(must(await listShares())[0].ticket_ids).toEqual([]);
  });
});

test('shares are deleted a month after the last sailing', async () => {
  await shareGraces();
  const { db } = server.context;
  const [{ arrives } = { arrives: null }] = await db
    .select({ arrives: sailings.arrivesAt })
    .from(sailings)
    .where(eq(sailings.id, order.sailingIds[1] ?? ''));
  const after = (days: number) => new Date((arrives?.getTime() ?? 0) + days * 86_400_000);
  await deleteOldShares(db, after(29));
  expect(await db.$count(ticketShares)).toBe(1);
  await deleteOldShares(db, after(31));
  expect(await db.$count(ticketShares)).toBe(0);
});
