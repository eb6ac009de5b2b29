import pg from 'pg';
import { startCluster } from '#tests/setup/engine.ts';
import { atMost, type Goal } from './goal.ts';
import { readProcessorTime, showProcessorTime } from './processor-time.ts';
import { startProduct } from './product.ts';
import { figureOf, quantile, showFigure } from './stats.ts';
import {
  book,
  discardMails,
  mustBook,
  openTicketOffice,
  type TicketOffice,
  untilMailed,
} from './ticket-office.ts';

export const CLIENTS = 8;
export const SAILINGS = 50;
const SLICE_MS = 3000;
/** How many mails the processor time of a mail is measured with. */
const MAILS = 30;
/** Places of the sailing that is sold out at the end, to count that no more are sold than it has. */
const SMALL_CAPACITY = 60;

export type Run = { count: number; perSecond: number; p99Ms: number };

/**
 * Checkouts through the API on PostgreSQL: hold places, write order, lines and tickets, confirm. What mails and documents
 * cost during a slice counts; what they cost after it is reported apart.
 */
export async function measureCheckout(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const cluster = await startCluster({ isDurable: true });
  try {
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
    const product = await startProduct({ DATABASE_URL: cluster.url, TRUST_PROXY: '1' });
    try {
      const office = await openTicketOffice(product, pool, { sailings: SAILINGS + 1, clients: CLIENTS });
      const readTime = () => readProcessorTime({ pid: product.pid, data: cluster.data });
      const latency = await measureSlices(office, { runs, report });
      await reportProcessorTime(office, { readTime, report });
      return [latency, await sellOut(office)];
    } finally {
      await Promise.all([product.stop(), pool.end()]);
    }
  } finally {
    await cluster.stop();
  }
}

async function measureSlices(
  office: TicketOffice,
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal> {
  // The first sales fill caches and prepare statements.
  await runClients((client) => mustBook(office, client, office.sailings[client] ?? ''));
  const sell = async (sailings: number) => {
    await discardMails(office);
    return runClients((client, turn) => mustBook(office, client, office.sailings[turn % sailings] ?? ''));
  };
  const hot: Run[] = [];
  for (let run = 0; run < runs; run += 1) {
    report(`run ${run + 1}  ${SAILINGS} sailings: ${showRun(await sell(SAILINGS))}`);
    const one = await sell(1);
    hot.push(one);
    report(`run ${run + 1}  one sailing: ${showRun(one)}`);
  }
  return atMost(
    `15 checkout on one sailing, ${CLIENTS} clients, p99`,
    figureOf(hot.map(({ p99Ms }) => p99Ms)).median,
    { must: 80, aim: 40 },
    {
      unit: 'ms',
      digits: 0,
      note: `${showFigure(figureOf(hot.map(({ perSecond }) => perSecond)))} orders a second`,
    },
  );
}

/** Processor time of one sold ticket: the sale, and afterwards its mail with the documents. */
async function reportProcessorTime(
  office: TicketOffice,
  {
    readTime,
    report,
  }: { readTime: () => ReturnType<typeof readProcessorTime>; report: (line: string) => void },
): Promise<void> {
  await discardMails(office);
  const start = readTime();
  const { count } = await runClients((client, turn) =>
    mustBook(office, client, office.sailings[turn % SAILINGS] ?? ''),
  );
  const sold = readTime();
  report(`processor time of a sold ticket: ${showProcessorTime(start, sold, count)}`);
  await discardMails(office, MAILS);
  const beforeMails = readTime();
  const started = performance.now();
  await untilMailed(office);
  const seconds = (performance.now() - started) / 1000;
  report(`of its mail (other threads: PDF and codes): ${showProcessorTime(beforeMails, readTime(), MAILS)}`);
  report(`mails without purchases: ${(MAILS / seconds).toFixed(1)} a second`);
}

/** Each client buys again and again until the time is over; each turn takes the next sailing of the list. */
export async function runClients(buy: (client: number, turn: number) => Promise<unknown>): Promise<Run> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + SLICE_MS;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = client; performance.now() < end; turn += CLIENTS) {
        const asked = performance.now();
        await buy(client, turn);
        times.push(performance.now() - asked);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  return {
    count: times.length,
    perSecond: times.length / seconds,
    p99Ms: quantile(
      times.toSorted((a, b) => a - b),
      0.99,
    ),
  };
}

/** All clients at once buy a small boat empty and try once more. */
async function sellOut(office: TicketOffice): Promise<Goal> {
  const sailing = office.sailings.at(-1) ?? '';
  await office.pool.query(
    `update voyage_capacity set sellable_online = $2 where voyage_id = (select voyage_id from sailings where id = $1) and resource = 'passenger'`,
    [sailing, SMALL_CAPACITY],
  );
  let confirmed = 0;
  let refused = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let tries = 0; tries < SMALL_CAPACITY / 4; tries += 1) {
        const { status } = await book(office, client, sailing);
        if (status === 201) confirmed += 1;
        else if (status === 422) refused += 1;
        else throw new Error(`Selling out was answered with ${status}.`);
      }
    }),
  );
  const { rows } = await office.pool.query<{ sold: number; held: number; tickets: number }>(
    `select c.sold, c.held,
       (select count(*)::int from tickets t where t.sailing_id = $1 and t.status = 'issued') as tickets
     from voyage_capacity c where c.voyage_id = (select voyage_id from sailings where id = $1) and c.resource = 'passenger'`,
    [sailing],
  );
  const [{ sold, held, tickets } = { sold: -1, held: -1, tickets: -1 }] = rows;
  return {
    name: '15 nothing oversold',
    must: `${SMALL_CAPACITY} of ${SMALL_CAPACITY}`,
    aim: 'the same',
    measured: `${confirmed} confirmed, ${refused} refused, ${sold} sold, ${held} held, ${tickets} tickets`,
    holds: [confirmed, sold, tickets].every((count) => count === SMALL_CAPACITY) && held === 0,
  };
}

function showRun({ perSecond, p99Ms }: Run): string {
  return `${perSecond.toFixed(0)} orders a second (p99 ${p99Ms.toFixed(0)} ms)`;
}
