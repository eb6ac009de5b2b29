import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds of processor time since the start of each part. */
export type ProcessorTime = { mainThread: number; otherThreads: number; database: number };

/** Clock ticks of /proc: a hundred a second on every Linux that Node runs on. */
const MS_PER_TICK = 10;

/**
 * What the product and its database have used so far; null where there is no /proc.
 * @param pid the product's process
 * @param data the cluster's data folder
 */
export function readProcessorTime({ pid, data }: { pid: number; data: string }): ProcessorTime | null {
  if (process.platform !== 'linux') return null;
  const mainThread = readStat(`${pid}/task/${pid}`)?.own ?? 0;
  const server = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  const backends = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(name) ?? [])
    .filter(({ parent }) => parent === server);
  const { own = 0, ofEnded = 0 } = readStat(String(server)) ?? {};
  return {
    mainThread,
    otherThreads: (readStat(String(pid))?.own ?? 0) - mainThread,
    database: backends.reduce((sum, backend) => sum + backend.own, own + ofEnded),
  };
}

export function showProcessorTime(
  before: ProcessorTime | null,
  after: ProcessorTime | null,
  count: number,
): string {
  if (!before || !after || count === 0) return 'unknown';
  const show = (part: keyof ProcessorTime) => `${((after[part] - before[part]) / count).toFixed(1)} ms`;
  return `main thread ${show('mainThread')}, other threads ${show('otherThreads')}, database ${show('database')}`;
}

/** Null for a process that has just ended. */
function readStat(path: string): { parent: number; own: number; ofEnded: number } | null {
  try {
    const stat = readFileSync(`/proc/${path}/stat`, 'utf8');
    // The name, second, may hold spaces; the parent is the 4th field, the times are the 14th to 17th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (index: number) => Number(fields[index]) * MS_PER_TICK;
    return { parent: Number(fields[1]), own: ticks(11) + ticks(12), ofEnded: ticks(13) + ticks(14) };
  } catch {
    return null;
  }
}
