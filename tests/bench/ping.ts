import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { api } from '#contract/api.ts';
import { atLeast, type Goal } from './goal.ts';
import { generateLoad, type Load } from './load.ts';
import type { Product } from './product.ts';
import { figureOf, showFigure } from './stats.ts';

const SLICE_MS = 1500;

/** The ping of the API with everything around it, against Node's bare HTTP server in the same minutes. */
export async function measurePing(product: Product, runs: number): Promise<Goal[]> {
  const child = fork(fileURLToPath(new URL('./plain-server.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const port = await new Promise<number>((resolve) =>
      child.once('message', (sent) => resolve(Number(sent))),
    );
    const plainAt = { port, pid: child.pid ?? 0, path: '/', host: 'localhost' };
    const oursAt = {
      port: product.port,
      pid: product.pid,
      path: api.ping.path,
      host: new URL(product.origin('tickets')).host,
    };
    for (const server of [plainAt, oursAt]) await generateLoad({ ...server, forMs: SLICE_MS });
    const plain: Load[] = [];
    const ours: Load[] = [];
    for (let run = 0; run < runs; run += 1) {
      plain.push(await generateLoad({ ...plainAt, forMs: SLICE_MS }));
      ours.push(await generateLoad({ ...oursAt, forMs: SLICE_MS }));
    }
    return [judge(plain, ours)];
  } finally {
    child.disconnect();
  }
}

function judge(plain: readonly Load[], ours: readonly Load[]): Goal {
  const hasCpu = [...plain, ...ours].every(({ perCpuSecond }) => perCpuSecond !== null);
  const rates = (loads: readonly Load[]) =>
    figureOf(loads.map(({ perSecond, perCpuSecond }) => (hasCpu ? (perCpuSecond ?? 0) : perSecond)));
  const wall = (loads: readonly Load[]) => figureOf(loads.map(({ perSecond }) => perSecond)).median;
  const [floor, product] = [rates(plain), rates(ours)];
  const unit = hasCpu ? 'requests per second of the server’s processor' : 'requests per second';
  return atLeast(
    '13 ping with all middleware / plain node:http',
    product.median / floor.median,
    { must: 0.3, aim: 0.5 },
    {
      note: `${unit} ${showFigure(product)} / ${showFigure(floor)}; by the clock ${(wall(ours) / wall(plain)).toFixed(2)} ×`,
    },
  );
}
