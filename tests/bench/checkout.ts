import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { apiPaths } from '#contract/paths.ts';
import { startCluster } from '#tests/setup/engine.ts';
import { bookByConversation, type Sample } from './conversation.ts';
import { atLeast, atMost, type Goal } from './goal.ts';
import { type Product, type Reply, startProduct } from './product.ts';
import { figureOf, quantile, showFigure } from './stats.ts';

const CLIENTS = 8;
const SAILINGS = 50;
const SLICE_MS = 3000;
/** Places of the boat that is sold out at the end, to see that no more are sold than it has. */
const SMALL_BOAT = 60;

type Office = { product: Product; pool: pg.Pool; sailings: string[]; terms: string; sample: Sample };
type Run = { perSecond: number; p99Ms: number };

/**
 * Checkouts that need no card (a code pays for them), through the API on PostgreSQL: take places, write order,
 * lines and tickets, confirm. Beside it the same rows written by a plain conversation of one transaction.
 */
export async function measureCheckout(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const cluster = await startCluster({ isDurable: true });
  const product = await startProduct({ DATABASE_URL: cluster.url, TRUST_PROXY: '1' });
  const pool = new pg.Pool({ connectionString: cluster.url, max: CLIENTS });
  try {
    const office = await openOffice(product, pool);
    const one = office.sailings.slice(0, 1);
    const figures: Record<'spread' | 'one', { ours: Run[]; plain: Run[] }> = {
      spread: { ours: [], plain: [] },
      one: { ours: [], plain: [] },
    };
    for (let run = 0; run < runs; run += 1) {
      for (const [name, sailings] of [['spread', office.sailings] as const, ['one', one] as const]) {
        const plain = await runClients((_, turn) =>
          bookByConversation(pool, office.sample, pick(sailings, turn)),
        );
        const ours = await runClients((client, turn) => mustBook(office, client, pick(sailings, turn)));
        figures[name].plain.push(plain);
        figures[name].ours.push(ours);
        report(
          `run ${run + 1}  ${name === 'one' ? 'one sailing' : `${SAILINGS} sailings`}: API ${ours.perSecond.toFixed(0)}/s (p99 ${ours.p99Ms.toFixed(0)} ms), pg ${plain.perSecond.toFixed(0)}/s (p99 ${plain.p99Ms.toFixed(0)} ms)`,
        );
      }
    }
    const spread = compare(figures.spread);
    const hot = compare(figures.one);
    return [
      atLeast(
        `14 checkout, ${CLIENTS} clients, ${SAILINGS} sailings / pg`,
        spread.ratio,
        { must: 0.5, aim: 1 },
        { note: `${spread.note} a second` },
      ),
      atLeast(
        '15 checkout, all on one sailing / pg',
        hot.ratio,
        { must: 0.8, aim: 2 },
        { note: `${hot.note} a second` },
      ),
      atMost('15 checkout on one sailing, p99', hot.p99Ms, { must: 50, aim: 50 }, { unit: 'ms', digits: 0 }),
      await sellOut(office),
    ];
  } finally {
    await pool.end();
    await product.stop();
    await cluster.stop();
  }
}

/** Finds sailings to sell, gives them all the room in the world, and makes a code for each client. */
async function openOffice(product: Product, pool: pg.Pool): Promise<Office> {
  const { rows } = await pool.query<{ id: string }>(
    `select s.id from sailings s join sailing_capacity c on c.sailing_id = s.id and c.resource = 'passenger'
     where s.status = 'scheduled' and not s.withdrawn and s.sales_close_at > now() + interval '2 days'
     order by s.departs_at, s.id limit $1`,
    [SAILINGS + 1],
  );
  const sailings = rows.map(({ id }) => id);
  if (sailings.length <= SAILINGS) throw new Error('The demo timetable has too few sailings.');
  await pool.query(
    `update sailing_capacity set total = 1000000, sellable_online = 1000000 where sailing_id = any($1)`,
    [sailings],
  );
  for (let client = 0; client < CLIENTS; client += 1) {
    await pool.query(
      `insert into promo_codes (id, code, kind, value, active) values ($1, $2, 'percent_bp', 10000, true)`,
      [`bench_${randomUUID()}`, codeOf(client)],
    );
  }
  const settings = must(await product.call('GET', '/api/settings/web')) as { terms: { version: string } };
  const office = { product, pool, sailings, terms: settings.terms.version };
  const sample = await readSample({ ...office, sample: {} as Sample });
  return { ...office, sample };
}

/** An order of the product's own, for the conversation to write the like of it. */
async function readSample(office: Office): Promise<Sample> {
  const [sailing = ''] = office.sailings;
  const orderId = await mustBook(office, 0, sailing);
  const read = async (text: string) =>
    (await office.pool.query<Record<string, unknown>>(text, [orderId])).rows;
  const [order] = await read('select * from orders where id = $1');
  const [hold] = await read('select h.* from holds h join orders o on o.hold_id = h.id where o.id = $1');
  const lines = await read('select * from order_lines where order_id = $1 order by position');
  const tickets = await read('select * from tickets where order_id = $1');
  if (!order || !hold || lines.length === 0 || tickets.length === 0)
    throw new Error('The order is not whole.');
  return { order, hold, lines, tickets };
}

