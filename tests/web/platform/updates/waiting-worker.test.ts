import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Workbox } from 'workbox-window';
import {
  findWorker,
  type ReadBuild,
  requestTakeOver,
  watchWorkers,
} from '#web/platform/updates/waiting-worker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Milliseconds that workbox-window gives an installed worker to take over by itself. */
const LIBRARY_DELAY = 200;

class FakeWorker extends EventTarget {
  readonly scriptURL = new URL('/sw.js', location.href).href;
  readonly messages: unknown[] = [];
  build: string;
  state: ServiceWorkerState;
  constructor(build: string, state: ServiceWorkerState) {
    super();
    this.build = build;
    this.state = state;
  }
  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }
  postMessage(message: unknown): void {
    this.messages.push(message);
  }
}

type Slot = FakeWorker | null;

class FakeRegistration extends EventTarget {
  installing: Slot = null;
  waiting: Slot = null;
  active: Slot = new FakeWorker('1', 'activated');
  update: () => Promise<void> = async () => undefined;

  install(worker: FakeWorker): void {
    this.installing = worker;
    this.dispatchEvent(new Event('updatefound'));
  }

  /** The installed worker waits, or becomes active if there is no other. */
  finishInstalling(): void {
    const worker = this.installing;
    this.installing = null;
    this.waiting = worker;
    worker?.become('installed');
    if (this.active === null) this.activateWaiting();
  }

  activateWaiting(): void {
    const worker = this.waiting;
    this.waiting = null;
    this.active = worker;
    worker?.become('activated');
  }
}

const readBuild = (async (worker: unknown) => (worker as FakeWorker).build) as ReadBuild;

/** Registers with the real library. The active worker controls this page, unless it is a first visit. */
async function register(registration: FakeRegistration, controller = registration.active) {
  const container = Object.assign(new EventTarget(), { controller, register: async () => registration });
  vi.stubGlobal('navigator', { serviceWorker: container });
  vi.stubGlobal(
    'MessageChannel',
    class {
      readonly port1 = {};
      readonly port2 = {};
    },
  );
  const workbox = new Workbox('/sw.js');
  await workbox.register({ immediate: true });
  return {
    container,
    registered: { registration: registration as unknown as ServiceWorkerRegistration, workbox },
  };
}

async function search(registration: FakeRegistration) {
  return findWorker((await register(registration)).registered, '1', readBuild);
}

describe('findWorker', () => {
  test('finds the waiting worker', async () => {
    const registration = new FakeRegistration();
    registration.update = async () => {
      registration.waiting = new FakeWorker('2', 'installed');
    };
    expect(await search(registration)).toEqual({ type: 'waiting', build: '2' });
  });

  test('waits for a worker that is being installed', async () => {
    const registration = new FakeRegistration();
    const worker = new FakeWorker('2', 'installing');
    registration.installing = worker;
    const found = search(registration);
    await vi.advanceTimersByTimeAsync(5000);
    registration.installing = null;
    registration.waiting = worker;
    worker.become('installed');
    expect(await found).toEqual({ type: 'waiting', build: '2' });
  });

  test('reports a worker that cannot be installed', async () => {
    const registration = new FakeRegistration();
    const worker = new FakeWorker('2', 'installing');
    registration.installing = worker;
    const found = search(registration);
    await vi.advanceTimersByTimeAsync(0);
    worker.become('redundant');
    expect(await found).toEqual({ type: 'searched', outcome: 'broken' });
  });

  test('ends after ten seconds if the browser’s update check never ends', async () => {
    const registration = new FakeRegistration();
    registration.update = () => new Promise(() => undefined);
    const found = search(registration);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await found).toEqual({ type: 'searched', outcome: 'nothing' });
  });

  test('finds nothing if the script cannot be fetched, and reports if no worker is registered', async () => {
    const registration = new FakeRegistration();
    registration.update = () => Promise.reject(new TypeError('Failed to update'));
    expect(await search(registration)).toEqual({ type: 'searched', outcome: 'nothing' });
    registration.active = null;
    expect(await search(registration)).toEqual({ type: 'searched', outcome: 'no-worker' });
    expect(await findWorker(null, '1', readBuild)).toEqual({ type: 'searched', outcome: 'no-worker' });
  });

  test('detects that another release has already taken over', async () => {
    const registration = new FakeRegistration();
    registration.active = new FakeWorker('2', 'activated');
    expect(await search(registration)).toEqual({ type: 'taken-over', build: '2' });
  });
});

