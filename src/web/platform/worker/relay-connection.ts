import { TAB_CHANNEL, type TabMessage } from '#contract/worker-messages.ts';
import {
  apiAvailable,
  checkApi,
  type Finding,
  lastFinding,
  markAvailable,
  markUnavailable,
} from '../connection/connection.ts';
import type { Probing } from '../connection/probe.ts';
import { ask, onWorkerMessage } from './worker.ts';

type RelayedFinding = Pick<Finding, 'state' | 'at'>;

/** Exchanges findings with the other tabs: through the worker, or directly if there is none. */
export function startRelaying({ probeNow }: Probing): void {
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(TAB_CHANNEL);

  async function send({ state, at, why }: Finding): Promise<void> {
    const answer = await ask({ type: 'CONN_REPORT', state, at, why });
    if (answer === null) channel?.postMessage({ type: 'CONN', state, at } satisfies TabMessage);
  }

  function sendOwn(): void {
    const finding = lastFinding.get();
    if (finding?.isOwn) void send(finding);
  }

  /** Ignores findings older than this tab's own. A finding that is only a hint starts a check. */
  function receive({ state, at }: RelayedFinding, isVerdict: boolean): void {
    if (at <= (lastFinding.get()?.at ?? 0)) return;
    const isBack = state === 'available';
    if (isBack === apiAvailable.get()) return;
    if (isVerdict && isBack) markAvailable(false);
    else if (isVerdict) markUnavailable('network', false);
    else if (isBack) probeNow();
    else void checkApi();
  }

  onWorkerMessage('CONN', ({ state, at, from }) => receive({ state, at }, from !== 'version'));
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isConnectionMessage(data)) receive(data, true);
  });
  lastFinding.subscribe(sendOwn);
  sendOwn();
  // Findings made shortly before this page was opened.
  void ask({ type: 'GET_STATE' }).then((state) => {
    if (state?.conn) receive(state.conn, false);
  });
}

function isConnectionMessage(data: unknown): data is RelayedFinding {
  if (typeof data !== 'object' || data === null) return false;
  const { type, state, at } = data as Record<string, unknown>;
  return type === 'CONN' && (state === 'available' || state === 'unavailable') && typeof at === 'number';
}
