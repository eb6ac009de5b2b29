import { createStore } from './create-store.ts';

/*
 * Mailed links carry their secret in the fragment, which browsers do not send to servers. It is removed from the
 * address before any code that reads addresses starts, and is kept in memory only.
 */

const taken = createStore<{ path: string; token: string } | null>(null);

/** Takes the secret out of the address bar and the history. Must run before anything else on the page. */
export function takeMailedToken(): void {
  const { pathname, search, hash } = window.location;
  const token = tokenIn(hash);
  if (token === null) return;
  taken.set({ path: pathname, token });
  window.history.replaceState(window.history.state, '', pathname + search);
}

/** The secret that this page was opened with. */
export function findMailedToken(path: string): string | null {
  const mailed = taken.get();
  return mailed?.path === path ? mailed.token : null;
}

/** Call it once the secret is used, or when the customer leaves the page. */
export function forgetMailedToken(): void {
  taken.set(null);
}

/** The secret in a fragment; null if the text has another format. */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}
