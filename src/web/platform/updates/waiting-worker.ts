/** What a worker answers when it is asked which release it is of; null when it does not answer. */
export type BuildOf = (worker: ServiceWorker) => Promise<string | null>;

export type Sought =
  | { type: 'waiting'; build: string }
  | { type: 'taken-over'; build: string }
  | { type: 'sought'; outcome: 'nothing' | 'no-worker' | 'broken' };

/**
 * On a weak signal the browser's own look for a new worker may never end. Until its connection breaks the browser
 * begins no other, so the page stays with the release it has.
 */
const UPDATE_WITHIN = 10_000;
const INSTALL_WITHIN = 120_000;

/** Looks for the worker of another release than `build` and waits until it is installed. */
export async function seekWorker(
  registration: ServiceWorkerRegistration | null,
  build: string,
  buildOf: BuildOf,
): Promise<Sought> {
  if (registration === null) return { type: 'sought', outcome: 'no-worker' };
  await within(
    UPDATE_WITHIN,
    registration.update().catch(() => undefined),
  );
  const { installing } = registration;
  if (installing !== null && !(await within(INSTALL_WITHIN, isInstalled(installing)))) {
    return { type: 'sought', outcome: installing.state === 'redundant' ? 'broken' : 'nothing' };
  }
  const { waiting, active } = registration;
  const next = waiting === null ? null : await buildOf(waiting);
  if (next !== null && next !== build) return { type: 'waiting', build: next };
  // A page that no worker controls may have missed the change.
  const serving = active === null ? null : await buildOf(active);
  if (serving !== null && serving !== build) return { type: 'taken-over', build: serving };
  return { type: 'sought', outcome: active === null && waiting === null ? 'no-worker' : 'nothing' };
}

/**
 * Lets the waiting worker take over when it is the one of `target`: false when it waits no more, because a newer one
 * came in its place, another tab was quicker, or the browser threw everything away. `tell` answers as BuildOf does.
 */
export async function letTakeOver(
  registration: ServiceWorkerRegistration | null,
  target: string,
  tell: BuildOf,
): Promise<boolean> {
  const waiting = registration?.waiting ?? null;
  if (waiting === null) return false;
  const build = await tell(waiting);
  return build === null || build === target;
}

/** Tells of workers that come to wait or take over without being looked for; a first installation is neither. */
export function watchWorkers(
  registration: ServiceWorkerRegistration,
  container: ServiceWorkerContainer,
  buildOf: BuildOf,
  tell: (change: { type: 'waiting' | 'taken-over'; build: string }) => void,
): void {
  const watched = new WeakSet<ServiceWorker>();
  const tellOf = async (type: 'waiting' | 'taken-over', worker: ServiceWorker) => {
    const build = await buildOf(worker);
    if (build !== null) tell({ type, build });
  };
  const watch = (worker: ServiceWorker | null) => {
    if (worker === null || registration.active === null || watched.has(worker)) return;
    watched.add(worker);
    worker.addEventListener('statechange', () => {
      if (worker.state === 'installed') void tellOf('waiting', worker);
      if (worker.state === 'activated') void tellOf('taken-over', worker);
    });
    if (worker.state === 'installed') void tellOf('waiting', worker);
  };
  registration.addEventListener('updatefound', () => watch(registration.installing));
  watch(registration.installing);
  watch(registration.waiting);
  container.addEventListener('controllerchange', () => {
    if (container.controller !== null) void tellOf('taken-over', container.controller);
  });
}

/** False when it was thrown away instead, as after a file that could not be fetched. */
function isInstalled(worker: ServiceWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'installing') return;
      worker.removeEventListener('statechange', look);
      resolve(worker.state !== 'redundant');
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

function within<Value>(milliseconds: number, promise: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([
    promise,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds)),
  ]);
}
