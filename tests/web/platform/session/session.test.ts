import { expect, test, vi } from 'vitest';
import {
  clearSession,
  isSignInExpired,
  keepOverLoad,
  rejectSession,
  setSignInExpired,
  startSession,
} from '#web/platform/session/session.ts';
import { openPage, PORTAL, TICKETS, TOKEN } from '../page.ts';

test('the page on which a session ended is the one to go back to, once, after the load of the sign-in page', async () => {
  const page = openPage(`${PORTAL}/orders?page=2`);
  startSession(TOKEN);
  rejectSession(TOKEN);
  expect(page.left).toEqual([`${PORTAL}/sign_in`]);
  expect(await returnPathAfterLoad()).toBe('/orders?page=2');
  expect(await returnPathAfterLoad()).toBeNull();
});

test('when a session ends on the way to a page, that page is the one to go back to', async () => {
  openPage(`${PORTAL}/orders?page=2`);
  startSession(TOKEN);
  rejectSession(TOKEN, '/account');
  expect(await returnPathAfterLoad()).toBe('/account');
});

test('nothing is kept of pages that need no account, nor of the ticket office', async () => {
  for (const url of [`${PORTAL}/sign_in`, `${TICKETS}/orders/new`]) {
    openPage(url);
    startSession(TOKEN);
    rejectSession(TOKEN);
    expect(await returnPathAfterLoad()).toBeNull();
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

test('what the sign-in page says and leads to outlives a load of it', async () => {
  openPage(`${PORTAL}/orders`);
  setSignInExpired('/trip_cards');
  keepOverLoad();
  expect(document.cookie).toContain('my-expired-sign-in=true');
  expect(isSignInExpired()).toBe(true);
  expect(await returnPathAfterLoad()).toBe('/trip_cards');
});

async function returnPathAfterLoad(): Promise<string | null> {
  vi.resetModules();
  const { sessionStore } = await import('#web/platform/session/session.ts');
  return sessionStore.get().returnTo;
}
