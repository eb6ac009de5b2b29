import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { api } from '#contract/api.ts';
import { startCluster } from '#tests/setup/engine.ts';
import { atLeast, atMost, type Goal } from './goal.ts';
import { type Product, type Reply, startProduct } from './product.ts';
import { type Recording, readRecording, replay } from './replay.ts';
import { figureOf, quantile, showFigure } from './stats.ts';

const CLIENTS = 8;
const SAILINGS = 50;
const SLICE_MS = 3000;
/** Places of the boat that is sold out at the end, to see that no more are sold than it has. */
const SMALL_BOAT = 60;

type Office = { product: Product; pool: pg.Pool; sailings: string[]; terms: string };
type Run = { perSecond: number; p99Ms: number };

/**
 * Checkouts that need no card (a code pays for them), through the API on PostgreSQL: take places, write order,
 * lines and tickets, confirm. Beside it the very statements that the server sends for one, replayed by the plain
 * driver on a copy of the database: what is left of the speed once HTTP, rules, prices and signatures are added.
 */
export async function measureCheckout(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const cluster = await startCluster({ isDurable: true });
  try {
    const recording = await recordCheckout(cluster.url);
    const copy = await copyDatabase(cluster.url);
    const plainPool = new pg.Pool({ connectionString: copy, max: CLIENTS });
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
    const product = await startProduct({ DATABASE_URL: cluster.url, TRUST_PROXY: '1' });
    try {
      const office = await openOffice(product, pool);
      report(`one checkout is ${recording.texts.length} statements`);
      return await measure({ office, recording, plainPool }, { runs, report });
    } finally {
      await Promise.all([product.stop(), plainPool.end(), pool.end()]);
    }
  } finally {
    await cluster.stop();
  }
}

async function measure(
  { office, recording, plainPool }: { office: Office; recording: Recording; plainPool: pg.Pool },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const scenes = [
    { name: `${SAILINGS} sailings`, sailings: office.sailings.slice(0, SAILINGS) },
    { name: 'one sailing', sailings: office.sailings.slice(0, 1) },
  ].map((scene) => ({ ...scene, ours: [] as Run[], plain: [] as Run[] }));
  for (let run = 0; run < runs; run += 1) {
    for (const { name, sailings, ours, plain } of scenes) {
      const pick = (turn: number) => sailings[turn % sailings.length] ?? '';
      // The mails of the last orders are still being made; they would slow the other side down.
      process.kill(office.product.pid, 'SIGSTOP');
      plain.push(
        await runClients((client, turn) =>
          replay(plainPool, recording, { sailing: pick(turn), promo: codeOf(client) }),
        ).finally(() => process.kill(office.product.pid, 'SIGCONT')),
      );
      ours.push(await runClients((client, turn) => mustBook(office, client, pick(turn))));
      report(`run ${run + 1}  ${name}: API ${showRun(ours.at(-1))}, pg ${showRun(plain.at(-1))}`);
    }
  }
  const [spread, one] = scenes.map(compare);
  if (!spread || !one) throw new Error('Nothing was measured.');
  return [
    atLeast(
      `14 checkout, ${CLIENTS} clients, ${SAILINGS} sailings / its statements through pg`,
      spread.ratio,
      { must: 0.5, aim: 1 },
      { note: `${spread.note} a second` },
    ),
    atLeast(
      '15 checkout, all on one sailing / its statements through pg',
      one.ratio,
      { must: 0.8, aim: 2 },
      { note: `${one.note} a second` },
    ),
    atMost('15 checkout on one sailing, p99', one.p99Ms, { must: 50, aim: 50 }, { unit: 'ms', digits: 0 }),
    await sellOut(office),
  ];
}

/** Starts the server once with a recorder in it, and prepares the database for all that follows. */
async function recordCheckout(url: string): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-record-'));
  const file = join(folder, 'statements');
  const product = await startProduct({
    DATABASE_URL: url,
    TRUST_PROXY: '1',
    RECORD_STATEMENTS: file,
    NODE_OPTIONS: `--import ${new URL('./record-statements.ts', import.meta.url).href}`,
  });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    await makeRoom(pool);
    const office = await openOffice(product, pool);
    const [sailing = ''] = office.sailings;
    // The first one also fills the caches that a running server has filled.
    await mustBook(office, 0, sailing);
    await untilMailed(pool);
    const from = statSync(file).size;
    await mustBook(office, 0, sailing);
    return readRecording(file, from, { sailing, promo: codeOf(0) });
  } finally {
    quotes.clear();
    await pool.end();
    await product.stop();
    rmSync(folder, { recursive: true });
  }
}

/** What is done in the background for the order before must not get into the recording. */
async function untilMailed(pool: pg.Pool): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { rows } = await pool.query(`select 1 from mails where status = 'queued'`);
    if (rows.length === 0) return;
    await delay(100);
  }
  throw new Error('The first order was never mailed.');
}

/** Gives the sailings that are sold all the room in the world, and makes a code for each client. */
async function makeRoom(pool: pg.Pool): Promise<void> {
  await pool.query(
    'update sailing_capacity set total = 1000000, sellable_online = 1000000 where sailing_id = any($1)',
    [await findSailings(pool)],
  );
  for (let client = 0; client < CLIENTS; client += 1) {
    await pool.query(
      `insert into promo_codes (id, code, kind, value, active) values ($1, $2, 'percent_bp', 10000, true)`,
      [`bench_${randomUUID()}`, codeOf(client)],
    );
  }
}

async function copyDatabase(url: string): Promise<string> {
  const copy = new URL(url);
  const name = copy.pathname.slice(1);
  copy.pathname = '/bench_copy';
  // A database that somebody is connected to cannot be copied.
  const elsewhere = new URL(url);
  elsewhere.pathname = '/template1';
  const client = new pg.Client({ connectionString: elsewhere.href });
  await client.connect();
  await client.query(`create database bench_copy template ${name}`);
  await client.end();
  return copy.href;
}

async function openOffice(product: Product, pool: pg.Pool): Promise<Office> {
  const settings = must(await product.call('GET', '/api/settings/web')) as { terms: { version: string } };
  return { product, pool, sailings: await findSailings(pool), terms: settings.terms.version };
}

async function findSailings(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select s.id from sailings s join sailing_capacity c on c.sailing_id = s.id and c.resource = 'passenger'
     where s.status = 'scheduled' and not s.withdrawn and s.sales_close_at > now() + interval '2 days'
     order by s.departs_at, s.id limit $1`,
    [SAILINGS + 1],
  );
  if (rows.length <= SAILINGS) throw new Error('The demo timetable has too few sailings.');
  return rows.map(({ id }) => id);
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
  const headers = () => ({ 'idempotency-key': randomUUID(), ...fromElsewhere() });
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
  const quote = await product.call('POST', api.createQuote.path, { body, headers: fromElsewhere() });
  return (must(quote) as { id: string }).id;
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

function showRun(run: Run | undefined): string {
  return run ? `${run.perSecond.toFixed(0)}/s (p99 ${run.p99Ms.toFixed(0)} ms)` : '';
}

/** Each call comes from another network, because limits are for one; the server trusts the header as a proxy's. */
function fromElsewhere(): Record<string, string> {
  const [a, b] = randomUUID().split('-', 2);
  return { 'x-forwarded-for': `2001:db8:${a?.slice(0, 4)}:${b}::1` };
}

function must({ status, data }: Reply): unknown {
  if (status >= 300) throw new Error(`Answered ${status}: ${JSON.stringify(data)}`);
  return data;
}

function codeOf(client: number): string {
  return `BENCH${client}`;
}
