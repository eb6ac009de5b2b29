import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../e2e/support/find-browser.ts';
import { measureCheckout } from './checkout.ts';
import { measureConnection } from './connection.ts';
import { measureDeskSale } from './desk-sale.ts';
import { type Floor, openFloor } from './floor-server.ts';
import { measureGate, measureGateShift } from './gate.ts';
import { measureGateCodes } from './gate-codes.ts';
import { type Goal, tableOf } from './goal.ts';
import { measureGrowth } from './growth.ts';
import { measureImports } from './imports.ts';
import { measureInstalls } from './installs.ts';
import { measureMemory } from './memory.ts';
import { measureOrderSearch } from './order-search.ts';
import { measurePages } from './pages.ts';
import { measurePing } from './ping.ts';
import { measureProcesses } from './processes.ts';
import { type Product, startProduct } from './product.ts';
import { measureReleases } from './releases.ts';
import { measureSearch } from './search.ts';
import { measureServerStart } from './server-start.ts';
import { measureStarts } from './starts.ts';
import { measureTaps } from './taps.ts';
import { measureTicket } from './ticket.ts';

/*
 * `npm run bench`: does the built product keep its speed goals? Every goal is a ratio to something bare that is
 * measured in the same minutes (a page of 1 kB, a page of the same libraries alone, Node's own HTTP server), because
 * milliseconds tell more about the machine than about the product. What customers are promised about losses of the network
 * and releases, the latency of a checkout, and the server's start and memory, are measured as they are. Exits with 1 when
 * a goal is missed.
 *
 *   --runs 5             how often each thing is measured; medians count
 *   --only pages,ping    some of pages, starts, taps, connection, releases, installs, ping, server-start, memory,
 *                        checkout, processes, ticket, growth, imports, search, gate, gate-shift,
 *                        gate-codes, desk-sale, office
 *   --skip-build         measure dist/ as it is
 */

type Tools = { product: Product; floor: Floor; browser: string };
type Measuring = (tools: Tools, options: { runs: number; report: typeof report }) => Promise<Goal[]>;

/** The measurements in a browser, of one running server, cheapest first. */
const PARTS: Record<string, Measuring> = {
  installs: measureInstalls,
  releases: measureReleases,
  connection: measureConnection,
  'desk-sale': measureDeskSale,
  taps: measureTaps,
  starts: measureStarts,
  pages: measurePages,
};

/** Measurements that start servers of their own. */
const SERVER_PARTS: Record<string, (runs: number, report: (line: string) => void) => Promise<Goal[]>> = {
  ping: measurePing,
  'server-start': measureServerStart,
  memory: measureMemory,
  checkout: measureCheckout,
  processes: measureProcesses,
  ticket: measureTicket,
  growth: (_, report) => measureGrowth(report),
  imports: measureImports,
  search: (_, report) => measureSearch(report),
  gate: measureGate,
  'gate-shift': measureGateShift,
  'gate-codes': measureGateCodes,
  'order-search': (_, report) => measureOrderSearch(report),
};

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: [PARTS, SERVER_PARTS].flatMap(Object.keys).join() },
    'skip-build': { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const parts = values.only.split(',');

if (!values['skip-build']) buildProduct();
const goals: Goal[] = [];
const measurings = parts.flatMap((part) => PARTS[part] ?? []);
if (measurings.length > 0) {
  const product = await startProduct();
  const floor = await openFloor();
  try {
    for (const measure of measurings) {
      goals.push(...(await measure({ product, floor, browser: findBrowser() }, { runs, report })));
    }
  } finally {
    floor.close();
    await product.stop();
  }
}
for (const part of parts) goals.push(...((await SERVER_PARTS[part]?.(runs, report)) ?? []));
report(`\n${tableOf(goals)}\n\n${runs} runs; medians (lowest–highest) of ours / of the bare one.`);
process.exitCode = goals.every(({ holds }) => holds) ? 0 : 1;

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}

function buildProduct(): void {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The build failed.');
}
