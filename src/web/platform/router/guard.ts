import { redirect, replace } from 'react-router';
import type { Guard } from '#contract/page.ts';
import { portalPages } from '#contract/paths.ts';
import { t } from '#web/language/texts.ts';
import { checkSession } from '../account/ping.ts';
import { notify } from '../notifications/notifications.ts';
import { isKnownSignedIn, sessionStore, setDestination, setSignInExpired } from '../session/session.ts';

type Entry = { name: string; guard: Guard; url: URL; signal: AbortSignal };

const ORDERS = 'orders';

/**
 * Pings the session on every navigation. A customer known to be signed in does not wait for the answer before a
 * protected page; a rejected session leaves it later. Pages for signed-out people wait, because the stored flag may
 * be outdated.
 * @throws {Response} a redirect to where the visitor goes instead
 */
export async function enter({ name, guard, url, signal }: Entry): Promise<void> {
  const path = url.pathname + url.search;
  setDestination(path);
  const wasSignedIn = isKnownSignedIn();
  const checked = checkSession();
  const signedIn = (guard === 'signed-in' && wasSignedIn) || (guard !== 'open' && (await checked));
  signal.throwIfAborted();
  if (guard === 'signed-in' && !signedIn) {
    requireSignIn(name, path);
    throw leadTo(portalPages.signIn, url);
  }
  if (typeof guard === 'object' && signedIn) {
    notify(t(guard.signedOutOnly), { type: 'warning' });
    throw leadTo(portalPages.orders, url);
  }
}

/**
 * A redirect. It replaces the entry of the session history if that is the one which redirects, as after going back to it:
 * going back once more would otherwise lead to the same redirect.
 */
export function leadTo(path: string, from: URL): Response {
  const { pathname, search } = window.location;
  const isCurrentEntry = pathname === from.pathname && search === from.search;
  return isCurrentEntry ? replace(path) : redirect(path);
}

/** `/` leads to My Orders too, so the customer may never have been signed in. */
function requireSignIn(name: string, path: string): void {
  if (name !== ORDERS) setSignInExpired(path);
  else sessionStore.set((session) => ({ ...session, returnTo: path }));
}
