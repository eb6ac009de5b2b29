import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { api } from '#contract/api.ts';
import { atLeast, type Goal } from './goal.ts';
import { generateLoad, type Load } from './load.ts';
import { startProduct } from './product.ts';
import { type Figure, figureOf, showFigure } from './stats.ts';

const SLICE_MS = 1500;

/**
 * Requests a second of the API's ping with all middleware, against Node's bare HTTP server in the same minutes. Pings are
 * never refused, so a call that the limits count is measured beside it.
 */
export async function measurePing(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const child = fork(fileURLToPath(new URL('./plain-server.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // Callers on this machine are counted only behind a trusted proxy.
  const product = await startProduct({ TRUST_PROXY: '1' });
  try {
    const port = await new Promise<number>((resolve) =>
      child.once('message', (sent) => resolve(Number(sent))),
    );
    const host = new URL(product.origin('tickets')).host;
    const ours = { port: product.port, pid: product.pid, host };
    const servers = [
      { port, pid: child.pid ?? 0, path: '/', host: 'localhost', loads: [] as Load[] },
      { ...ours, path: api.ping.path, loads: [] as Load[] },
      { ...ours, path: api.listPassengerTypes.path, loads: [] as Load[] },
    ] as const;
    for (const server of servers) await generateLoad({ ...server, forMs: SLICE_MS });
    for (let run = 0; run < runs; run += 1) {
      for (const server of servers) server.loads.push(await generateLoad({ ...server, forMs: SLICE_MS }));
    }
    const [plain, ping, counted] = servers;
    report(`a call that the limits count: ${showFigure(rateOf(counted.loads))} requests a second`);
    return [judge(plain.loads, ping.loads)];
  } finally {
    child.disconnect();
    await product.stop();
  }
}

function judge(plain: readonly Load[], ours: readonly Load[]): Goal {
  const [floor, product] = [rateOf(plain), rateOf(ours)];
  const perCpu = (loads: readonly Load[]) =>
    figureOf(loads.map(({ perCpuSecond }) => perCpuSecond ?? Number.NaN)).median;
  return atLeast(
    '13 ping with all middleware / plain node:http',
    product.median / floor.median,
    { must: 0.3, aim: 0.5 },
    {
      note: `requests per second ${showFigure(product)} / ${showFigure(floor)}; per second of processor time ${(perCpu(ours) / perCpu(plain)).toFixed(2)} ×`,
    },
  );
}

function rateOf(loads: readonly Load[]): Figure {
  return figureOf(loads.map(({ perSecond }) => perSecond));
}
