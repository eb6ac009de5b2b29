import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ToWorker } from '#contract/worker-messages.ts';
import { pageConfig, providePageConfig } from '#web/platform/page-config.ts';
import { settingsStore } from '#web/platform/settings/settings.ts';
import * as worker from '#web/platform/worker/worker.ts';
import { openPage } from '../page.ts';

let page: ReturnType<typeof openPage>;

beforeEach(() => {
  page = openPage();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a browser without workers', () => {
  test('gets null instead of a worker or a response, without errors', async () => {
    configure();
    await worker.startWorker();
    expect(await worker.whenRegistered()).toBeNull();
    expect(await worker.ask({ type: 'GET_STATE' })).toBeNull();
    worker.onWorkerMessage('CONN', () => undefined)();
    await worker.disableWorker();
    expect(page.reports).toEqual([]);
  });
});

describe('a browser with workers', () => {
  test('registers one worker for the whole host, once, and bypasses the HTTP cache', async () => {
    const browser = installWorkers();
    configure();
    await Promise.all([worker.startWorker(), worker.startWorker()]);
    expect(browser.register.mock.calls).toEqual([['/sw.js', { scope: '/', updateViaCache: 'none' }]]);
    expect(await worker.whenRegistered()).not.toBeNull();
  });

  test('reports a refused registration once at info level, and returns null', async () => {
    const browser = installWorkers();
    browser.register.mockRejectedValue(new DOMException('Blocked', 'SecurityError'));
    configure();
    await worker.startWorker();
    expect(await worker.whenRegistered()).toBeNull();
    expect(page.reports).toMatchObject([{ level: 'info', message: expect.stringContaining('Blocked') }]);
  });

  test('registers no worker in development', async () => {
    const browser = installWorkers();
    configure({ version: 'development' });
    await worker.startWorker();
    expect(browser.register).not.toHaveBeenCalled();
  });

  test('accepts only an answer of the question’s version', async () => {
    const browser = installWorkers();
    configure();
    browser.answer = { v: 1, type: 'STATE', build: 'b1' };
    expect(await worker.ask({ type: 'GET_STATE' })).toMatchObject({ build: 'b1' });
    browser.answer = { v: 2, type: 'STATE', build: 'b2' };
    expect(await worker.ask({ type: 'GET_STATE' })).toBeNull();
    expect(browser.requests).toEqual([
      { v: 1, type: 'GET_STATE' },
      { v: 1, type: 'GET_STATE' },
    ]);
  });

  test('returns null if the worker does not respond within 1.5 seconds', async () => {
    installWorkers();
    configure();
    vi.useFakeTimers();
    const state = vi.fn();
    void worker.ask({ type: 'GET_STATE' }).then(state);
    await vi.advanceTimersByTimeAsync(1499);
    expect(state).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(state).toHaveBeenCalledWith(null);
  });

  test('calls the listeners of a message type until they are removed', async () => {
    const browser = installWorkers();
    configure();
    const heard = vi.fn();
    const stop = worker.onWorkerMessage('CONN', heard);
    const message = { v: 1, type: 'CONN', state: 'unavailable', at: 1, from: 'page' };
    browser.say(message);
    browser.say({ v: 1, type: 'VERSION', text: 'b2', source: 'network', at: 1 });
    browser.say('something else');
    stop();
    browser.say(message);
    expect(heard.mock.calls).toEqual([[message]]);
  });

  test('reports once at info level that the device has no room for the app’s files', async () => {
    const browser = installWorkers();
    configure();
    await worker.startWorker();
    const full = { v: 1, type: 'STORAGE', problem: 'quota' };
    browser.say(full);
    browser.say(full);
    expect(page.reports).toMatchObject([{ level: 'info', message: expect.stringContaining('no room') }]);
  });

  test('removes the worker when the settings disable it, before or after it is registered', async () => {
    const browser = installWorkers();
    configure();
    await worker.startWorker();
    expect(browser.unregister).not.toHaveBeenCalled();
    settingsStore.set({ loaded: true, isLocalRead: true, stored: { sw: { disabled: true } } });
    await vi.waitFor(() => expect(browser.unregister).toHaveBeenCalledOnce());
    expect(browser.caches).toEqual([]);

    openPage();
    const next = installWorkers();
    configure({ settings: { ...pageConfig().settings, sw: { disabled: true } } });
    await worker.startWorker();
    expect(next.register).not.toHaveBeenCalled();
    expect(next.unregister).toHaveBeenCalledOnce();
  });
});

function configure(config: Partial<ReturnType<typeof pageConfig>> = {}): void {
  const base = pageConfig();
  providePageConfig({
    ...base,
    ...config,
    settings: { ...base.settings, sw: { disabled: false }, ...config.settings },
  });
}

/** Stubs the service worker API of a browser with one active worker. */
function installWorkers() {
  const container = new EventTarget();
  const unregister = vi.fn(async () => true);
  const requests: ToWorker[] = [];
  const active = Object.assign(new EventTarget(), {
    scriptURL: new URL('/sw.js', location.href).href,
    state: 'activated',
    postMessage(question: ToWorker, [port]: MessagePort[]) {
      requests.push(question);
      if (browser.answer !== null) port?.postMessage(browser.answer);
    },
  });
  const registration = Object.assign(new EventTarget(), {
    active,
    waiting: null,
    installing: null,
    unregister,
  });
  const register = vi.fn(async () => registration);
  const browser = {
    requests,
    register,
    unregister,
    caches: ['ferry-files-b1', 'ferry-settings'],
    answer: null as unknown,
    say: (data: unknown) => container.dispatchEvent(new MessageEvent('message', { data })),
  };
  Object.assign(container, {
    controller: null,
    ready: Promise.resolve(registration),
    register,
    getRegistration: async () => registration,
    getRegistrations: async () => [registration],
    startMessages: () => undefined,
  });
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker: container }));
  vi.stubGlobal('caches', {
    keys: async () => [...browser.caches],
    delete: async (name: string) => {
      browser.caches = browser.caches.filter((each) => each !== name);
      return true;
    },
  });
  return browser;
}
