import { portalPages } from '#contract/paths.ts';
import { sessionStore } from '#web/platform/session/session.ts';

/** The pages that a sign-in may return to. */
const RETURN_PAGES: readonly string[] = [
  portalPages.orders,
  portalPages.account,
  portalPages.security,
  portalPages.paymentMethods,
  portalPages.tripCards,
  portalPages.tripCardBalance,
  portalPages.tripCardTopUps,
];

/** Where to go after signing in: the page that required it, once. */
export function takeReturnPath(): string {
  const { returnTo } = sessionStore.get();
  sessionStore.set((session) => ({ ...session, returnTo: null }));
  return safeReturnPath(returnTo);
}

/** The path if it is a page of the portal, else My Orders, so that a crafted link leads to no other site. */
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
