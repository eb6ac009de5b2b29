import type { ConnectionState, FromWorker, WorkerState } from '#contract/worker-messages.ts';
import { findNote, writeNote } from './store.ts';
import type { Surroundings } from './surroundings.ts';
import { tell } from './tabs.ts';
import { BELIEVED_FOR } from './what-is-kept.ts';

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
