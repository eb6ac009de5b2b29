/*
 * Mailed links carry their secret in the fragment, which browsers send to nobody. It is taken out of the address
 * before anything that reads addresses starts, and kept in this page's memory only.
 */

let taken: { path: string; token: string } | null = null;

/** First of all on a page: takes the secret out of the address bar and the history. */
export function takeMailedToken(): void {
  const { pathname, search, hash } = window.location;
  const token = tokenIn(hash);
  if (token === null) return;
  taken = { path: pathname, token };
  window.history.replaceState(window.history.state, '', pathname + search);
}

/** The secret this page was opened with. */
export function findMailedToken(path: string): string | null {
  return taken?.path === path ? taken.token : null;
}

/** Once it is used up, or the page is left. */
export function forgetMailedToken(): void {
  taken = null;
}

/** The secret in a fragment; text that cannot be one does not count. */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.slice(1)).get('token');
  return token !== null && /^[\w-]{43}$/.test(token) ? token : null;
}
