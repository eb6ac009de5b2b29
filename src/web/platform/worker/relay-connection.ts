import { TAB_CHANNEL, type TabMessage } from '#contract/worker-messages.ts';
import {
  apiAvailable,
  type Finding,
  lastFinding,
  markAvailable,
  markUnavailable,
} from '../connection/connection.ts';
import { lookNow } from '../connection/probe.ts';
import { lookOnce } from '../connection/reach.ts';
import { ask, onWorkerMessage } from './worker.ts';

/** Tells the other tabs what this one found, and listens: through the worker, or directly where there is none. */
export function startRelaying(): void {
  onWorkerMessage('CONN', ({ state, at, from }) => hear({ state, at }, from !== 'version'));
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isConnectionMessage(data)) hear(data, true);
  });
  const tellOwn = () => {
    const finding = lastFinding.get();
    if (finding?.isOwn) void tell(finding);
  };
  lastFinding.subscribe(tellOwn);
  tellOwn();
  void hearWorkerOut();
}

type Heard = Pick<Finding, 'state' | 'at'>;

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(TAB_CHANNEL);

async function tell({ state, at, why }: Finding): Promise<void> {
  const answer = await ask({ type: 'CONN_REPORT', state, at, why });
  if (answer === null) channel?.postMessage({ type: 'CONN', state, at } satisfies TabMessage);
}

/** What was found shortly before this page was opened. */
async function hearWorkerOut(): Promise<void> {
  const state = await ask({ type: 'GET_STATE' });
  if (state?.conn) hear(state.conn, false);
}

/** What is older than what this tab knows says nothing new; what is no verdict is a reason to look. */
function hear({ state, at }: Heard, isVerdict: boolean): void {
  if (at <= (lastFinding.get()?.at ?? 0)) return;
  const isBack = state === 'available';
  if (isBack === apiAvailable.get()) return;
  if (!isVerdict) void (isBack ? lookNow() : lookOnce());
  else if (isBack) markAvailable(false);
  else markUnavailable('network', false);
}

function isConnectionMessage(data: unknown): data is Heard {
  if (typeof data !== 'object' || data === null) return false;
  const { type, state, at } = data as Record<string, unknown>;
  return type === 'CONN' && (state === 'available' || state === 'unavailable') && typeof at === 'number';
}
