import type { ConnectionState, FromWorker, WorkerState } from '#contract/worker-messages.ts';
import { FINDING_LIFETIME } from './cache-rules.ts';
import { findNote, writeNote } from './store.ts';
import { broadcast } from './tabs.ts';
import type { WorkerContext } from './worker-context.ts';

type Finding = { state: ConnectionState; at: number };
type Finder = Extract<FromWorker, { type: 'CONN' }>['from'];

/** The last finding about the connection to the API; null once it is too old. */
export async function findConnection(context: WorkerContext): Promise<WorkerState['conn']> {
  const last = await findNote<Finding>(context, 'connection');
  return last !== null && context.now() - last.at < FINDING_LIFETIME ? last : null;
}

/** Stores a finding and sends it to every tab except the one that reported it. */
export async function broadcastConnection(
  context: WorkerContext,
  state: ConnectionState,
  from: Finder,
  { at = context.now(), except = null }: { at?: number; except?: string | null } = {},
): Promise<void> {
  // With a clock that runs ahead, a tab's finding would outlive later ones.
  const finding: Finding = { state, at: Math.min(at, context.now()) };
  await broadcast(context, { v: 1, type: 'CONN', ...finding, from }, except);
  await writeNote(context, 'connection', finding);
}
