import pg from 'pg';
import { startCluster } from '#tests/setup/engine.ts';
import { CLIENTS, type Run, runClients, SAILINGS } from './checkout.ts';
import type { Goal } from './goal.ts';
import { type ProcessorTime, readProcessorTime } from './processor-time.ts';
import { type Product, startProduct } from './product.ts';
import { figureOf, showFigure } from './stats.ts';
import { discardMails, mustBook, openTicketOffice, type TicketOffice } from './ticket-office.ts';

const COUNTS = [1, 2, 4];

type Slice = Pick<Run, 'perSecond'> & { serverMs: number; databaseMs: number };

/**
 * Checkouts through one, two and four server processes on one PostgreSQL, in slices of the same run. On a machine with
 * few cores the processes, the database and the buyers share them, so the processor time of a sale says more than the
 * rate.
 */
export async function measureProcesses(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const cluster = await startCluster({ isDurable: true });
  const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
  const products: Product[] = [];
  try {
    while (products.length < Math.max(...COUNTS)) {
      products.push(await startProduct({ DATABASE_URL: cluster.url, TRUST_PROXY: '1' }));
    }
    const [first] = products;
    if (!first) return [];
    const office = await openTicketOffice(first, pool, { sailings: SAILINGS, clients: CLIENTS });
    const offices = products.map((product) => ({ ...office, product }));
    await sellThrough(offices, cluster.data);
    const slices = new Map(COUNTS.map((count) => [count, [] as Slice[]]));
    for (let run = 0; run < runs; run += 1) {
      for (const [count, done] of slices) {
        const slice = await sellThrough(offices.slice(0, count), cluster.data);
        done.push(slice);
        report(`run ${run + 1}, processes: ${count}: ${showSlice(slice)}`);
      }
    }
    reportCosts(slices, report);
    return [];
  } finally {
    await Promise.all([...products.map((product) => product.stop()), pool.end()]);
    await cluster.stop();
  }
}

async function sellThrough(offices: readonly TicketOffice[], data: string): Promise<Slice> {
  const [first] = offices;
  if (first) await discardMails(first);
  const read = () => offices.map(({ product }) => readProcessorTime({ pid: product.pid, data }));
  const before = read();
  const { count, perSecond } = await runClients((client, turn) => {
    const office = offices[client % offices.length] as TicketOffice;
    return mustBook(office, client, office.sailings[turn % SAILINGS] ?? '');
  });
  const after = read();
  const used = (part: keyof ProcessorTime) =>
    after.map((time, index) => (time?.[part] ?? 0) - (before[index]?.[part] ?? 0));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    perSecond,
    serverMs: (sum(used('mainThread')) + sum(used('otherThreads'))) / count,
    // All servers share the database.
    databaseMs: (used('database')[0] ?? 0) / count,
  };
}

function reportCosts(slices: ReadonlyMap<number, readonly Slice[]>, report: (line: string) => void): void {
  const figure = (count: number, value: (slice: Slice) => number) =>
    figureOf((slices.get(count) ?? []).map(value));
  const cost = (count: number) => figure(count, ({ serverMs, databaseMs }) => serverMs + databaseMs).median;
  for (const count of COUNTS) {
    const ratio = (cost(count) / cost(1)).toFixed(2);
    report(
      `processes: ${count}: ${cost(count).toFixed(1)} ms of processor time for a sale, ${ratio} × one process; orders a second ${showFigure(figure(count, rateOf))}`,
    );
  }
}

function rateOf({ perSecond }: Slice): number {
  return perSecond;
}

function showSlice({ perSecond, serverMs, databaseMs }: Slice): string {
  return `${perSecond.toFixed(0)} orders a second; of each, servers ${serverMs.toFixed(1)} ms, database ${databaseMs.toFixed(1)} ms`;
}
