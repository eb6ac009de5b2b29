// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  findWorker,
  type ReadBuild,
  requestTakeOver,
  watchWorkers,
} from '#web/platform/updates/waiting-worker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class FakeWorker extends EventTarget {
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
}

type Slot = FakeWorker | null;

class FakeRegistration extends EventTarget {
  installing: Slot = null;
  waiting: Slot = null;
  active: Slot = new FakeWorker('1', 'activated');
  update: () => Promise<void> = async () => undefined;
}

const readBuild = (async (worker: unknown) => (worker as FakeWorker).build) as ReadBuild;
const as = (registration: FakeRegistration) => registration as unknown as ServiceWorkerRegistration;
const search = (registration: FakeRegistration) => findWorker(as(registration), '1', readBuild);

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

  test('tells the waiting worker to take over, even if it does not respond', async () => {
    const registration = new FakeRegistration();
    registration.waiting = new FakeWorker('2', 'installed');
    expect(await requestTakeOver(as(registration), '2', readBuild)).toBe(true);
    expect(await requestTakeOver(as(registration), '2', silent)).toBe(true);
  });

  test('does nothing if another release waits, no worker waits, or none is registered', async () => {
    const registration = new FakeRegistration();
    expect(await requestTakeOver(as(registration), '2', readBuild)).toBe(false);
    registration.waiting = new FakeWorker('3', 'installed');
    expect(await requestTakeOver(as(registration), '2', readBuild)).toBe(false);
    expect(await requestTakeOver(null, '2', readBuild)).toBe(false);
  });
});

describe('watchWorkers', () => {
  function watch(registration: FakeRegistration) {
    const container = Object.assign(new EventTarget(), { controller: null as Slot });
    const told: unknown[] = [];
    watchWorkers(as(registration), container as unknown as ServiceWorkerContainer, readBuild, (change) =>
      told.push(change),
    );
    return { container, told };
  }

  test('reports a worker when it waits and when it takes over', async () => {
    const registration = new FakeRegistration();
    const { container, told } = watch(registration);
    const worker = new FakeWorker('2', 'installing');
    registration.installing = worker;
    registration.dispatchEvent(new Event('updatefound'));
    worker.become('installed');
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ type: 'waiting', build: '2' }]);
    worker.become('activated');
    container.controller = worker;
    container.dispatchEvent(new Event('controllerchange'));
    await vi.advanceTimersByTimeAsync(0);
    expect(told.slice(1)).toEqual([
      { type: 'taken-over', build: '2' },
      { type: 'taken-over', build: '2' },
    ]);
  });

  test('reports a worker that was already waiting', async () => {
    const registration = new FakeRegistration();
    registration.waiting = new FakeWorker('2', 'installed');
    const { told } = watch(registration);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([{ type: 'waiting', build: '2' }]);
  });

  test('does not report the first worker that is installed', async () => {
    const registration = new FakeRegistration();
    registration.active = null;
    const worker = new FakeWorker('1', 'installing');
    registration.installing = worker;
    const { told } = watch(registration);
    worker.become('installed');
    worker.become('activated');
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([]);
  });
});
