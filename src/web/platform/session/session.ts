import { hostDescriptions, needsSession, sessionCookies } from '#contract/hosts.ts';
import { findPageIn } from '#contract/page.ts';
import { portalPages } from '#contract/paths.ts';
import { portalPageTable } from '#contract/portal-pages.ts';
import { clearTabStorage, readStored, removeStored, writeStored } from '../browser-storage.ts';
import { createStore, useStore } from '../create-store.ts';
import { fingerprint } from '../fingerprint.ts';
import { pageConfig } from '../page-config.ts';
import { readCookie, removeCookie, writeCookie } from './cookies.ts';
import { getSecret, renewedSecret } from './owner-secret.ts';

const SESSION_COOKIE = sessionCookies.customer.name;
/** Set if the token is not the first one of its session. */
const OWNER_COOKIE = 'owner';
const SESSION_DAYS = 365;
const EXPIRED_COOKIE = 'expired-sign-in';
const FLAG_KEY = 'is-authenticated';
const RETURN_KEY = 'return-to';
const SIGN_IN_EXPIRED_KEY = 'sign-in-expired';
const EPOCH_KEY = 'owner-epoch';
/** This tab's automatic reloads, and the release of the last one. They outlive a sign-out. */
export const RELOADS_KEY = 'automatic-reloads';
export const RELOADED_FOR_KEY = 'reloaded-for';
/** Set until the last owner's data is deleted from this device. */
const WIPE_KEY = 'wipe';

export type Session = {
  isAuthenticated: boolean;
  /** A signed-out customer asked for a protected page other than My Orders. */
  signInExpired: boolean;
  /** The protected page that the customer was redirected from. The sign-in screen may lead back to it. */
  returnTo: string | null;
};

const SIGNED_OUT: Session = { isAuthenticated: false, signInExpired: false, returnTo: null };

export const sessionStore = createStore<Session>(SIGNED_OUT);

/** As stored in this browser, by any tab. */
function isAuthenticatedHere(): boolean {
  return readStored(FLAG_KEY) === 'true';
}

/** Reads what this browser and the tab's previous page stored. Must run before anything uses the session. */
export function restoreSession(): void {
  const isAuthenticated = isAuthenticatedHere();
  const signInExpired = takeStored(SIGN_IN_EXPIRED_KEY) === 'true';
  const returnTo = takeStored(RETURN_KEY);
  const isSignedOut = !isAuthenticated && !signInExpired && returnTo === null;
  // The same object that prerendered markup was made with, so that hydration does not render twice.
  sessionStore.set(isSignedOut ? SIGNED_OUT : { isAuthenticated, signInExpired, returnTo });
}

export function useSession(): Session {
  return useStore(sessionStore, () => SIGNED_OUT);
}

/** True on hosts whose pages need a signed-in customer, unless a page says otherwise. */
export function isSignInRequired(): boolean {
  return needsSession(pageConfig().host);
}

/** The customer's token; null on hosts of other sessions, which receive the parent domain's cookie too. */
export function readToken(): string | null {
  if (hostDescriptions[pageConfig().host].session.kind !== 'customer') return null;
  return readCookie(SESSION_COOKIE) || null;
}

/** Identifies the session's owner, and stays the same for the whole session. Null if signed out. */
export function ownerSecret(): string | null {
  const token = readToken();
  return token === null ? null : getSecret(token, readCookie(OWNER_COOKIE));
}

/** Identifies the signed-in customer in stored data; null if signed out. */
export function ownerFingerprint(): string | null {
  const secret = ownerSecret();
  return secret === null ? null : fingerprint(secret);
}

/** Changes in every tab of this origin whenever the stored data gets another owner, or none. */
export function ownerEpoch(): string | null {
  return readStored(EPOCH_KEY);
}

/** True if the last owner's data may still be on this device. */
export function isWipeDue(): boolean {
  return readStored(WIPE_KEY) !== null;
}

export function setWiped(): void {
  removeStored(WIPE_KEY);
}

/** Follows a sign-in or sign-out in another tab: forgets the last owner and leaves the next one's data alone. */
export function adoptSession(): void {
  const isAuthenticated = isAuthenticatedHere() && readToken() !== null;
  sessionStore.set((session) => ({ ...session, isAuthenticated }));
  void clearOwnerState();
}

/** Signed in as far as this device knows without asking: there is a token, and it was last found valid. */
export function isKnownSignedIn(): boolean {
  return sessionStore.get().isAuthenticated && readToken() !== null;
}

export function startSession(token: string): void {
  if (readToken() !== token) {
    removeCookie(OWNER_COOKIE);
    void resetOwnedState();
  }
  writeCookie(SESSION_COOKIE, token, SESSION_DAYS);
  removeCookie(EXPIRED_COOKIE);
  setAuthenticated(true);
  sessionStore.set((session) => ({ ...session, signInExpired: false }));
}

