import type { RegisteredWorker } from '../worker/worker.ts';
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
  registered: RegisteredWorker | null,
  build: string,
  readBuild: ReadBuild,
): Promise<UpdateEvent> {
  if (registered === null) return { type: 'searched', outcome: 'no-worker' };
  const { registration, workbox } = registered;
  await withTimeout(
    UPDATE_TIMEOUT,
    workbox.update().catch(() => undefined),
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
 * Tells the waiting worker to take over if it belongs to `target` or does not say. Returns false if that release no
 * longer waits: it was replaced, another tab was faster, or the browser deleted its data.
 */
export async function requestTakeOver(
  registered: RegisteredWorker | null,
  target: string,
  readBuild: ReadBuild,
): Promise<boolean> {
  const waiting = registered?.registration.waiting ?? null;
  if (registered === null || waiting === null) return false;
  const build = await readBuild(waiting);
  if (build !== null && build !== target) return false;
  registered.workbox.messageSkipWaiting();
  return true;
}

/** Reports workers that start waiting or take over on their own, except a first installation. */
export function watchWorkers(
  { registration, workbox }: RegisteredWorker,
  readBuild: ReadBuild,
  onChange: (change: { type: 'waiting' | 'taken-over'; build: string }) => void,
): void {
  const notify = async (type: 'waiting' | 'taken-over', worker: ServiceWorker | null | undefined) => {
    const build = worker ? await readBuild(worker) : null;
    if (build !== null) onChange({ type, build });
  };
  workbox.addEventListener('waiting', ({ sw }) => void notify('waiting', sw));
  // Pages that no worker controls hear of a takeover by this event alone.
  workbox.addEventListener('activated', ({ sw, isUpdate, isExternal }) => {
    if (isUpdate || isExternal) void notify('taken-over', sw);
  });
  // The event's `sw` is the worker that this page registered, even if another one controls it now.
  workbox.addEventListener(
    'controlling',
    () => void notify('taken-over', navigator.serviceWorker.controller),
  );
  // The event of a worker that waited before may be over.
  if (registration.active !== null) void notify('waiting', registration.waiting);
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
