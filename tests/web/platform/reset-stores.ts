import type { Store } from '#web/platform/create-store.ts';

const resets: (() => void)[] = [];

export function trackStore<State>(store: Store<State>): Store<State> {
  const initial = store.get();
  resets.push(() => store.set(() => initial));
  return store;
}

/** Resets every store to its initial value, as in a newly loaded page. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
