import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConnectionState, FromWorker } from '#contract/worker-messages.ts';
import { apiAvailable, markAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { startRelaying } from '#web/platform/worker/relay-connection.ts';
import { answerFetches, json, openPage } from '../page.ts';

type Conn = Extract<FromWorker, { type: 'CONN' }>;

const worker = vi.hoisted(() => ({
  isThere: true,
  asked: [] as { type: string; state?: string }[],
  listener: (_: object) => {},
}));
vi.mock('#web/platform/worker/worker.ts', () => ({
  ask: async (question: { type: string }) => {
    worker.asked.push(question);
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
  worker.asked = [];
});
afterEach(() => {
  openPage();
  otherTab.onmessage = null;
  vi.unstubAllGlobals();
});

function say(state: ConnectionState, { from = 'page', at = Date.now() + 1000 }: Partial<Conn> = {}): void {
  worker.listener({ v: 1, type: 'CONN', state, at, from });
}

const reports = () => worker.asked.filter(({ type }) => type === 'CONN_REPORT').map(({ state }) => state);

describe('what this tab found', () => {
  test('is told to the worker once, both ways', () => {
    markUnavailable('timeout');
    markUnavailable('network');
    markAvailable();
    expect(reports()).toEqual(['unavailable', 'available']);
    expect(worker.asked[0]).toMatchObject({ type: 'CONN_REPORT', why: 'timeout', at: expect.any(Number) });
  });

  test('is told to the other tabs directly where there is no worker', async () => {
    worker.isThere = false;
    const heard = new Promise((resolve) => {
      otherTab.onmessage = ({ data }) => resolve(data);
    });
    markUnavailable();
    expect(await heard).toMatchObject({ type: 'CONN', state: 'unavailable', at: expect.any(Number) });
  });
});

describe('what another tab found', () => {
  test('is believed and not told again', () => {
    say('unavailable');
    expect(apiAvailable.get()).toBe(false);
    say('available', { at: Date.now() + 2000 });
    expect(apiAvailable.get()).toBe(true);
    expect(reports()).toEqual([]);
  });

  test('is believed without a worker as well', async () => {
    otherTab.postMessage({ type: 'CONN', state: 'unavailable', at: Date.now() + 1000 });
    await vi.waitFor(() => expect(apiAvailable.get()).toBe(false));
  });

  test('says nothing new when it is older than what is known here', () => {
    markUnavailable();
    say('available', { at: Date.now() - 1000 });
    expect(apiAvailable.get()).toBe(false);
  });

  test('other messages of tabs are not ours', async () => {
    otherTab.postMessage({ type: 'SIGNED_OUT', epoch: 1 });
    otherTab.postMessage({ type: 'CONN', state: 'gone', at: 1 });
    otherTab.postMessage(null);
    otherTab.postMessage({ type: 'CONN', state: 'unavailable', at: Date.now() + 1000 });
    await vi.waitFor(() => expect(apiAvailable.get()).toBe(false));
  });
});

test('what the worker found with a file of its own is a reason to look, and no verdict', async () => {
  const asked = answerFetches(() => json({}));
  say('unavailable', { from: 'version' });
  await vi.waitFor(() => expect(asked.map(({ url }) => url)).toEqual(['/api/ping']));
  expect(apiAvailable.get()).toBe(true);
});
