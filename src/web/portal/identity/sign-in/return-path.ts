import { findPageIn } from '#contract/page.ts';
import { portalPages } from '#contract/paths.ts';
import { portalPageTable } from '#contract/portal-pages.ts';
import { sessionStore } from '#web/platform/session/session.ts';

/** Where to go after signing in: the page that required it, once. */
export function takeReturnPath(): string {
  const { returnTo } = sessionStore.get();
  sessionStore.set((session) => ({ ...session, returnTo: null }));
  return safeReturnPath(returnTo);
}

/** The path if it is a page for signed-in customers, else My Orders, so that a crafted link leads to no other site. */
export function safeReturnPath(path: string | null): string {
  const { origin } = window.location;
  const url = path?.startsWith('/') ? parseUrl(path, origin) : null;
  if (url?.origin !== origin) return portalPages.orders;
  if (findPageIn(portalPageTable, url.pathname)?.guard !== 'signed-in') return portalPages.orders;
  return url.pathname.replace(/(.)\/$/, '$1') + url.search + url.hash;
}

/** `URL.canParse` and `URL.parse` are missing in Safari 16 and Chrome 111. */
function parseUrl(path: string, base: string): URL | null {
  try {
    return new URL(path, base);
  } catch {
    return null;
  }
}
