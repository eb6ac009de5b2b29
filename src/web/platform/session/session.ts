import { portalPages } from '#contract/paths.ts';
import { emptyTab, readStored, removeStored, writeStored } from '../browser-storage.ts';
import { createStore, useStore } from '../create-store.ts';
import { pageConfig } from '../page-config.ts';
import { readCookie, removeCookie, writeCookie } from './cookies.ts';
import { renewedSecret, secretOf } from './owner-secret.ts';

const SESSION_COOKIE = 'session';
/** Beside a token that is not the first one of its session. */
const OWNER_COOKIE = 'owner';
const SESSION_DAYS = 365;
const EXPIRED_COOKIE = 'expired-sign-in';
const FLAG_KEY = 'is-authenticated';
const RETURN_KEY = 'return-to';
/** Another value whenever what is kept on this origin has another owner, or none; tabs see it change. */
export const EPOCH_KEY = 'owner-epoch';
/** Of this tab and nobody's: how often and for which release it was reloaded. */
export const RELOADS_KEY = 'automatic-reloads';
export const RELOADED_FOR_KEY = 'reloaded-for';
/** There while what the last owner left on this device is not deleted for certain. */
export const WIPE_KEY = 'wipe';

export type Session = {
  isAuthenticated: boolean;
  signInExpired: boolean;
  /** The protected page somebody was sent away from; the sign-in screen may lead back there. */
  returnTo: string | null;
};

const SIGNED_OUT: Session = { isAuthenticated: false, signInExpired: false, returnTo: null };

export const sessionStore = createStore<Session>(sessionHere());

/** As this browser has it, whichever tab wrote it. */
export function isAuthenticatedHere(): boolean {
  return readStored(FLAG_KEY) === 'true';
}

/** Who is signed out has the very state that prerendered markup was made with: another would render it anew. */
function sessionHere(): Session {
  const [isAuthenticated, returnTo] = [isAuthenticatedHere(), takeKeptReturn()];
  return isAuthenticated || returnTo !== null ? { ...SIGNED_OUT, isAuthenticated, returnTo } : SIGNED_OUT;
}

export function useSession(): Session {
  return useStore(sessionStore, () => SIGNED_OUT);
}

export function readToken(): string | null {
  return readCookie(SESSION_COOKIE) || null;
}

/** Tells whose session it is, and stays the same as long as it lasts; null while nobody is signed in. */
export function ownerSecret(): string | null {
  const token = readToken();
  return token === null ? null : secretOf(token, readCookie(OWNER_COOKIE));
}

/** Signed in on this device as far as is known without asking: the token is there and was last found good. */
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

/** Begins the cookies' 365 days anew, also with another token of the same session: nothing is forgotten. */
export function renewToken(token: string): void {
  const last = readToken();
  const kept = readCookie(OWNER_COOKIE);
  const secret = last === null || last === token ? kept : renewedSecret(last, token, kept);
  // First of all, because other pages may look in between.
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
 * Forgets the token and everything that belonged to its owner. Does not navigate. Resolves, and never rejects, when
 * this host would know the token as ended also where a browser that is ended by force brought it back.
 */
export function clearSession(): Promise<unknown> {
  removeCookie(SESSION_COOKIE);
  removeCookie(OWNER_COOKIE);
  setAuthenticated(false);
  return resetOwnedState();
}

/**
 * The server no longer knows the token. A late answer to an older token must not sign out the new one, and a
 * page that needs no account (a mailed link, the sign-in page itself) is not thrown away.
 */
export function rejectSession(sentToken: string | null, path: string = window.location.pathname): void {
  const token = readToken();
  if (token !== null && sentToken !== null && token !== sentToken) return;
  void clearSession();
  writeCookie(EXPIRED_COOKIE, 'true');
  const { host, origins } = pageConfig();
  if (host === 'portal') {
    if (isOpenPage(path)) return;
    keepReturn(path);
  }
  leaveFor(new URL(portalPages.signIn, origins.portal).href);
}

/** A page of the portal that needs no account. */
export function isOpenPage(path: string): boolean {
  return OPEN_PAGES.test(path);
}

export function setSignInExpired(returnTo: string | null = null): void {
  sessionStore.set((session) => ({ ...session, signInExpired: true, returnTo }));
}

/** Whether the sign-in screen should say that the last session ended, by flag or by cookie. */
export function isSignInExpired(): boolean {
  return sessionStore.get().signInExpired || readCookie(EXPIRED_COOKIE) === 'true';
}

/** What the sign-in screen says and where it leads to, when it is a document of its own. */
export function keepOverLoad(): void {
  const { signInExpired, returnTo } = sessionStore.get();
  if (signInExpired) writeCookie(EXPIRED_COOKIE, 'true');
  if (returnTo !== null) writeStored(RETURN_KEY, returnTo, 'sessionStorage');
}

export function forgetSignInExpired(): void {
  removeCookie(EXPIRED_COOKIE);
  sessionStore.set((session) => (session.signInExpired ? { ...session, signInExpired: false } : session));
}

/**
 * Runs whenever the owner of what is in memory changes: sign-out, rejection, another customer's sign-in. A promise
 * that it answers is waited for before a sign-out is said to be done.
 */
export function onSessionCleared(listener: () => unknown): () => void {
  clearedListeners.add(listener);
  return () => {
    clearedListeners.delete(listener);
  };
}

/** What this tab has of its owner goes, also what screens wrote that are not loaded now; nothing else is touched. */
export function forgetOwner(): Promise<unknown> {
  emptyTab({ except: [RELOADS_KEY, RELOADED_FOR_KEY] });
  return Promise.allSettled([...clearedListeners].map((listener) => listener()));
}

/** Full page loads go through here, so that tests can watch them. */
export function onLeave(handler: (url: string) => void): void {
  leaveFor = handler;
}

const OPEN_PAGES = /^\/(sign_in|sign_up|sign_out|password\/|account\/(verify|undo)|sessions\/)/;
const clearedListeners = new Set<() => unknown>();
let leaveFor = (url: string) => window.location.assign(url);

/** Over the full load that leads to the sign-in page, in this tab only. */
function keepReturn(path: string): void {
  const { pathname, search } = window.location;
  writeStored(RETURN_KEY, path === pathname ? path + search : path, 'sessionStorage');
}

function takeKeptReturn(): string | null {
  const path = readStored(RETURN_KEY, 'sessionStorage');
  removeStored(RETURN_KEY, 'sessionStorage');
  return path;
}

/** First of all nobody may write for the old owner any more, not even another tab whose turn comes later. */
function resetOwnedState(): Promise<unknown> {
  writeStored(EPOCH_KEY, crypto.randomUUID());
  writeStored(WIPE_KEY, 'true');
  return forgetOwner();
}
