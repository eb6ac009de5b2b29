import { redirect } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { notify } from '../notifications/notifications.ts';
import { checkSession } from '../session/ping.ts';
import { isKnownSignedIn, readToken, sessionStore, setSignInExpired } from '../session/session.ts';
import { goTo } from './navigation.ts';

/** `signed-out` screens send a signed-in customer to their orders and say why. */
export type Guard = 'open' | 'signed-in' | { signedOutOnly: string };
type Entry = { name: string; guard: Guard; request: Request };

const ORDERS = 'orders';

/**
 * Every navigation pings the session. It is waited for only where the answer decides what is shown and nothing
 * is known yet; a customer known as signed in goes on at once, and is sent out when the answer says so.
 */
export async function enter(entry: Entry, proceed: () => void): Promise<void> {
  const { guard, request } = entry;
  const { pathname, search } = new URL(request.url);
  const known = isKnownSignedIn();
  const checked = checkSession(pathname);
  if (guard === 'open') return proceed();
  const decided = known || readToken() === null;
  const signedIn = decided ? known : await checked;
  request.signal.throwIfAborted();
  if (guard === 'signed-in') {
    if (!signedIn) throw refuse(entry, pathname + search);
    if (known) void leaveIfSignedOut(checked, entry, pathname + search);
    return proceed();
  }
  if (signedIn) {
    notify(guard.signedOutOnly, { type: 'warning' });
    throw redirect(portalPages.orders);
  }
  proceed();
}

function refuse(entry: Entry, from: string): Response {
  expire(entry, from);
  return redirect(portalPages.signIn);
}

/** Somebody who only went to their orders, where `/` leads too, may never have been signed in. */
function expire({ name }: Entry, from: string): void {
  if (name !== ORDERS) setSignInExpired(from);
  else sessionStore.set((session) => ({ ...session, returnTo: from }));
}

async function leaveIfSignedOut(checked: Promise<boolean>, entry: Entry, from: string): Promise<void> {
  const signedIn = await checked;
  // A rejected session has left by itself; a newer navigation asks for itself.
  if (signedIn || readToken() === null || entry.request.signal.aborted) return;
  expire(entry, from);
  goTo(portalPages.signIn, { replace: true });
}
