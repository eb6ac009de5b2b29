import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { api } from '#contract/api.ts';
import type { Product, Reply } from './product.ts';

/** The product with sailings on sale, for checkouts that need no card: a promo code pays for them. */
export type TicketOffice = {
  product: Product;
  pool: pg.Pool;
  /** Ids of scheduled sailings, by departure. */
  sailings: string[];
  termsVersion: string;
  /** A price is part of shopping, not of the checkout, and is valid for a quarter of an hour. */
  quotes: Map<string, Promise<string>>;
};

/** Gives the next sailings unlimited places and creates a promo code for each client. */
export async function openTicketOffice(
  product: Product,
  pool: pg.Pool,
  { sailings, clients }: { sailings: number; clients: number },
): Promise<TicketOffice> {
  const ids = await findSailings(pool, sailings);
  await pool.query(
    `update voyage_capacity set total = 1000000, sellable_online = 1000000
     where voyage_id in (select voyage_id from sailings where id = any($1))`,
    [ids],
  );
  for (let client = 0; client < clients; client += 1) {
    await pool.query(
      `insert into promo_codes (id, code, kind, value, active) values ($1, $2, 'percent_bp', 10000, true)`,
      [`bench_${randomUUID()}`, codeOf(client)],
    );
  }
  const settings = dataOf(await product.call('GET', '/api/settings/web')) as { terms: { version: string } };
  return { product, pool, sailings: ids, termsVersion: settings.terms.version, quotes: new Map() };
}

/** Two calls: hold, then an order that costs nothing and is confirmed at once. Returns the first refusal, if any. */
export async function book(office: TicketOffice, client: number, sailing: string): Promise<Reply> {
  const { product, quotes, termsVersion } = office;
  const key = `${client} ${sailing}`;
  const quote = quotes.get(key) ?? takeQuote(office, client, sailing);
  quotes.set(key, quote);
  const headers = () => ({ 'idempotency-key': randomUUID(), ...fromNewNetwork() });
  const hold = await product.call('POST', api.takeHold.path, {
    body: { quote_id: await quote },
    headers: headers(),
  });
  if (hold.status !== 201) return hold;
  return product.call('POST', api.createOrder.path, {
    body: {
      hold_id: (hold.data as { id: string }).id,
      quote_id: await quote,
      contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+12065550123' },
      terms_version: termsVersion,
    },
    headers: headers(),
  });
}

export async function mustBook(office: TicketOffice, client: number, sailing: string): Promise<void> {
  const order = dataOf(await book(office, client, sailing)) as { status: string };
  if (order.status !== 'confirmed') throw new Error(`The order is ${order.status}.`);
}

/** Mails in progress when the others are discarded end within this time. */
const SETTLE_MS = 500;

/** Discards the mails still queued except the newest few, so that they do not slow down what is measured next. */
export async function discardMails({ pool }: TicketOffice, keep = 0): Promise<void> {
  await pool.query(
    `update mails set status = 'sent' where status = 'queued' and id not in
       (select id from mails where status = 'queued' order by inserted_at desc limit $1)`,
    [keep],
  );
  if (keep === 0) await delay(SETTLE_MS);
}

/** Waits until the queued mails of all orders are sent. */
export async function untilMailed({ pool }: TicketOffice): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rows } = await pool.query(`select 1 from mails where status = 'queued' limit 1`);
    if (rows.length === 0) return;
    await delay(100);
  }
  throw new Error('The mails of the orders were not sent.');
}

/** @throws if the call was refused */
export function dataOf({ status, data }: Reply): unknown {
  if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(data)}`);
  return data;
}

async function findSailings(pool: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select s.id from sailings s join voyage_capacity c on c.voyage_id = s.voyage_id and c.stretch = s.first_stop and c.resource = 'passenger'
     where s.status = 'scheduled' and not s.withdrawn and s.sales_close_at > now() + interval '2 days'
     order by s.departs_at, s.id limit $1`,
    [count],
  );
  if (rows.length < count) throw new Error('The demo timetable has too few sailings.');
  return rows.map(({ id }) => id);
}

async function takeQuote({ product }: TicketOffice, client: number, sailing: string): Promise<string> {
  const body = {
    legs: [{ sailing_id: sailing }],
    passengers: [{ type: 'adult', count: 1 }],
    fare_class: 'saver',
    promo_code: codeOf(client),
  };
  const quote = await product.call('POST', api.createQuote.path, { body, headers: fromNewNetwork() });
  return (dataOf(quote) as { id: string }).id;
}

/** Each call comes from another network, because limits are per network; the server trusts the header as a proxy's. */
function fromNewNetwork(): Record<string, string> {
  const [a, b] = randomUUID().split('-', 2);
  return { 'x-forwarded-for': `2001:db8:${a?.slice(0, 4)}:${b}::1` };
}

function codeOf(client: number): string {
  return `BENCH${client}`;
}
