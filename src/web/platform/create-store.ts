import { useSyncExternalStore } from 'react';

export type Store<State> = {
  get(): State;
  set(next: State | ((state: State) => State)): void;
  subscribe(listener: () => void): () => void;
};

export type ReadableStore<State> = Pick<Store<State>, 'get' | 'subscribe'>;

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(next) {
      const value = next instanceof Function ? next(state) : next;
      if (Object.is(value, state)) return;
      state = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Resolves with the first state that `isMatch` accepts, at once if it is the current one. */
export function whenState<State, Match extends State>(
  store: ReadableStore<State>,
  isMatch: (state: State) => state is Match,
): Promise<Match> {
  return new Promise((resolve) => {
    const check = () => {
      const state = store.get();
      if (!isMatch(state)) return;
      stop();
      resolve(state);
    };
    const stop = store.subscribe(check);
    check();
  });
}

/** `initial` returns the state that prerendered markup was made with, so that hydration does not mismatch. */
export function useStore<State>(store: ReadableStore<State>, initial: () => State = store.get): State {
  return useSyncExternalStore(store.subscribe, store.get, initial);
}
