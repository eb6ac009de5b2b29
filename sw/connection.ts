import type { ConnectionState, FromWorker, WorkerState } from '#contract/worker-messages.ts';
import { findNote, writeNote } from './store.ts';
import type { WorkerContext } from './worker-context.ts';
import { broadcast } from './tabs.ts';
import { FINDING_LIFETIME } from './cache-rules.ts';

type Finding = { state: ConnectionState; at: number };
type Finder = Extract<FromWorker, { type: 'CONN' }>['from'];

/** What was last found out about the way to the API, as long as it is worth believing. */
export async function findConnection(context: WorkerContext): Promise<WorkerState['conn']> {
  const last = await findNote<Finding>(context, 'connection');
  return last !== null && context.now() - last.at < FINDING_LIFETIME ? last : null;
}

/** Remembers a finding and passes it on to every tab but the one that made it. */
export async function broadcastConnection(
  context: WorkerContext,
  state: ConnectionState,
  from: Finder,
  { at = context.now(), except = null }: { at?: number; except?: string | null } = {},
): Promise<void> {
  // A tab's clock that runs ahead would make its word outlive later ones.
  const finding: Finding = { state, at: Math.min(at, context.now()) };
  await broadcast(context, { v: 1, type: 'CONN', ...finding, from }, except);
  await writeNote(context, 'connection', finding);
}
