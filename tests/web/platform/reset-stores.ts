import type { Store } from '#web/platform/create-store.ts';

const resets: (() => void)[] = [];

export function trackStore<State>(store: Store<State>): Store<State> {
  const initial = store.get();
  resets.push(() => store.set(() => initial));
  return store;
}

/** Sets every store back to the value it was created with, as a newly loaded page has it. */
export function resetStores(): void {
  for (const reset of resets) reset();
}
