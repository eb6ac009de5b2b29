import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../e2e/find-browser.ts';
import { measureCheckout } from './checkout.ts';
import { openFloor } from './floor-server.ts';
import { type Goal, tableOf } from './goal.ts';
import { measurePages } from './pages.ts';
import { measurePing } from './ping.ts';
import { startProduct } from './product.ts';

/*
 * `npm run bench`: does the built product keep its speed goals? Every goal is a ratio to something bare that is
 * measured in the same minutes (a page of 1 kB, a page of the same libraries alone, Node's own HTTP server, the
 * plain database driver), because milliseconds tell more about the machine than about the product. Exits with 1
 * when a goal is missed.
 *
 *   --runs 5             how often each thing is measured; medians count
 *   --only pages,ping    some of pages, ping, checkout
 *   --skip-build         measure dist/ as it is
 */

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: 'pages,ping,checkout' },
    'skip-build': { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const parts = values.only.split(',');

if (!values['skip-build']) buildProduct();
const goals: Goal[] = [];
if (parts.includes('pages') || parts.includes('ping')) {
  const product = await startProduct();
  try {
    if (parts.includes('ping')) goals.push(...(await measurePing(product, runs)));
    if (parts.includes('pages')) {
      const floor = await openFloor();
      try {
        goals.unshift(...(await measurePages({ product, floor, browser: findBrowser() }, { runs, report })));
      } finally {
        floor.close();
      }
    }
  } finally {
    await product.stop();
  }
}
if (parts.includes('checkout')) goals.push(...(await measureCheckout(runs, report)));
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
