import { redirect } from 'react-router';
import type { Guard } from '#contract/pages.ts';
import { portalPages } from '#contract/paths.ts';
import { checkSession } from '../account/ping.ts';
import { notify } from '../notifications/notifications.ts';
import { isKnownSignedIn, sessionStore, setDestination, setSignInExpired } from '../session/session.ts';

type Entry = { name: string; guard: Guard; request: Request };

const ORDERS = 'orders';

/**
 * Every navigation pings the session. A customer known as signed in does not wait for the answer before a protected
 * page; a rejected session leaves it by itself. Pages for signed-out people wait: the stored flag may be that of a
 * session the server has ended.
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
    askToSignIn(name, path);
    throw redirect(portalPages.signIn);
  }
  if (signedIn) {
    notify(guard.signedOutOnly, { type: 'warning' });
    throw redirect(portalPages.orders);
  }
  proceed();
}

/** Somebody who only went to their orders, where `/` leads too, may never have been signed in. */
function askToSignIn(name: string, path: string): void {
  if (name !== ORDERS) setSignInExpired(path);
  else sessionStore.set((session) => ({ ...session, returnTo: path }));
}