/** A client buys again and again until the time is over; each turn is another sailing of the list. */
async function runClients(book: (client: number, turn: number) => Promise<unknown>): Promise<Run> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + SLICE_MS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = client; performance.now() < end; turn += CLIENTS) {
        const asked = performance.now();
        await book(client, turn);
        times.push(performance.now() - asked);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  return {
    perSecond: times.length / seconds,
    p99Ms: quantile(
      times.toSorted((a, b) => a - b),
      0.99,
    ),
  };
}

const quotes = new Map<string, Promise<string>>();

/** Two calls: places, then the order, which costs nothing and is confirmed at once. Answers its id, or the refusal. */
async function book(office: Office, client: number, sailing: string): Promise<Reply> {
  const { product, terms } = office;
  const key = `${client} ${sailing}`;
  const quote = quotes.get(key) ?? takeQuote(office, client, sailing);
  quotes.set(key, quote);
  // Each call comes from another network: the limit on holds is for one.
  const headers = () => ({
    'idempotency-key': randomUUID(),
    'x-forwarded-for': `2001:db8:${[0, 0].map(() => Math.floor(Math.random() * 65_536).toString(16)).join(':')}::1`,
  });
  const hold = await product.call('POST', apiPaths.holds, {
    body: { quote_id: await quote },
    headers: headers(),
  });
  if (hold.status !== 201) return hold;
  return product.call('POST', apiPaths.orders, {
    body: {
      hold_id: (hold.data as { id: string }).id,
      quote_id: await quote,
      contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+12065550123' },
      terms_version: terms,
    },
    headers: headers(),
  });
}

async function mustBook(office: Office, client: number, sailing: string): Promise<string> {
  const order = must(await book(office, client, sailing)) as { id: string; status: string };
  if (order.status !== 'confirmed') throw new Error(`The order is ${order.status}.`);
  return order.id;
}

/** The price is part of shopping, not of the checkout; it is good for a quarter of an hour. */
async function takeQuote({ product }: Office, client: number, sailing: string): Promise<string> {
  const body = {
    legs: [{ sailing_id: sailing }],
    passengers: [{ type: 'adult', count: 1 }],
    fare_class: 'saver',
    promo_code: codeOf(client),
  };
  return (must(await product.call('POST', apiPaths.quotes, { body })) as { id: string }).id;
}

/** All clients at once buy a small boat empty, and go on trying. */
async function sellOut(office: Office): Promise<Goal> {
  const boat = office.sailings.at(-1) ?? '';
  await office.pool.query(
    `update sailing_capacity set total = $2, sellable_online = $2 where sailing_id = $1 and resource = 'passenger'`,
    [boat, SMALL_BOAT],
  );
  let confirmed = 0;
  let refused = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let tries = 0; tries < SMALL_BOAT / 4; tries += 1) {
        const { status } = await book(office, client, boat);
        if (status === 201) confirmed += 1;
        else if (status === 422) refused += 1;
        else throw new Error(`Selling out was answered with ${status}.`);
      }
    }),
  );
  const { rows } = await office.pool.query<{ sold: number; held: number; tickets: number }>(
    `select c.sold, c.held,
       (select count(*)::int from tickets t where t.sailing_id = c.sailing_id and t.status = 'issued') as tickets
     from sailing_capacity c where c.sailing_id = $1 and c.resource = 'passenger'`,
    [boat],
  );
  const [{ sold, held, tickets } = { sold: -1, held: -1, tickets: -1 }] = rows;
  const isRight = confirmed === SMALL_BOAT && sold === SMALL_BOAT && tickets === SMALL_BOAT && held === 0;
  return {
    name: '15 nothing oversold',
    must: `${SMALL_BOAT} of ${SMALL_BOAT}`,
    aim: 'the same',
    measured: `${confirmed} confirmed, ${refused} refused, ${sold} sold, ${held} held, ${tickets} tickets`,
    holds: isRight,
  };
}

function compare({ ours, plain }: { ours: readonly Run[]; plain: readonly Run[] }) {
  const rate = (runs: readonly Run[]) => figureOf(runs.map(({ perSecond }) => perSecond));
  return {
    ratio: rate(ours).median / rate(plain).median,
    note: `${showFigure(rate(ours))} / ${showFigure(rate(plain))}`,
    p99Ms: figureOf(ours.map(({ p99Ms }) => p99Ms)).median,
  };
}

function must({ status, data }: Reply): unknown {
  if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(data)}`);
  return data;
}

function codeOf(client: number): string {
  return `BENCH${client}`;
}

function pick(sailings: readonly string[], turn: number): string {
  return sailings[turn % Math.min(sailings.length, SAILINGS)] ?? '';
}
