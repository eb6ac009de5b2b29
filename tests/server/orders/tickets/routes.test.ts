import { eq, inArray } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PartyCode } from '#contract/orders/schemas.ts';
import { checkTicket, readKeys } from '#server/commands/verify-ticket.ts';
import { newId } from '#server/core/ids.ts';
import { orders, tickets } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { buildConfirmedOrder, type ConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let order: ConfirmedOrder;

beforeEach(async () => {
  server = await openTestServer();
  order = await buildConfirmedOrder(server.context);
});
afterEach(() => server.close());

describe('public keys', () => {
  it('suffice to verify a sold ticket', async () => {
    const reply = await server.request('GET', '/api/keys');
    expect(reply.status).toBe(200);
    expect(JSON.stringify(reply.body)).not.toMatch(/private|sealed|encrypted/i);
    const sold = await server.context.db.select().from(tickets);
    for (const ticket of sold) {
      expect(checkTicket(ticket.payload, readKeys(reply.body), server.clock.now()).isValid).toBe(true);
    }
  });
});

describe('the party’s code', () => {
  async function readCodes(): Promise<PartyCode[]> {
    const reply = await server.request('GET', `/api/orders/${order.id}`);
    return (reply.body as { data: { party_codes: PartyCode[] } }).data.party_codes;
  }

  it('is one per crossing, verified with the public keys only, and counts every kind', async () => {
    const keys = readKeys((await server.request('GET', '/api/keys')).body);
    const codes = await readCodes();
    expect(
      codes.map(({ leg, passengers, vehicles, bicycles }) => [leg, passengers, vehicles, bicycles]),
    ).toEqual([
      ['out', 2, 1, 1],
      ['back', 2, 1, 1],
    ]);
    const verdict = checkTicket(codes[0]?.barcode.payload ?? '', keys, server.clock.now());
    expect(verdict.isValid).toBe(true);
    expect(verdict.lines.join('\n')).toMatch(
      /whole party: 2 travelers, 1 vehicle, 1 bicycle, 6\.80 m long[\s\S]*K7M4-QXP8/,
    );
  });

  it('omits refunded tickets, and is absent for fewer than two tickets', async () => {
    const { db } = server.context;
    const out = (await db.select().from(tickets)).filter(({ leg }) => leg === 'out');
    const cancel = (ids: string[]) =>
      db.update(tickets).set({ status: 'canceled' }).where(inArray(tickets.id, ids));
    await cancel(out.filter(({ kind }) => kind === 'vehicle').map(({ id }) => id));
    expect((await readCodes())[0]).toMatchObject({ leg: 'out', passengers: 2, vehicles: 0, bicycles: 1 });
    await cancel(out.slice(1).map(({ id }) => id));
    expect((await readCodes()).map(({ leg }) => leg)).toEqual(['back']);
    await db.update(tickets).set({ status: 'canceled' });
    expect(await readCodes()).toEqual([]);
  });

  it('expires with the tickets it represents', async () => {
    const keys = readKeys((await server.request('GET', '/api/keys')).body);
    const [code] = await readCodes();
    const sold = await server.context.db.select().from(tickets).where(eq(tickets.leg, 'out'));
    for (const hours of [23.9, 24.1]) {
      const then = new Date(Date.parse('2026-06-05T16:30:00Z') + hours * 3_600_000);
      const isValid = (payload: string) => checkTicket(payload, keys, then).isValid;
      expect(isValid(code?.barcode.payload ?? '')).toBe(isValid(sold[0]?.payload ?? ''));
      expect(isValid(code?.barcode.payload ?? '')).toBe(hours < 24);
    }
  });
});

describe('an order’s files', () => {
  it('are attachments named by the reference and are not cached', async () => {
    for (const [file, type, name] of [
      ['tickets.pdf', 'application/pdf', 'tickets-K7M4-QXP8.pdf'],
      ['calendar.ics', 'text/calendar; charset=utf-8', 'ferry-K7M4-QXP8.ics'],
    ] as const) {
      const reply = await server.request('GET', `/api/orders/${order.id}/${file}`);
      expect(reply.status).toBe(200);
      expect(reply.headers.get('content-type')).toBe(type);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    }
  });

  it('give the same not-found response for an unknown, unpaid or canceled order and an invalid id', async () => {
    const ids = [newId('ord'), 'nonsense', '%00', order.id];
    await server.context.db.update(orders).set({ status: 'canceled' }).where(eq(orders.id, order.id));
    const unpaid = await buildConfirmedOrder(server.context, { reference: '2222-2222', status: 'held' });
    for (const [method, file] of [
      ['GET', 'tickets.pdf'],
      ['GET', 'calendar.ics'],
      ['POST', 'resend'],
    ] as const) {
      const replies = await Promise.all(
        [...ids, unpaid.id].map((id) => server.request(method, `/api/orders/${id}/${file}`)),
      );
      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([404]));
      expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    }
  });
});

