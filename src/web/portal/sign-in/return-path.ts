import { portalPages } from '#contract/paths.ts';
import { sessionStore } from '#web/platform/session/session.ts';

/** Pages of the portal that somebody may be led back to after signing in. */
const RETURN_PAGES: readonly string[] = [
  portalPages.orders,
  portalPages.account,
  portalPages.security,
  portalPages.paymentMethods,
  portalPages.tripCards,
  portalPages.tripCardBalance,
  portalPages.tripCardTopUps,
];

/** Where to go after signing in: the page that asked for it, once. */
export function takeReturnPath(): string {
  const { returnTo } = sessionStore.get();
  sessionStore.set((session) => ({ ...session, returnTo: null }));
  return safeReturnPath(returnTo);
}

/** The path if it is one of ours, else My Orders: nobody is sent to another site by a crafted link. */
export function safeReturnPath(path: string | null): string {
  const { origin } = window.location;
  const url = path?.startsWith('/') ? parseUrl(path, origin) : null;
  if (url?.origin !== origin || !isReturnPage(url.pathname)) return portalPages.orders;
  return url.pathname + url.search + url.hash;
}

/** `URL.canParse` and `URL.parse` are missing in Safari 16 and Chrome 111. */
function parseUrl(path: string, base: string): URL | null {
  try {
    return new URL(path, base);
  } catch {
    return null;
  }
}

function isReturnPage(pathname: string): boolean {
  return RETURN_PAGES.some((page) => new RegExp(`^${page.replace(/\{\w+\}/g, '\\w+')}$`).test(pathname));
}
