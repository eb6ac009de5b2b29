import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { request } from '#tests/process/http-client.ts';
import { buyTicket, publishableKeyOf, type Send } from '#tests/process/shopper.ts';
import { type Cluster, startCluster } from '#tests/setup/engine.ts';
import { atLeast, atMost, exactly, type Goal } from './goal.ts';
import { measureMailParts } from './mail-parts.ts';
import { type ProcessorTime, readProcessorTime } from './processor-time.ts';
import { type Product, startProduct } from './product.ts';
import { quantile } from './stats.ts';
import { mustBook, openTicketOffice, type TicketOffice, untilMailed } from './ticket-office.ts';

const COUNTS = [1, 2, 4];
const PER_SECOND = 20;
/** Five runs are two minutes. */
const SECONDS_PER_RUN = 24;
const IDLE_MS = 15_000;
const SAILINGS = 50;
const CLIENTS = 8;

/** Processor time in milliseconds. */
type Cost = ProcessorTime & { total: number };
type Office = { offices: TicketOffice[]; pool: pg.Pool; cluster: Cluster };

/**
 * The processor time of a sold ticket with everything it causes, until its mail is handed over: a steady load of orders
 * through one, two and four processes on one PostgreSQL, with their mails. The parts are measured with one process, by
 * selling while mails are put off and sending them afterwards, and by calling the functions of a mail here.
 */
export async function measureTicket(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const sink = new Worker(new URL('./mail-sink.ts', import.meta.url));
  const [smtpUrl] = (await once(sink, 'message')) as [string];
  const cluster = await startCluster({ isDurable: true });
  const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
  const products: Product[] = [];
  const start = () => startProduct({ DATABASE_URL: cluster.url, SMTP_URL: smtpUrl, TRUST_PROXY: '1' });
  const seconds = SECONDS_PER_RUN * runs;
  const costs: number[] = [];
  const goals: Goal[] = [];
  try {
    products.push(await start());
    const office = await openTicketOffice(products[0] as Product, pool, {
      sailings: SAILINGS,
      clients: CLIENTS,
    });
    for (const count of COUNTS) {
      while (products.length < count) products.push(await start());
      const all = { offices: products.map((product) => ({ ...office, product })), pool, cluster };
      await sellSteadily(all, 2, book);
      await untilMailed(office);
      if (count === 1) goals.push(...(await measureParts(all, { seconds, smtpUrl, report })));
      const since = await readClock(pool);
      const { sold, cost } = await measure(all, seconds, book);
      const waits = await readWaits(pool, since);
      report(`${count} processes, ${sold} orders: ${show(cost)}; mail after ${describeWaits(waits)}`);
      costs.push(cost.total);
      goals.push(
        exactly(`20 mails of ${sold} orders, ${count} processes`, [waits.length], sold),
        atMost(
          `20 mail leaves at ${PER_SECOND} orders a second, p99, ${count} processes`,
          quantile(waits, 0.99),
          { must: 2, aim: 1.5 },
          { unit: 's' },
        ),
      );
    }
    const [one = Number.NaN, , four = Number.NaN] = costs;
    return [
      atMost(
        '20 processor time of a sold ticket, one process',
        one,
        { must: 25, aim: 12 },
        { unit: 'ms', digits: 1 },
      ),
      atMost('20 processor time of a sold ticket, four processes / one', four / one, { must: 1.3, aim: 1.1 }),
      ...goals,
    ];
  } finally {
    await Promise.all([...products.map((product) => product.stop()), pool.end(), sink.terminate()]);
    await cluster.stop();
  }
}

/** Prints what a sold ticket is made of; the goal is the rate of mails alone. */
async function measureParts(
  office: Office,
  { seconds, smtpUrl, report }: { seconds: number; smtpUrl: string; report: (line: string) => void },
): Promise<Goal[]> {
  const { pool, cluster } = office;
  const idle = await measureIdle(office);
  report(`queue without work: ${show(idle)} a second, ${show(perOrder(idle, PER_SECOND))} of an order`);
  const putOff = async (isOn: boolean) => pool.query(isOn ? PUT_OFF : SEND_NOW);
  await putOff(true);
  const sale = await measure(office, seconds / 2, book, idle);
  report(`sale: ${show(sale.cost)}`);
  const card = await measure(office, seconds / 2, await openCardSale(office), idle);
  report(`quote, sale, payment by card, webhook, and the card provider's stand-in: ${show(card.cost)}`);
  await putOff(false);
  const before = readAll(office);
  const since = await readClock(pool);
  await mustBook(office.offices[0] as TicketOffice, 0, office.offices[0]?.sailings[0] ?? '');
  await untilMailed(office.offices[0] as TicketOffice);
  const sentAt = await readSentTimes(pool, since);
  const mails = subtract(readAll(office), before, sentAt.length);
  report(`a mail, with its part of the queue: ${show(mails)}`);
  for (const line of await measureMailParts({ databaseUrl: cluster.url, smtpUrl })) report(line);
  const rate = sentAt.length / ((sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0));
  return [
    atLeast('20 confirmation mails sent', rate, { must: 40, aim: 80 }, { unit: 'a second', digits: 0 }),
  ];
}