/** Restarts the cookies' 365 days, also with a new token of the same session. Keeps the owner's data. */
export function renewToken(token: string): void {
  const last = readToken();
  const ownerCookie = readCookie(OWNER_COOKIE);
  const secret = last === null || last === token ? ownerCookie : renewedSecret(last, token, ownerCookie);
  // Written first, because other pages may read the cookies in between.
  if (secret !== null) writeCookie(OWNER_COOKIE, secret, SESSION_DAYS);
  writeCookie(SESSION_COOKIE, token, SESSION_DAYS);
}

export function setAuthenticated(isAuthenticated: boolean): void {
  if (isAuthenticated) writeStored(FLAG_KEY, 'true');
  else removeStored(FLAG_KEY);
  sessionStore.set((session) =>
    session.isAuthenticated === isAuthenticated ? session : { ...session, isAuthenticated },
  );
}

/**
 * Forgets the token and all data of its owner. Does not navigate. Never rejects; resolves once this host would
 * recognize the token as ended, even if a killed browser brings its cookie back.
 */
export function clearSession(): Promise<unknown> {
  removeCookie(SESSION_COOKIE);
  removeCookie(OWNER_COOKIE);
  setAuthenticated(false);
  return resetOwnedState();
}

/**
 * Handles a 401, or a ping that says the session is over. Ignores answers to an earlier token than the current one
 * (`sentToken`). Does not leave pages that need no account, nor a host without required sign-in if the buyer had not
 * signed in.
 */
export function rejectSession(sentToken: string | null): void {
  const token = readToken();
  const path = destination.get() ?? window.location.pathname + window.location.search;
  if (isSessionLost()) endSession();
  else if (sentToken !== token) return;
  else if (token !== null) endSession();
  if (!isSignInRequired() && token === null) return;
  if (isSignInRequired()) {
    if (isOpenPage(path)) return;
    // For this tab only.
    writeStored(RETURN_KEY, path, 'sessionStorage');
  }
  leaveFor(new URL(portalPages.signIn, pageConfig().origins.portal).href);
}

/** Sets the path with query that a 401 is judged for: the page on screen, or the target of a pending navigation. */
export function setDestination(path: string | null): void {
  destination.set(path);
}

/** For a page without a token: the customer is signed out, and the last owner's data is deleted. */
export function endLostSession(): void {
  if (isSessionLost()) endSession();
  else setAuthenticated(false);
}

/** True for portal pages that need no account. */
export function isOpenPage(path: string): boolean {
  const [pathname = ''] = path.split('?');
  const page = findPageIn(portalPageTable, pathname);
  return page !== null && page.guard !== 'signed-in';
}

export function setSignInExpired(returnTo: string | null = null): void {
  sessionStore.set((session) => ({ ...session, signInExpired: true, returnTo }));
}

/** True if a session on this device has ended. A first visit to a protected page does not count. */
export function hasSessionEnded(): boolean {
  return readCookie(EXPIRED_COOKIE) === 'true';
}

/** Keeps the sign-in screen's message and return path for the next document. */
export function saveForNextDocument(): void {
  const { signInExpired, returnTo } = sessionStore.get();
  if (signInExpired) writeStored(SIGN_IN_EXPIRED_KEY, 'true', 'sessionStorage');
  if (returnTo !== null) writeStored(RETURN_KEY, returnTo, 'sessionStorage');
}

export function forgetSignInExpired(): void {
  removeCookie(EXPIRED_COOKIE);
  sessionStore.set((session) => (session.signInExpired ? { ...session, signInExpired: false } : session));
}

/**
 * Runs when the owner of the data in memory changes: sign-out, rejection, sign-in of another customer. `clearSession`
 * waits for a returned promise.
 */
export function onSessionCleared(listener: () => unknown): () => void {
  clearedListeners.add(listener);
  return () => {
    clearedListeners.delete(listener);
  };
}

/** Deletes the owner's data in this tab, including what unloaded screens stored. */
function clearOwnerState(): Promise<unknown> {
  clearTabStorage({ except: [RELOADS_KEY, RELOADED_FOR_KEY] });
  return Promise.allSettled([...clearedListeners].map((listener) => listener()));
}

/** Lets tests observe full page loads. */
/** Opens an address as a new document. */
export function leaveFor(url: string): void {
  page.get().leaveFor(url);
}

export function onLeave(handler: (url: string) => void): void {
  page.set({ leaveFor: handler });
}

const clearedListeners = new Set<() => unknown>();
const page = createStore({ leaveFor: (url: string) => window.location.assign(url) });
const destination = createStore<string | null>(null);

/**
 * The cookie expired or was deleted without a sign-out here. The ticket host's flag proves nothing, because sign-outs
 * on the account host do not reach it.
 */
function isSessionLost(): boolean {
  return isSignInRequired() && isAuthenticatedHere() && readToken() === null;
}

function endSession(): void {
  void clearSession();
  writeCookie(EXPIRED_COOKIE, 'true');
}

function takeStored(key: string): string | null {
  const value = readStored(key, 'sessionStorage');
  removeStored(key, 'sessionStorage');
  return value;
}

/** The epoch changes first, so that no tab can write for the old owner any more. */
function resetOwnedState(): Promise<unknown> {
  writeStored(EPOCH_KEY, crypto.randomUUID());
  writeStored(WIPE_KEY, 'true');
  return clearOwnerState();
}
