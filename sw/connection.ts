import type { apiPaths } from '#contract/paths.ts';
import type { ConnectionState, FromWorker, ProbeResult, WorkerState } from '#contract/worker-messages.ts';
import { fetchWithin } from './network.ts';
import { findNote, writeNote } from './store.ts';
import type { Surroundings } from './surroundings.ts';
import { tell } from './tabs.ts';
import { BELIEVED_FOR, LIMITS } from './what-is-kept.ts';

/** Written out, so that the worker does not carry the list of all paths. */
const PING = '/api/ping' satisfies (typeof apiPaths)['ping'];

type Finding = { state: ConnectionState; at: number };
type Finder = Extract<FromWorker, { type: 'CONN' }>['from'];

/** What was last found out about the way to the API, as long as it is worth believing. */
export async function findConnection(env: Surroundings): Promise<WorkerState['conn']> {
  const last = await findNote<Finding>(env, 'connection');
  return last !== null && env.now() - last.at < BELIEVED_FOR ? last : null;
}

/** Remembers a finding and passes it on to every tab but the one that made it. */
export async function tellConnection(
  env: Surroundings,
  state: ConnectionState,
  from: Finder,
  { at = env.now(), except = null }: { at?: number; except?: string | null } = {},
): Promise<void> {
  // A tab's clock that runs ahead would make its word outlive later ones.
  const finding: Finding = { state, at: Math.min(at, env.now()) };
  await tell(env, { v: 1, type: 'CONN', ...finding, from }, except);
  await writeNote(env, 'connection', finding);
}

/** Asks the API for life once for everybody who asks meanwhile. Tabs are told when that is news. */
export function probe(env: Surroundings): Promise<Pick<ProbeResult, 'ok' | 'ms'>> {
  const asked = env.now();
  return env.alone('worker-probe', async () => {
    const last = await findNote<Probe>(env, 'probe');
    if (last !== null && last.at >= asked && last.at <= env.now()) return { ok: last.ok, ms: last.ms };
    const before = env.now();
    const ok = await isApiThere(env);
    const result: Probe = { ok, ms: env.now() - before, at: env.now() };
    await writeNote(env, 'probe', result);
    const state = ok ? 'available' : 'unavailable';
    if ((await findConnection(env))?.state !== state) await tellConnection(env, state, 'probe');
    return { ok, ms: result.ms };
  });
}

type Probe = { ok: boolean; ms: number; at: number };

async function isApiThere(env: Surroundings): Promise<boolean> {
  try {
    const response = await fetchWithin(env, PING, LIMITS.probe, { cache: 'no-store' });
    if (!response.ok || !/\bjson\b/.test(response.headers.get('content-type') ?? '')) return false;
    await response.json();
    return true;
  } catch {
    return false;
  }
}