const PUT_OFF = `
  create function bench_put_off() returns trigger language plpgsql
    as $$ begin new.try_at := new.try_at + interval '1 day'; return new; end $$;
  create trigger bench_put_off before insert on mails for each row execute function bench_put_off()`;
const SEND_NOW = `
  drop trigger bench_put_off on mails;
  update mails set try_at = now() where status = 'queued'`;

type Sell = (office: TicketOffice, turn: number) => Promise<unknown>;

function book(office: TicketOffice, turn: number): Promise<void> {
  return mustBook(office, turn % CLIENTS, office.sailings[turn % SAILINGS] ?? '');
}

async function openCardSale({ offices }: Office): Promise<Sell> {
  const sendTo =
    ({ product }: TicketOffice): Send =>
    (path, options) =>
      request(product.port, path, options);
  const publishableKey = await publishableKeyOf(sendTo(offices[0] as TicketOffice));
  return (office, turn) =>
    buyTicket(sendTo(office), {
      ...{ sailing: office.sailings[turn % SAILINGS] ?? '', email: 'ada@example.com', publishableKey },
    });
}

async function measure(
  office: Office,
  seconds: number,
  sell: Sell,
  idle?: Cost,
): Promise<{ sold: number; cost: Cost }> {
  const before = readAll(office);
  const started = performance.now();
  const sold = await sellSteadily(office, seconds, sell);
  if (!idle) await untilMailed(office.offices[0] as TicketOffice);
  const elapsed = (performance.now() - started) / 1000;
  const used = subtract(readAll(office), before, 1);
  const cost = idle ? subtract(used, perOrder(idle, 1 / elapsed), sold) : perOrder(used, sold);
  return { sold, cost };
}

/** Orders at a fixed rate, however long each takes, one process after the other. */
async function sellSteadily({ offices }: Office, seconds: number, sell: Sell): Promise<number> {
  const sales: Promise<unknown>[] = [];
  const started = performance.now();
  for (let turn = 0; turn < seconds * PER_SECOND; turn += 1) {
    await delay(Math.max(0, started + (turn * 1000) / PER_SECOND - performance.now()));
    sales.push(sell(offices[turn % offices.length] as TicketOffice, turn));
  }
  await Promise.all(sales);
  return sales.length;
}

async function measureIdle(office: Office): Promise<Cost> {
  const before = readAll(office);
  await delay(IDLE_MS);
  return subtract(readAll(office), before, IDLE_MS / 1000);
}

/** Of all processes and their database. */
function readAll({ offices, cluster }: Office): Cost {
  const times = offices.map(({ product }) => readProcessorTime({ pid: product.pid, data: cluster.data }));
  const sum = (part: keyof ProcessorTime) => times.reduce((total, time) => total + (time?.[part] ?? 0), 0);
  const mainThread = sum('mainThread');
  const otherThreads = sum('otherThreads');
  const database = times[0]?.database ?? 0;
  return { mainThread, otherThreads, database, total: mainThread + otherThreads + database };
}

function subtract(after: Cost, before: Cost, count: number): Cost {
  return perOrder(
    {
      mainThread: after.mainThread - before.mainThread,
      otherThreads: after.otherThreads - before.otherThreads,
      database: after.database - before.database,
      total: after.total - before.total,
    },
    count,
  );
}

function perOrder({ mainThread, otherThreads, database, total }: Cost, count: number): Cost {
  return {
    mainThread: mainThread / count,
    otherThreads: otherThreads / count,
    database: database / count,
    total: total / count,
  };
}

function show({ mainThread, otherThreads, database, total }: Cost): string {
  return `${total.toFixed(1)} ms (main thread ${mainThread.toFixed(1)}, other threads ${otherThreads.toFixed(1)}, database ${database.toFixed(1)})`;
}

async function readClock(pool: pg.Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now ?? new Date();
}

/** How long each mail waited, in seconds, ascending. */
async function readWaits(pool: pg.Pool, since: Date): Promise<number[]> {
  const { rows } = await pool.query<{ wait: number }>(
    `select extract(epoch from sent_at - inserted_at)::float8 as wait from mails
     where status = 'sent' and inserted_at >= $1 order by 1`,
    [since],
  );
  return rows.map(({ wait }) => wait);
}

/** When the mails were sent that have been sent since, in seconds, ascending. */
async function readSentTimes(pool: pg.Pool, since: Date): Promise<number[]> {
  const { rows } = await pool.query<{ at: number }>(
    `select extract(epoch from sent_at)::float8 as at from mails where sent_at >= $1 order by 1`,
    [since],
  );
  return rows.map(({ at }) => at);
}

function describeWaits(waits: readonly number[]): string {
  const at = (share: number) => quantile(waits, share).toFixed(2);
  return `${at(0.5)} s (p99 ${at(0.99)}, longest ${at(1)})`;
}
