import { describe, expect, test } from 'vitest';
import { removeCookie } from '#web/platform/session/cookies.ts';
import {
  clearSession,
  endLostSession,
  hasSessionEnded,
  readToken,
  rejectSession,
  restoreSession,
  saveForNextDocument,
  sessionStore,
  setDestination,
  setSignInExpired,
  startSession,
} from '#web/platform/session/session.ts';
import { openPage, PORTAL, TICKETS, TOKEN } from '../page.ts';

test('the sign-in page returns once to the page on which the session ended', () => {
  const page = openPage(`${PORTAL}/orders?page=2`);
  startSession(TOKEN);
  rejectSession(TOKEN);
  expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  expect(returnPathAfterLoad()).toBe('/orders?page=2');
  expect(returnPathAfterLoad()).toBeNull();
});

test('the sign-in page returns to the destination if the session ended during a navigation', () => {
  openPage(`${PORTAL}/orders?page=2`);
  startSession(TOKEN);
  setDestination('/account?page=3');
  rejectSession(TOKEN);
  expect(returnPathAfterLoad()).toBe('/account?page=3');
});

test('no return path is stored for pages that need no account or for the ticket office', () => {
  for (const url of [`${PORTAL}/sign_in`, `${TICKETS}/orders/new`]) {
    openPage(url);
    startSession(TOKEN);
    rejectSession(TOKEN);
    expect(returnPathAfterLoad()).toBeNull();
  }
});

test('the end of a session deletes the stored state of its screens but keeps the count of reloads', () => {
  openPage(`${PORTAL}/payment_methods`);
  startSession(TOKEN);
  sessionStorage.setItem('card-setup', '{"setupIntentId":"seti_1"}');
  sessionStorage.setItem('automatic-reloads', '[]');
  void clearSession();
  expect(Object.keys(sessionStorage)).toEqual(['automatic-reloads']);
});

test('the notice and the return path of the sign-in page survive a reload', () => {
  openPage(`${PORTAL}/orders`);
  setSignInExpired('/trip_cards');
  saveForNextDocument();
  expect(document.cookie).not.toContain('my-expired-sign-in');
  restoreSession();
  expect(sessionStore.get()).toMatchObject({ signInExpired: true, returnTo: '/trip_cards' });
});

describe('rejectSession', () => {
  test('clears the session of the request, says that it has ended and leads to sign-in', () => {
    const page = openPage();
    startSession(TOKEN);
    rejectSession(TOKEN);
    expect(readToken()).toBeNull();
    expect(sessionStore.get().isAuthenticated).toBe(false);
    expect(hasSessionEnded()).toBe(true);
    expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  });

  test('does nothing for the token of a session that was signed out meanwhile', () => {
    const page = openPage();
    startSession(TOKEN);
    void clearSession();
    rejectSession(TOKEN);
    expect(hasSessionEnded()).toBe(false);
    expect(page.navigations).toEqual([]);
  });

  test.each([TOKEN, null])('does nothing if there is a newer token and %s was sent', (sent) => {
    const page = openPage();
    startSession('newer');
    rejectSession(sent);
    expect(readToken()).toBe('newer');
    expect(hasSessionEnded()).toBe(false);
    expect(page.navigations).toEqual([]);
  });

  test('says that the session has ended when its cookie is gone without a sign-out', () => {
    const page = openPage();
    startSession(TOKEN);
    removeCookie('session');
    rejectSession(TOKEN);
    expect(sessionStore.get().isAuthenticated).toBe(false);
    expect(localStorage.getItem('is-authenticated')).toBeNull();
    expect(hasSessionEnded()).toBe(true);
    expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  });

  test('leads a visitor without a session to sign-in without saying that one has ended', () => {
    const page = openPage();
    rejectSession(null);
    expect(hasSessionEnded()).toBe(false);
    expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  });
});

test('a buyer who has not signed in stays on the ticket host after a 401', () => {
  const page = openPage(TICKETS);
  rejectSession(null);
  expect(page.navigations).toEqual([]);
  expect(hasSessionEnded()).toBe(false);
  startSession(TOKEN);
  rejectSession(TOKEN);
  expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
});

test('endLostSession does not report an ended session on the ticket host, which receives no sign-outs', () => {
  openPage(TICKETS);
  startSession(TOKEN);
  removeCookie('session');
  endLostSession();
  expect(sessionStore.get().isAuthenticated).toBe(false);
  expect(hasSessionEnded()).toBe(false);
});

function returnPathAfterLoad(): string | null {
  restoreSession();
  return sessionStore.get().returnTo;
}
