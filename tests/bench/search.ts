import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { startCluster } from '#tests/setup/engine.ts';
import { atMost, type Goal } from './goal.ts';
import { importFolder, writeFeed } from './imports.ts';
import { type Product, startProduct } from './product.ts';
import { figureOf, showFigure } from './stats.ts';
import { dataOf } from './ticket-office.ts';

/** Lines of the small and of the large timetable: 17,000 and 200,000 sailings in 90 days. */
const LINES = [1, 12];
/** Of each line, so that a search finds as many sailings in both. */
const TRIPS_PER_DAY = 19;
const REQUESTS = 60;
/** Below the limit of requests of one address. */
const PAUSE_MS = 20;

type Times = Record<'search' | 'departures', number[]>;

/** The sailings of a day between two ports, and from one port, in a small and in a large timetable, on PostgreSQL. */
export async function measureSearch(report: (line: string) => void): Promise<Goal[]> {
  const measured: Times[] = [];
  for (const lines of LINES) {
    const times = await timeSearches(lines);
    measured.push(times);
    const figures = Object.entries(times).map(
      ([name, each]) => `${name} ${showFigure(figureOf(each), 1)} ms`,
    );
    report(`${lines} lines: ${figures.join(', ')}`);
  }
  const [small, large] = measured;
  if (!small || !large) throw new Error('A timetable was not measured.');
  const compare = (name: string, [smaller, larger]: [number[], number[]]) => {
    const [before, after] = [figureOf(smaller), figureOf(larger)];
    return atMost(
      `${name} of a day among 200,000 / among 17,000`,
      after.median / before.median,
      { must: 1.3, aim: 1.1 },
      { note: `${showFigure(after, 1)} / ${showFigure(before, 1)} ms` },
    );
  };
  return [
    compare('sailings', [small.search, large.search]),
    compare('departures of a port', [small.departures, large.departures]),
  ];
}

async function timeSearches(lines: number): Promise<Times> {
  const cluster = await startCluster();
  const folder = mkdtempSync(join(tmpdir(), 'gangway-bench-search-'));
  try {
    writeFeed(folder, { lines, tripsPerDay: TRIPS_PER_DAY * lines });
    importFolder(folder, cluster);
    const product = await startProduct({ DATABASE_URL: cluster.url });
    try {
      return { search: await timeDays(product), departures: await timeDepartures(product) };
    } finally {
      await product.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
    await cluster.stop();
  }
}

async function timeDays(product: Product): Promise<number[]> {
  const [route] = dataOf(await product.call('GET', api.listRoutes.path)) as { id: string }[];
  return timeEachDay(async (day) => {
    const path = `${api.searchSailings.path}?route_id=${route?.id}&date=${day}`;
    return (dataOf(await product.call('GET', path)) as unknown[]).length;
  });
}

async function timeDepartures(product: Product): Promise<number[]> {
  const [route] = dataOf(await product.call('GET', api.listRoutes.path)) as { origin_port_id: string }[];
  const path = fillPath(api.getDepartures.path, { port: route?.origin_port_id ?? '' });
  return timeEachDay(async (day) => {
    const list = dataOf(await product.call('GET', `${path}?date=${day}`)) as { departures: unknown[] };
    return list.departures.length;
  });
}

/** @param count asks for a day, and returns how many sailings were found */
async function timeEachDay(count: (day: string) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  // The first round fills caches and prepares statements.
  for (let turn = 0; turn <= REQUESTS; turn += 1) {
    const day = new Date(Date.now() + (1 + (turn % 30)) * 24 * 60 * 60_000).toISOString().slice(0, 10);
    const started = performance.now();
    const found = await count(day);
    if (found < TRIPS_PER_DAY - 1) throw new Error(`Only ${found} sailings were found.`);
    if (turn > 0) times.push(performance.now() - started);
    await delay(PAUSE_MS);
  }
  return times;
}
