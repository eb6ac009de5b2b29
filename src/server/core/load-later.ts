import { setTimeout as delay } from 'node:timers/promises';

/** Between two loads, so that requests are served in between. */
const PAUSE_MS = 100;

const loads: (() => Promise<unknown>)[] = [];

/**
 * Loads something slow, such as a package, on first use, or after the start by `loadRest`: a start need not wait for it,
 * and a first request finds it loaded.
 */
export function loadLater<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | null = null;
  const loadOnce = () => {
    result ??= load();
    return result;
  };
  loads.push(loadOnce);
  return loadOnce;
}

/** Loads the remaining modules. Called once, when the server accepts requests. */
export async function loadRest(): Promise<void> {
  for (const load of loads.splice(0)) {
    await delay(PAUSE_MS);
    await load();
  }
}
