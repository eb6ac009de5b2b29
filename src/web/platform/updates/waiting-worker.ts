/** Asks a worker for its release; null if it does not answer. */
export type BuildOf = (worker: ServiceWorker) => Promise<string | null>;

export type SearchResult =
  | { type: 'waiting'; build: string }
  | { type: 'taken-over'; build: string }
  | { type: 'sought'; outcome: 'nothing' | 'no-worker' | 'broken' };

/**
 * Milliseconds. On a weak connection the browser's update check may hang; until it ends, the page stays on its
 * release.
 */
const UPDATE_WITHIN = 10_000;
const INSTALL_WITHIN = 120_000;

/** Looks for a worker of another release than `build` and waits until it is installed. */
export async function findWorker(
  registration: ServiceWorkerRegistration | null,
  build: string,
  buildOf: BuildOf,
): Promise<SearchResult> {
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
  // A page without a controlling worker may have missed the change.
  const serving = active === null ? null : await buildOf(active);
  if (serving !== null && serving !== build) return { type: 'taken-over', build: serving };
  return { type: 'sought', outcome: active === null && waiting === null ? 'no-worker' : 'nothing' };
}

/**
 * Tells the waiting worker to take over if it belongs to `target`. Returns false if it is no longer waiting: it was
 * replaced, another tab was faster, or the browser deleted its data. `tell` returns what `BuildOf` does.
 */
export async function requestTakeOver(
  registration: ServiceWorkerRegistration | null,
  target: string,
  tell: BuildOf,
): Promise<boolean> {
  const waiting = registration?.waiting ?? null;
  if (waiting === null) return false;
  const build = await tell(waiting);
  return build === null || build === target;
}

/** Reports workers that start waiting or take over on their own, except a first installation. */
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

/** False if the installation failed. */
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
