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

test('the page on which a session ended is the one to go back to, once, after the load of the sign-in page', () => {
  const page = openPage(`${PORTAL}/orders?page=2`);
  startSession(TOKEN);
  rejectSession(TOKEN);
  expect(page.left).toEqual([`${PORTAL}/sign_in`]);
  expect(returnPathAfterLoad()).toBe('/orders?page=2');
  expect(returnPathAfterLoad()).toBeNull();
});

test('when a session ends on the way to a page, that page is the one to go back to', () => {
  openPage(`${PORTAL}/orders?page=2`);
  startSession(TOKEN);
  setDestination('/account?page=3');
  rejectSession(TOKEN);
  expect(returnPathAfterLoad()).toBe('/account?page=3');
});

test('nothing is kept of pages that need no account, nor of the ticket office', () => {
  for (const url of [`${PORTAL}/sign_in`, `${TICKETS}/orders/new`]) {
    openPage(url);
    startSession(TOKEN);
    rejectSession(TOKEN);
    expect(returnPathAfterLoad()).toBeNull();
  }
});

test('a session that ends takes along what screens wrote for a page to come, and leaves the reloads counted', () => {
  openPage(`${PORTAL}/payment_methods`);
  startSession(TOKEN);
  sessionStorage.setItem('card-setup', '{"setupIntentId":"seti_1"}');
  sessionStorage.setItem('automatic-reloads', '[]');
  void clearSession();
  expect(Object.keys(sessionStorage)).toEqual(['automatic-reloads']);
});

test('what the sign-in page says and leads to outlives a load of it', () => {
  openPage(`${PORTAL}/orders`);
  setSignInExpired('/trip_cards');
  saveForNextDocument();
  expect(document.cookie).not.toContain('my-expired-sign-in');
  restoreSession();
  expect(sessionStore.get()).toMatchObject({ signInExpired: true, returnTo: '/trip_cards' });
});

describe('rejectSession', () => {
  test('clears the session the request was sent with, says that it has ended and leads to sign-in', () => {
    const page = openPage();
    startSession(TOKEN);
    rejectSession(TOKEN);
    expect(readToken()).toBeNull();
    expect(sessionStore.get().isAuthenticated).toBe(false);
    expect(hasSessionEnded()).toBe(true);
    expect(page.left).toEqual([`${PORTAL}/sign_in`]);
  });

  test('does nothing for a token that was signed out of meanwhile', () => {
    const page = openPage();
    startSession(TOKEN);
    void clearSession();
    rejectSession(TOKEN);
    expect(hasSessionEnded()).toBe(false);
    expect(page.left).toEqual([]);
  });

  test.each([TOKEN, null])('does nothing when a newer token is there and %s was sent', (sent) => {
    const page = openPage();
    startSession('newer');
    rejectSession(sent);
    expect(readToken()).toBe('newer');
    expect(hasSessionEnded()).toBe(false);
    expect(page.left).toEqual([]);
  });

  test('says that the session has ended when its cookie is gone without a sign-out', () => {
    const page = openPage();
    startSession(TOKEN);
    removeCookie('session');
    rejectSession(TOKEN);
    expect(sessionStore.get().isAuthenticated).toBe(false);
    expect(localStorage.getItem('is-authenticated')).toBeNull();
    expect(hasSessionEnded()).toBe(true);
    expect(page.left).toEqual([`${PORTAL}/sign_in`]);
  });

  test('leads a visitor without a session to sign-in without claiming that one has ended', () => {
    const page = openPage();
    rejectSession(null);
    expect(hasSessionEnded()).toBe(false);
    expect(page.left).toEqual([`${PORTAL}/sign_in`]);
  });
});

test('a lost cookie claims no ended session on the ticket host, which is not told of sign-outs', () => {
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
