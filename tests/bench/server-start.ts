import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, startCluster } from '#tests/setup/engine.ts';
import { atMost, type Goal } from './goal.ts';
import { type Product, startProduct } from './product.ts';
import { figureOf, showFigure } from './stats.ts';

export type Engine = 'embedded' | 'PostgreSQL';

/** How long the server takes until it can serve, on data of an earlier start. */
export async function measureServerStart(runs: number, report: (line: string) => void): Promise<Goal[]> {
  const goals: Goal[] = [];
  for (const engine of ['embedded', 'PostgreSQL'] as const) {
    const times: number[] = [];
    const firstMs = await onSameData(engine, async (start) => {
      const first = await start();
      await first.stop();
      for (let run = 0; run < runs; run += 1) {
        const product = await start();
        times.push(product.readyMs);
        await product.stop();
      }
      return first.readyMs;
    });
    report(`server start, ${engine}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    goals.push(
      atMost(
        `17 server start to ready, ${engine}`,
        figureOf(times).median,
        { must: 2000, aim: 1000 },
        {
          unit: 'ms',
          digits: 0,
          note: `${showFigure(figureOf(times))}; first start, with the demo's history ${firstMs.toFixed(0)}`,
        },
      ),
    );
  }
  return goals;
}

/** Lets `work` start servers, one after the other, on the same data, which is removed afterwards. */
export async function onSameData<Result>(
  engine: Engine,
  work: (start: () => Promise<Product>, cluster: Cluster | null) => Promise<Result>,
): Promise<Result> {
  const cluster = engine === 'PostgreSQL' ? await startCluster() : null;
  const folder = mkdtempSync(join(tmpdir(), 'gangway-bench-'));
  const environment = {
    DATA_DIR: folder,
    TRUST_PROXY: '1',
    ...(cluster ? { DATABASE_URL: cluster.url } : {}),
  };
  try {
    return await work(() => startProduct(environment), cluster);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await cluster?.stop();
  }
}
