import { createPath, type Location, type Path, parsePath } from 'react-router';

/** The session history, as far as the router needs it. */
export type History = {
  readonly location: Location;
  push(location: Location): void;
  replace(location: Location): void;
  go(delta: number): void;
  /** Calls the listener when the customer goes back or forward. */
  listen(onPop: (location: Location) => void): () => void;
};

type Entry = { usr: unknown; key: string; idx: number };

const PATHNAME = '/';

export function createBrowserHistory(): History {
  const current = () => {
    const { pathname, search, hash } = window.location;
    const { usr, key } = readEntry();
    return createLocation({ pathname, search, hash }, usr, key);
  };
  const write = (method: 'pushState' | 'replaceState', { state, key, ...path }: Location, idx: number) => {
    const stored: Entry = { usr: state, key, idx };
    window.history[method](stored, '', createPath(path));
  };
  return {
    get location() {
      return current();
    },
    push(location) {
      try {
        write('pushState', location, readEntry().idx + 1);
      } catch (error) {
        if (error instanceof DOMException && error.name === 'DataCloneError') throw error;
        // Safari limits the number of entries per document.
        window.location.assign(createPath(location));
      }
    },
    replace: (location) => write('replaceState', location, readEntry().idx),
    go: (delta) => window.history.go(delta),
    listen(onPop) {
      const handlePop = () => onPop(current());
      window.addEventListener('popstate', handlePop);
      return () => window.removeEventListener('popstate', handlePop);
    },
  };
}

/** The current entry. One that this router has not made gets a key, which a reload finds again. */
function readEntry(): Entry {
  const state = window.history.state as Partial<Entry> | null;
  const entry = { usr: null, idx: 0, key: createKey(), ...state };
  if (state?.key === undefined) window.history.replaceState(entry, '');
  return entry;
}

/** For tests and for the prerendered page. */
export function createMemoryHistory(paths: readonly string[] = [PATHNAME]): History {
  const entries = paths.map((path) => createLocation(parsePath(path)));
  let index = entries.length - 1;
  let listener: ((location: Location) => void) | null = null;
  const current = () => entries[index] ?? createLocation({});
  return {
    get location() {
      return current();
    },
    push(location) {
      index += 1;
      entries.splice(index, entries.length, location);
    },
    replace(location) {
      entries[index] = location;
    },
    go(delta) {
      index = Math.min(Math.max(index + delta, 0), entries.length - 1);
      listener?.(current());
    },
    listen(onPop) {
      listener = onPop;
      return () => {
        listener = null;
      };
    },
  };
}

export function createLocation(
  { pathname = PATHNAME, search = '', hash = '' }: Partial<Path>,
  state: unknown = null,
  key: string = createKey(),
): Location {
  return { pathname, search, hash, state, key };
}

function createKey(): string {
  return Math.random().toString(36).slice(2, 10);
}
