import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { api } from '#contract/api.ts';
import { atMost, type Goal } from './goal.ts';
import type { Product } from './product.ts';
import { type Engine, onSameData } from './server-start.ts';
import { figureOf } from './stats.ts';
import { dataOf, mustBook, openTicketOffice } from './ticket-office.ts';

/** Resident memory in MB. */
const START_LIMITS = { embedded: { must: 350, aim: 250 }, PostgreSQL: { must: 180, aim: 120 } };
/** By then everything is loaded that a start leaves for later. */
const SETTLE_MS = 5000;
/** Five runs are ten minutes of load on each engine. */
const LOAD_MS_PER_RUN = 120_000;
const SAMPLE_MS = 2000;
const CLIENTS = 4;
/** Between two requests of a client, so that the server is busy but not overloaded. */
const PAUSE_MS = 20;

/**
 * Resident memory of the server: some seconds after a start, and while customers search and read pages, and on
 * PostgreSQL also buy. Under load it may not grow from the second fifth of the time to the last.
 */
export async function measureMemory(runs: number, report: (line: string) => void): Promise<Goal[]> {
  if (process.platform !== 'linux') {
    report('memory: measured on Linux only');
    return [];
  }
  return [
    ...(await measureEngine('embedded', runs, report)),
    ...(await measureEngine('PostgreSQL', runs, report)),
  ];
}

function measureEngine(engine: Engine, runs: number, report: (line: string) => void): Promise<Goal[]> {
  return onSameData(engine, async (start, cluster) => {
    const first = await start();
    await delay(SETTLE_MS);
    const firstMb = readMemory(first);
    await first.stop();
    const product = await start();
    await delay(SETTLE_MS);
    const startMb = readMemory(product);
    const pool = cluster ? new pg.Pool({ connectionString: cluster.url, max: 2 }) : null;
    try {
      const samples = await sampleUnderLoad(product, pool, runs * LOAD_MS_PER_RUN);
      report(`memory, ${engine}: ${samples.map((mb) => mb.toFixed(0)).join(' ')} MB`);
      const fifth = (place: number) =>
        figureOf(samples.slice((samples.length * place) / 5, (samples.length * (place + 1)) / 5)).median;
      return [
        atMost(`18 memory after the start, ${engine}`, startMb, START_LIMITS[engine], {
          unit: 'MB',
          digits: 0,
          note: `after the first start ${firstMb.toFixed(0)}`,
        }),
        atMost(
          `18 memory under load, last fifth / second fifth, ${engine}`,
          fifth(4) / fifth(1),
          { must: 1.3, aim: 1.1 },
          {
            note: `${fifth(4).toFixed(0)} / ${fifth(1).toFixed(0)} MB, at most ${Math.max(...samples).toFixed(0)}`,
          },
        ),
      ];
    } finally {
      await pool?.end();
      await product.stop();
    }
  });
}

async function sampleUnderLoad(product: Product, pool: pg.Pool | null, forMs: number): Promise<number[]> {
  const office = pool && (await openTicketOffice(product, pool, { sailings: CLIENTS, clients: CLIENTS }));
  const routeId = await findRoute(product);
  const end = performance.now() + forMs;
  const samples: number[] = [];
  const sample = async () => {
    while (performance.now() < end) {
      await delay(SAMPLE_MS);
      samples.push(readMemory(product));
    }
  };
  const browse = async (client: number) => {
    while (performance.now() < end) {
      await visit(product, routeId);
      if (office) await mustBook(office, client, office.sailings[client] ?? '');
      await delay(PAUSE_MS);
    }
  };
  await Promise.all([sample(), ...Array.from({ length: CLIENTS }, (_, client) => browse(client))]);
  return samples;
}

async function findRoute(product: Product): Promise<string> {
  const [route] = dataOf(await product.call('GET', api.listRoutes.path)) as { id: string }[];
  if (!route) throw new Error('The demo has no route.');
  return route.id;
}

/** Opens the first page and searches a day's sailings. */
async function visit(product: Product, routeId: string): Promise<void> {
  const day = new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10);
  const search = new URLSearchParams({ route_id: routeId, date: day, 'passengers[adult]': '1' });
  const headers = { accept: 'text/html', 'x-forwarded-for': `2001:db8:${randomGroup()}:${randomGroup()}::1` };
  await product.call('GET', '/', { headers });
  dataOf(await product.call('GET', `${api.searchSailings.path}?${search}`, { headers }));
}

function randomGroup(): string {
  return Math.floor(Math.random() * 0x10000).toString(16);
}

function readMemory({ pid }: Product): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
