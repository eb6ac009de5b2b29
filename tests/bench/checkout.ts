import pg from 'pg';
import { startCluster } from '#tests/setup/engine.ts';
import { type CheckoutReference, openCheckoutReference } from './checkout-reference.ts';
import { atLeast, atMost, type Goal } from './goal.ts';
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
 * Checkouts through the API on PostgreSQL: hold places, write order, lines and tickets, confirm. Beside it, in slices of
 * the same run, an independent conversation with the same cluster (`checkout-reference.ts`). A slice of the reference
 * begins when the mails of the last orders are discarded; what mails and documents cost during our own slices counts.
 * What a mail and its documents cost after the slice is reported apart.
 */
export async function measureCheckout(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const cluster = await startCluster({ isDurable: true });
  try {
    const reference = await openCheckoutReference(cluster.url, { sailings: SAILINGS, clients: CLIENTS });
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
    const product = await startProduct({ DATABASE_URL: cluster.url, TRUST_PROXY: '1' });
    try {
      const office = await openTicketOffice(product, pool, { sailings: SAILINGS + 1, clients: CLIENTS });
      const readTime = () => readProcessorTime({ pid: product.pid, data: cluster.data });
      const rates = await compareRates({ office, reference }, { runs, report });
      await reportProcessorTime(office, { readTime, report });
      return [...rates, await sellOut(office)];
    } finally {
      await Promise.all([product.stop(), reference.close(), pool.end()]);
    }
  } finally {
    await cluster.stop();
  }
}

async function compareRates(
  { office, reference }: { office: TicketOffice; reference: CheckoutReference },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const scenes = [
    { name: `${SAILINGS} sailings`, count: SAILINGS },
    { name: 'one sailing', count: 1 },
  ].map((scene) => ({ ...scene, ours: [] as Run[], theirs: [] as Run[] }));
  // The first sales fill caches and prepare statements.
  await runClients((client) => mustBook(office, client, office.sailings[client] ?? ''));
  for (let run = 0; run < runs; run += 1) {
    for (const { name, count, ours, theirs } of scenes) {
      await discardMails(office);
      theirs.push(await runClients((_, turn) => reference.sell(turn % count)));
      ours.push(
        await runClients((client, turn) => mustBook(office, client, office.sailings[turn % count] ?? '')),
      );
      report(`run ${run + 1}  ${name}: API ${showRun(ours.at(-1))}, reference ${showRun(theirs.at(-1))}`);
    }
  }
  const [spread, one] = scenes.map(compare);
  if (!spread || !one) throw new Error('Nothing was measured.');
  return [
    atLeast(
      `14 checkout, ${CLIENTS} clients, ${SAILINGS} sailings / reference`,
      spread.ratio,
      { must: 0.2, aim: 0.4 },
      { note: `${spread.note} a second` },
    ),
    atLeast(
      '15 checkout, all on one sailing / reference',
      one.ratio,
      { must: 0.5, aim: 1 },
      { note: `${one.note} a second` },
    ),
    atMost('15 checkout on one sailing, p99', one.p99Ms, { must: 50, aim: 25 }, { unit: 'ms', digits: 0 }),
  ];
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

function compare({ ours, theirs }: { ours: readonly Run[]; theirs: readonly Run[] }) {
  const rate = (runs: readonly Run[]) => figureOf(runs.map(({ perSecond }) => perSecond));
  return {
    ratio: rate(ours).median / rate(theirs).median,
    note: `${showFigure(rate(ours))} / ${showFigure(rate(theirs))}`,
    p99Ms: figureOf(ours.map(({ p99Ms }) => p99Ms)).median,
  };
}

function showRun(run: Run | undefined): string {
  return run ? `${run.perSecond.toFixed(0)}/s (p99 ${run.p99Ms.toFixed(0)} ms)` : '';
}
