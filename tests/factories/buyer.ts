import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { queryRows } from '#server/database/database.ts';
import { registerHoldJobs } from '#server/orders/buy/expire-holds.ts';
import { registerPaymentJobs } from '#server/orders/pay/payment-jobs.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { emptyTables } from '#tests/setup/database.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';
import { buildFerry, type Ferry, type FerryCapacity } from './ferry.ts';

export const contact = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+12065550123' };
export const termsVersion = defaultWebSettings.terms.version;

export type Office = Awaited<ReturnType<typeof openOffice>>;

/** Kept for the running server. */
const whatAStartMade = ['public.ticket_keys', 'public.secrets', 'sandbox.config'];
const opened = '2026-06-01T15:00:00.000Z';

/** An open ticket office with a small ferry, and a buyer's steps as functions. */
export async function openOffice(room: FerryCapacity = {}) {
  const server = await openTestServer({ now: opened });
  const ferry = await buildFerry(server.context.db, server.clock.now(), room);
  await readSettings(server);
  await registerHoldJobs(server.context);
  await registerPaymentJobs(server.context);
  return {
    ...server,
    ferry,
    ...buyerOf(server, ferry),
    /** Empties the office and the provider and resets the clock, much faster than opening another. */
    async reopen(newRoom: FerryCapacity = {}, now = opened): Promise<void> {
      await emptyTables(server.database.store, whatAStartMade);
      server.clock.set(now);
      server.logged.length = 0;
      server.jobs.asked.length = 0;
      Object.assign(ferry, await buildFerry(server.context.db, server.clock.now(), newRoom));
      await readSettings(server);
    },
  };
}

/** Requests without a language get the operator's when settings were last read, which an earlier test may have stored. */
async function readSettings({ context }: TestServer): Promise<void> {
  await loadWebSettings(context);
}

/** Ids of sailings, with the legs' names where an order changes boats. */
type LegsOption = (string | { sailing_id: string; leg: LegName })[];

type PurchaseOptions = {
  legs?: LegsOption;
  adults?: number;
  children?: number;
  vehicle?: object | null;
  bicycles?: number;
  promo?: string;
};

function buyerOf(server: TestServer, ferry: Ferry) {
  const key = () => randomUUID();
  const { request, context } = server;
  const quoteRequest = ({
    legs,
    adults = 1,
    children = 0,
    vehicle = null,
    bicycles = 0,
    promo,
  }: PurchaseOptions = {}) => ({
    legs: (legs ?? [ferry.outward[0] ?? '']).map((leg) =>
      typeof leg === 'string' ? { sailing_id: leg } : leg,
    ),
    passengers: [
      { type: 'adult', count: adults },
      { type: 'child', count: children },
    ],
    vehicle,
    bicycles,
    fare_class: 'flex',
    ...(promo ? { promo_code: promo } : {}),
  });
  const quote = (options: PurchaseOptions = {}) =>
    request('POST', '/api/quotes', { body: quoteRequest(options) });
  const hold = async (quoteId: string, options: { from?: string } = {}) =>
    request('POST', '/api/holds', { body: { quote_id: quoteId }, idempotencyKey: key(), ...options });
  const order = (holdId: string, quoteId: string, more: object = {}) =>
    request('POST', '/api/orders', {
      body: {
        hold_id: holdId,
        quote_id: quoteId,
        contact,
        plate: '5KJH 220',
        terms_version: termsVersion,
        ...more,
      },
      idempotencyKey: key(),
    });
  const pay = (orderId: string) =>
    request('POST', `/api/orders/${orderId}/payments`, { body: { method: 'card' }, idempotencyKey: key() });

  return {
    quoteRequest,
    quote,
    hold,
    order,
    pay,
    /** Cancels an unpaid order as the browser that made it. */
    cancelOrder: (made: { id: string; buyer_secret?: string | undefined }) =>
      request('POST', `/api/orders/${made.id}/cancel`, { body: { buyer_secret: made.buyer_secret } }),
    /** Takes a hold. */
    async takeHold(
      options: PurchaseOptions = {},
    ): Promise<{ quote: TestReply['body']; hold: TestReply['body'] }> {
      const quoted = must(await quote(options));
      return { quote: quoted, hold: must(await hold(quoted.id)) };
    },
    /** Creates an unpaid order. */
    async takeOrder(options: PurchaseOptions = {}): Promise<TestReply['body']> {
      const quoted = must(await quote(options));
      const held = must(await hold(quoted.id));
      return must(await order(held.id, quoted.id));
    },
    /** Creates an order with an open payment, and returns the provider's id of the payment. */
    async takePayment(options: PurchaseOptions = {}) {
      const quoted = must(await quote(options));
      const held = must(await hold(quoted.id));
      const ordered = must(await order(held.id, quoted.id));
      const payment = must(await pay(ordered.id));
      const intent = String(payment.client_secret).split('_secret', 1)[0] ?? '';
      return { order: ordered, hold: held, payment, intent };
    },
    /** Confirms at the provider like the browser's card form; a decline is returned too. */
    async confirmWith(intent: string, card = 'pm_card_visa'): Promise<Stripe.PaymentIntent | Error> {
      try {
        return await server.stripe.paymentIntents.confirm(intent, {
          payment_method: card,
          return_url: 'http://tickets.ferry.localhost/orders/new',
        });
      } catch (error) {
        if (error instanceof Error) return error;
        throw error;
      }
    },
    readOrder: async (id: string) => must(await request('GET', `/api/orders/${id}`)),
    readPayment: async (orderId: string, paymentId: string) =>
      must(await request('GET', `/api/orders/${orderId}/payments/${paymentId}`)),
    /** Held and sold amounts of each resource on a sailing's fullest stretch. */
    async taken(sailingId: string): Promise<Record<string, [held: number, sold: number]>> {
      const rows = await queryRows<{ resource: string; held: number; sold: number }>(
        context.db,
        sql`select distinct on (c.resource) c.resource, c.held, c.sold
          from sailings s
          join voyage_capacity c on c.voyage_id = s.voyage_id and c.stretch >= s.first_stop and c.stretch < s.last_stop
          where s.id = ${sailingId} order by c.resource, c.held + c.sold desc`,
      );
      return Object.fromEntries(rows.map(({ resource, held, sold }) => [resource, [held, sold]]));
    },
    /** The number of rows of a table; `mails:kind` counts mails of one kind. */
    async count(table: string): Promise<number> {
      const [name = '', kind] = table.split(':');
      const [row] = await queryRows<{ count: number }>(
        context.db,
        sql`select count(*)::int as count from ${sql.identifier(name)} ${kind ? sql`where kind = ${kind}` : sql``}`,
      );
      return row?.count ?? 0;
    },
  };
}

/** The data of a response that must be a success. */
export function must(reply: TestReply): TestReply['body'] {
  if (!reply.body.success) throw new Error(`${reply.status}: ${JSON.stringify(reply.body.errors)}`);
  return reply.body.data;
}

/** The first error code of a response. */
export function codeOf(reply: TestReply): string {
  return reply.body.errors[0]?.code ?? 'success';
}
