import type { Guard } from '#contract/page.ts';
import { portalPages } from '#contract/paths.ts';
import { checkSession } from '../account/ping.ts';
import { notify } from '../notifications/notifications.ts';
import { isKnownSignedIn, sessionStore, setDestination, setSignInExpired } from '../session/session.ts';

type Entry = { name: string; guard: Guard; url: URL; signal: AbortSignal };

const ORDERS = 'orders';

/**
 * Pings the session on every navigation. A customer known to be signed in does not wait for the answer before a
 * protected page; a rejected session leaves it later. Pages for signed-out people wait, because the stored flag may
 * be outdated.
 * @returns where to go instead, or null after `proceed`
 */
export async function enter(
  { name, guard, url: { pathname, search }, signal }: Entry,
  proceed: () => void,
): Promise<{ redirectTo: string } | null> {
  const path = pathname + search;
  setDestination(path);
  const wasKnown = isKnownSignedIn();
  const checked = checkSession();
  const signedIn = (guard === 'signed-in' && wasKnown) || (guard !== 'open' && (await checked));
  signal.throwIfAborted();
  if (guard === 'signed-in' && !signedIn) {
    requireSignIn(name, path);
    return { redirectTo: portalPages.signIn };
  }
  if (typeof guard === 'object' && signedIn) {
    notify(guard.signedOutOnly, { type: 'warning' });
    return { redirectTo: portalPages.orders };
  }
  proceed();
  return null;
}

/** `/` leads to My Orders too, so the customer may never have been signed in. */
function requireSignIn(name: string, path: string): void {
  if (name !== ORDERS) setSignInExpired(path);
  else sessionStore.set((session) => ({ ...session, returnTo: path }));
}