describe('requestTakeOver', () => {
  const silent: ReadBuild = async () => null;

  async function request(registration: FakeRegistration, read = readBuild) {
    const { registered } = await register(registration);
    return requestTakeOver(registered, '2', read);
  }

  test('tells the waiting worker to take over, even if it does not respond', async () => {
    const registration = new FakeRegistration();
    registration.waiting = new FakeWorker('2', 'installed');
    expect(await request(registration)).toBe(true);
    expect(await request(registration, silent)).toBe(true);
    expect(registration.waiting.messages).toEqual([{ type: 'SKIP_WAITING' }, { type: 'SKIP_WAITING' }]);
  });

  test('does nothing if another release waits, no worker waits, or none is registered', async () => {
    const registration = new FakeRegistration();
    expect(await request(registration)).toBe(false);
    registration.waiting = new FakeWorker('3', 'installed');
    expect(await request(registration)).toBe(false);
    expect(registration.waiting.messages).toEqual([]);
    expect(await requestTakeOver(null, '2', readBuild)).toBe(false);
  });
});

describe('watchWorkers', () => {
  async function watch(registration: FakeRegistration, controller = registration.active) {
    const { registered, container } = await register(registration, controller);
    const told: unknown[] = [];
    watchWorkers(registered, readBuild, (change) => told.push(change));
    return { container, told };
  }

  test('reports a worker when it waits and when it takes over', async () => {
    const registration = new FakeRegistration();
    const { container, told } = await watch(registration);
    const worker = new FakeWorker('2', 'installing');
    registration.install(worker);
    registration.finishInstalling();
    await vi.advanceTimersByTimeAsync(LIBRARY_DELAY);
    expect(told).toEqual([{ type: 'waiting', build: '2' }]);
    registration.activateWaiting();
    container.controller = worker;
    container.dispatchEvent(new Event('controllerchange'));
    await vi.advanceTimersByTimeAsync(0);
    expect(told.slice(1)).toEqual([
      { type: 'taken-over', build: '2' },
      { type: 'taken-over', build: '2' },
    ]);
  });

  test('reports the controlling worker, not the one this page registered', async () => {
    const registration = new FakeRegistration();
    const { container, told } = await watch(registration);
    container.controller = new FakeWorker('3', 'activated');
    container.dispatchEvent(new Event('controllerchange'));
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ type: 'taken-over', build: '3' }]);
  });

  test('reports a worker that was already waiting', async () => {
    const registration = new FakeRegistration();
    registration.waiting = new FakeWorker('2', 'installed');
    const { told } = await watch(registration);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toContainEqual({ type: 'waiting', build: '2' });
  });

  test('does not report the first worker that is installed, but the next, also where none controls the page', async () => {
    const registration = new FakeRegistration();
    registration.active = null;
    const { told } = await watch(registration);
    registration.install(new FakeWorker('1', 'installing'));
    registration.finishInstalling();
    await vi.advanceTimersByTimeAsync(LIBRARY_DELAY);
    expect(told).toEqual([]);
    registration.install(new FakeWorker('2', 'installing'));
    registration.finishInstalling();
    await vi.advanceTimersByTimeAsync(LIBRARY_DELAY);
    registration.activateWaiting();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([
      { type: 'waiting', build: '2' },
      { type: 'taken-over', build: '2' },
    ]);
  });
});