describe('sending an order again', () => {
  it('queues the confirmation at most three times an hour', async () => {
    const path = `/api/orders/${order.id}/resend`;
    for (let time = 0; time < 3; time += 1) {
      expect((await server.request('POST', path)).status).toBe(200);
    }
    const fourth = await server.request('POST', path);
    expect(fourth.status).toBe(429);
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0);
    const queued = await server.context.db.select().from(mails);
    expect(queued.map((mail) => [mail.kind, mail.toAddress])).toEqual(
      Array.from({ length: 3 }, () => ['order-confirmed', 'ada@example.com']),
    );
    server.clock.advance(3_601_000);
    expect((await server.request('POST', path)).status).toBe(200);
  });
});

describe('looking an order up', () => {
  const lookUp = (body: unknown, from?: string) =>
    server.request('POST', '/api/orders/lookup', { body, ...(from ? { from } : {}) });

  it('mails the link when reference and address match, however they are typed', async () => {
    const reply = await lookUp({ reference: ' k7m4 qxp8 ', email: 'ADA@example.com' });
    expect(reply.status).toBe(200);
    const [mail] = await vi.waitFor(async () => {
      const queued = await server.context.db.select().from(mails);
      expect(queued).toHaveLength(1);
      return queued;
    });
    expect(mail?.kind).toBe('order-link');
    expect(mail?.orderId).toBe(order.id);
    await vi.waitFor(() => expect(server.jobs.asked).toContainEqual({ name: 'send-due-mails', data: {} }));
  });

  it('answers the same for a match, a wrong address, an unknown reference and a mistyped one', async () => {
    const replies = [
      await lookUp({ reference: order.reference, email: 'ada@example.com' }),
      await lookUp({ reference: order.reference, email: 'eve@example.com' }),
      await lookUp({ reference: '2222-2222', email: 'ada@example.com' }),
      await lookUp({ reference: 'nonsense', email: 'ada@example.com' }),
    ];
    expect(new Set(replies.map((reply) => JSON.stringify([reply.status, reply.body]))).size).toBe(1);
    const queued = await vi.waitFor(async () => {
      const rows = await server.context.db.select().from(mails);
      expect(rows.length).toBeGreaterThan(0);
      return rows;
    });
    expect(queued.map((mail) => mail.toAddress)).toEqual(['ada@example.com']);
  });

  it('mails five links an hour per order, whatever strangers ask for with its address', async () => {
    const stranger = { reference: '2222-2222', email: 'ada@example.com' };
    for (let time = 0; time < 6; time += 1) {
      expect((await lookUp(stranger, `198.51.${time}.1`)).status).toBe(200);
    }
    const mailed = async () => (await server.context.db.select().from(mails)).length;
    for (let time = 1; time <= 6; time += 1) {
      expect((await lookUp({ ...stranger, reference: order.reference })).status).toBe(200);
      const expected = Math.min(time, 5);
      await vi.waitFor(async () => expect(await mailed()).toBe(expected));
    }
  });

  it('is limited per network, so that the guests of a terminal find their orders', async () => {
    const body = { reference: '2222-2222' };
    const network = [];
    for (let time = 0; time < 201; time += 1) {
      network.push(await lookUp({ ...body, email: `a${time}@example.com` }, `192.0.2.${time}`));
    }
    expect(network.at(-2)?.status).toBe(200);
    expect(network.at(-1)?.status).toBe(429);
  });

  it('refuses anything but a single address', async () => {
    for (const email of [
      'a@example.com,b@example.com',
      'a@example.com\r\nBcc: b@example.com',
      'a@example.com (b@example.com)',
      '<a@example.com>',
      42,
    ]) {
      expect((await lookUp({ reference: order.reference, email })).status).toBe(422);
    }
  });
});
