import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TAB_CHANNEL } from '#contract/worker-messages.ts';
import { readStored } from '#web/platform/browser-storage.ts';
import { notificationStore } from '#web/platform/notifications/notifications.ts';
import { RELOADED_FOR_KEY } from '#web/platform/session/session.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { startUpdates } from '#web/platform/updates/updates.ts';
import { VERSION_KEY } from '#web/platform/updates/version-check.ts';
import { answerFetches, openPage } from '../page.ts';

vi.mock('#web/platform/worker/worker.ts', () => ({
  ask: async (_message: unknown, { to }: { to: { build: string } }) => ({ build: to.build }),
  onWorkerMessage: () => undefined,
  whenRegistered: async () => ({ registration, workbox }),
}));

const registration = Object.assign(new EventTarget(), {
  installing: null,
  waiting: newWorker('2'),
  active: newWorker('1'),
  update: async () => undefined,
});

/** The library's events and messages, without its registration. */
const workbox = Object.assign(new EventTarget(), {
  update: registration.update,
  messageSkipWaiting: vi.fn(),
});

let page: ReturnType<typeof openPage>;
let container: { controller: unknown };
beforeEach(async () => {
  vi.useFakeTimers();
  page = openPage();
  answerFetches(() => new Response('1'));
  container = { controller: registration.active };
  vi.stubGlobal('navigator', { onLine: true, serviceWorker: container });
});
afterEach(() => {
  workbox.messageSkipWaiting.mockClear();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  openPage();
  vi.useRealTimers();
});

test('a reload requested before a payment happens after the payment has ended', async () => {
  const open = beginBusy('a payment is open');
  await follow();
  expect(notificationStore.get()).toMatchObject({ notifyReload: true, reloadReason: 'ready' });
  reloadPage();
  await vi.advanceTimersByTimeAsync(5000);
  const paid = beginBusy('a payment is on its way', 'hard');
  await requestTakeOver();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(page.reloads).toBe(0);
  expect(readStored(RELOADED_FOR_KEY, 'sessionStorage')).toBeNull();
  expect(notificationStore.get().notifyReload).toBe(true);
  open();
  paid();
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.reloads).toBe(1);
  expect(readStored(RELOADED_FOR_KEY, 'sessionStorage')).toBe('2');
});

test('a worker that does not take over is asked again every two seconds, until the customer is told', async () => {
  await follow();
  reloadPage();
  await vi.advanceTimersByTimeAsync(1900);
  expect(workbox.messageSkipWaiting).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(8000);
  expect(workbox.messageSkipWaiting).toHaveBeenCalledTimes(1 + 4);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(notificationStore.get()).toMatchObject({ notifyReload: true, reloadReason: 'failed' });
  expect(workbox.messageSkipWaiting).toHaveBeenCalledTimes(1 + 4);
});

test('a dialog opened in the last second delays the reload until it is closed', async () => {
  await follow();
  await requestTakeOver();
  await vi.advanceTimersByTimeAsync(900);
  document.body.innerHTML = '<dialog open></dialog>';
  await vi.advanceTimersByTimeAsync(30_000);
  expect(page.reloads).toBe(0);
  document.body.replaceChildren();
  await vi.advanceTimersByTimeAsync(6000);
  expect(page.reloads).toBe(1);
});

test('a version that differs is stored at once, and the customer of a page in use is told within a second', async () => {
  localStorage.setItem(VERSION_KEY, '1');
  answerFetches(() => new Response('2'));
  watchUse();
  await follow();
  await vi.advanceTimersByTimeAsync(1000);
  expect(localStorage.getItem(VERSION_KEY)).toBe('2');
  expect(notificationStore.get()).toMatchObject({ notifyReload: true, reloadReason: 'ready' });
  expect(page.reloads).toBe(0);
});

test('a page being read asks another tab to wait with its update', async () => {
  const heard: unknown[] = [];
  const other = new BroadcastChannel(TAB_CHANNEL);
  other.addEventListener('message', ({ data }) => heard.push(data));
  await follow();
  window.dispatchEvent(new Event('wheel'));
  other.postMessage({ type: 'UPDATE_VOTE', target: '2', id: 'a question' });
  vi.useRealTimers();
  await vi.waitFor(() =>
    expect(heard).toContainEqual({ type: 'VOTE', id: 'a question', busy: true, reason: 'page in use' }),
  );
  other.close();
});

test('a version file that cannot be fetched is requested six times at the start, and not again at once', async () => {
  const requests = answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
  await follow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests.filter(({ url }) => url.startsWith('/version.txt'))).toHaveLength(1 + 5);
});

/** Starts the updates; the page finds a waiting worker of release 2. */
async function follow(): Promise<void> {
  startUpdates({ subscribe: () => undefined }, { isMutating: () => 0 });
  await vi.advanceTimersByTimeAsync(0);
}

/** The customer scrolls as soon as the page follows releases. */
function watchUse(): void {
  queueMicrotask(() => window.dispatchEvent(new Event('wheel')));
}

async function requestTakeOver(): Promise<void> {
  container.controller = registration.waiting;
  workbox.dispatchEvent(new Event('controlling'));
  await vi.advanceTimersByTimeAsync(0);
}

function newWorker(build: string) {
  return Object.assign(new EventTarget(), { build, state: 'installed' });
}
