import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionState, FromWorker } from '#contract/worker-messages.ts';
import { apiAvailable, markAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { startRelaying } from '#web/platform/worker/relay-connection.ts';
import { answerFetches, json, openPage } from '../page.ts';

type Conn = Extract<FromWorker, { type: 'CONN' }>;

const worker = vi.hoisted(() => ({
  isThere: true,
  requests: [] as { type: string; state?: string }[],
  listener: (_: object) => {},
}));
vi.mock('#web/platform/worker/worker.ts', () => ({
  ask: async (question: { type: string }) => {
    worker.requests.push(question);
    return worker.isThere ? { type: 'STATE', conn: null } : null;
  },
  onWorkerMessage: (_: string, listener: (message: object) => void) => {
    worker.listener = listener;
  },
}));

const otherTab = new BroadcastChannel('ferry');
startRelaying({ probeNow: () => {} });

beforeEach(() => {
  openPage();
  worker.isThere = true;
  worker.requests = [];
});
afterEach(() => {
  openPage();
  otherTab.onmessage = null;
  vi.unstubAllGlobals();
});

function say(state: ConnectionState, { from = 'page', at = Date.now() + 1000 }: Partial<Conn> = {}): void {
  worker.listener({ v: 1, type: 'CONN', state, at, from });
}

const reports = () => worker.requests.filter(({ type }) => type === 'CONN_REPORT').map(({ state }) => state);

describe('the finding of this tab', () => {
  test('is sent to the worker once for each change', () => {
    markUnavailable('timeout');
    markUnavailable('network');
    markAvailable();
    expect(reports()).toEqual(['unavailable', 'available']);
    expect(worker.requests[0]).toMatchObject({ type: 'CONN_REPORT', why: 'timeout', at: expect.any(Number) });
  });

  test('is sent directly to the other tabs without a worker', async () => {
    worker.isThere = false;
    const heard = new Promise((resolve) => {
      otherTab.onmessage = ({ data }) => resolve(data);
    });
    markUnavailable();
    expect(await heard).toMatchObject({ type: 'CONN', state: 'unavailable', at: expect.any(Number) });
  });
});

describe('the finding of another tab', () => {
  test('is accepted and not sent again', () => {
    say('unavailable');
    expect(apiAvailable.get()).toBe(false);
    say('available', { at: Date.now() + 2000 });
    expect(apiAvailable.get()).toBe(true);
    expect(reports()).toEqual([]);
  });

  test('is accepted without a worker too', async () => {
    otherTab.postMessage({ type: 'CONN', state: 'unavailable', at: Date.now() + 1000 });
    await vi.waitFor(() => expect(apiAvailable.get()).toBe(false));
  });

  test('is ignored if it is older than the finding of this tab', () => {
    markUnavailable();
    say('available', { at: Date.now() - 1000 });
    expect(apiAvailable.get()).toBe(false);
  });

  test('is distinguished from other messages on the channel', async () => {
    otherTab.postMessage({ type: 'SIGNED_OUT', epoch: 1 });
    otherTab.postMessage({ type: 'CONN', state: 'gone', at: 1 });
    otherTab.postMessage(null);
    otherTab.postMessage({ type: 'CONN', state: 'unavailable', at: Date.now() + 1000 });
    await vi.waitFor(() => expect(apiAvailable.get()).toBe(false));
  });
});

test('a finding of the worker itself makes the tab ping the API and does not change the state', async () => {
  const requests = answerFetches(() => json({}));
  say('unavailable', { from: 'version' });
  await vi.waitFor(() => expect(requests.map(({ url }) => url)).toEqual(['/api/ping']));
  expect(apiAvailable.get()).toBe(true);
});
