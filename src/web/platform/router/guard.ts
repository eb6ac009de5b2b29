import { redirect } from 'react-router';
import type { Guard } from '#contract/pages.ts';
import { portalPages } from '#contract/paths.ts';
import { checkSession } from '../account/ping.ts';
import { notify } from '../notifications/notifications.ts';
import { isKnownSignedIn, sessionStore, setDestination, setSignInExpired } from '../session/session.ts';

type Entry = { name: string; guard: Guard; request: Request };

const ORDERS = 'orders';

/**
 * Pings the session on every navigation. A customer known to be signed in does not wait for the answer before a
 * protected page; a rejected session leaves it later. Pages for signed-out people wait, because the stored flag may
 * be outdated.
 */
export async function enter({ name, guard, request }: Entry, proceed: () => void): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const path = pathname + search;
  setDestination(path);
  const wasKnown = isKnownSignedIn();
  const checked = checkSession();
  if (guard === 'open') return proceed();
  const signedIn = (guard === 'signed-in' && wasKnown) || (await checked);
  request.signal.throwIfAborted();
  if (guard === 'signed-in') {
    if (signedIn) return proceed();
    requireSignIn(name, path);
    throw redirect(portalPages.signIn);
  }
  if (signedIn) {
    notify(guard.signedOutOnly, { type: 'warning' });
    throw redirect(portalPages.orders);
  }
  proceed();
}

/** `/` leads to My Orders too, so the customer may never have been signed in. */
function requireSignIn(name: string, path: string): void {
  if (name !== ORDERS) setSignInExpired(path);
  else sessionStore.set((session) => ({ ...session, returnTo: path }));
}
