import type { UpdateEvent } from './update-machine.ts';

/** Asks a worker for its release; null if it does not answer. */
export type ReadBuild = (worker: ServiceWorker) => Promise<string | null>;

/**
 * Milliseconds. On a weak connection the browser's update check may hang; until it ends, the page stays on its
 * release.
 */
const UPDATE_TIMEOUT = 10_000;
const INSTALL_TIMEOUT = 120_000;

/** Looks for a worker of another release than `build` and waits until it is installed. */
export async function findWorker(
  registration: ServiceWorkerRegistration | null,
  build: string,
  readBuild: ReadBuild,
): Promise<UpdateEvent> {
  if (registration === null) return { type: 'searched', outcome: 'no-worker' };
  await withTimeout(
    UPDATE_TIMEOUT,
    registration.update().catch(() => undefined),
  );
  const { installing } = registration;
  if (installing !== null && !(await withTimeout(INSTALL_TIMEOUT, isInstalled(installing)))) {
    return { type: 'searched', outcome: installing.state === 'redundant' ? 'broken' : 'nothing' };
  }
  const { waiting, active } = registration;
  const next = waiting === null ? null : await readBuild(waiting);
  if (next !== null && next !== build) return { type: 'waiting', build: next };
  // A page without a controlling worker may have missed the change.
  const current = active === null ? null : await readBuild(active);
  if (current !== null && current !== build) return { type: 'taken-over', build: current };
  return { type: 'searched', outcome: active === null && waiting === null ? 'no-worker' : 'nothing' };
}

/**
 * Tells the waiting worker to take over if it belongs to `target`. Returns false if it is no longer waiting: it was
 * replaced, another tab was faster, or the browser deleted its data. `skipWaiting` returns the worker's release.
 */
export async function requestTakeOver(
  registration: ServiceWorkerRegistration | null,
  target: string,
  skipWaiting: ReadBuild,
): Promise<boolean> {
  const waiting = registration?.waiting ?? null;
  if (waiting === null) return false;
  const build = await skipWaiting(waiting);
  return build === null || build === target;
}

/** Reports workers that start waiting or take over on their own, except a first installation. */
export function watchWorkers(
  registration: ServiceWorkerRegistration,
  container: ServiceWorkerContainer,
  readBuild: ReadBuild,
  onChange: (change: { type: 'waiting' | 'taken-over'; build: string }) => void,
): void {
  const watched = new WeakSet<ServiceWorker>();
  const notify = async (type: 'waiting' | 'taken-over', worker: ServiceWorker) => {
    const build = await readBuild(worker);
    if (build !== null) onChange({ type, build });
  };
  const watch = (worker: ServiceWorker | null) => {
    if (worker === null || registration.active === null || watched.has(worker)) return;
    watched.add(worker);
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed') void notify('waiting', worker);
      if (worker.state === 'activated') void notify('taken-over', worker);
    });
    if (worker.state === 'installed') void notify('waiting', worker);
  };
  registration.addEventListener('updatefound', () => watch(registration.installing));
  watch(registration.installing);
  watch(registration.waiting);
  container.addEventListener('controllerchange', () => {
    if (container.controller !== null) void notify('taken-over', container.controller);
  });
}

/** False if the installation failed. */
function isInstalled(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const check = () => {
      if (worker.state === 'installing') return;
      worker.removeEventListener('statechange', check);
      resolve(worker.state !== 'redundant');
    };
    worker.addEventListener('statechange', check);
    check();
  });
}

function withTimeout<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([
    promise,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds)),
  ]);
}
