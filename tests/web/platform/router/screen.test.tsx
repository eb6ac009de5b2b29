import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, screen as dom, render, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { portalPageTable } from '#contract/portal-pages.ts';
import { withRoot } from '#web/app/root.tsx';
import { markAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { markDisplayed, notificationStore, notify } from '#web/platform/notifications/notifications.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { attachRouter, whenReady } from '#web/platform/router/app-router.ts';
import { pageTitle, redirectFrom, routePath, screen } from '#web/platform/router/screen.ts';
import {
  hasSessionEnded,
  readToken,
  sessionStore,
  setAuthenticated,
  startSession,
} from '#web/platform/session/session.ts';
import { createTestRouter } from '../../test-router.ts';
import { answerFetches, json, openPage, PORTAL, TOKEN } from '../page.ts';

const WARNING = 'You are already signed in';
const preload = vi.fn();
const named = (name: string) => () => <main tabIndex={-1}>{name}</main>;
const table: RouteObject[] = [
  redirectFrom('/', '/orders'),
  screen(portalPageTable, { path: '/orders', name: 'orders', component: named('orders') }),
  screen(portalPageTable, {
    path: '/security',
    name: 'security',
    preload,
    lazy: async () => named('security'),
  }),
  screen(portalPageTable, { path: '/sign_in', name: 'signIn', component: named('sign-in') }),
  screen(portalPageTable, { path: '/sign_out', name: 'signOut', component: named('sign-out') }),
  screen(portalPageTable, { path: '/account/verify_email', name: 'broken', lazy: () => bundle() }),
  screen(portalPageTable, { path: '/404', name: 'not-found', component: named('not-found') }),
  redirectFrom('*', '/404'),
];

let bundle: () => Promise<() => ReactNode>;
let ping: () => Response | Promise<Response>;
let requests: { url: string }[];
beforeEach(() => {
  openPage();
  preload.mockReset();
  document.title = '';
  bundle = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'));
  ping = () => json({ success: true, errorCode: null });
  requests = answerFetches(({ url }) => (url.includes('/sessions/ping') ? ping() : json({ id: 'cus_1' })));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

async function visit(path: string) {
  const client = createQueryClient();
  const router = createTestRouter(withRoot(table), [path], client);
  attachRouter(router);
  await whenReady(router);
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

const pings = () => requests.filter(({ url }) => url.includes('/sessions/ping')).length;

describe('the page title', () => {
  test('reads "<title> | <brand>", or only the brand for a screen without a title', async () => {
    expect(pageTitle('My Orders', 'Sound Ferries')).toBe('My Orders | Sound Ferries');
    expect(pageTitle(null, 'Sound Ferries')).toBe('Sound Ferries');
    startSession(TOKEN);
    const router = await visit('/security');
    await waitFor(() => expect(document.title).toBe('Password & Security | Sound Ferries'));
    await router.navigate('/sign_out');
    await waitFor(() => expect(document.title).toBe('Sign out | Sound Ferries'));
  });
});

describe('a screen for signed-in customers', () => {
  test('leads a first-time visitor to sign-in without saying that a session has ended', async () => {
    const router = await visit('/security');
    expect(router.state.location.pathname).toBe('/sign_in');
    expect(sessionStore.get()).toMatchObject({ signInExpired: true, returnTo: '/security' });
    expect(hasSessionEnded()).toBe(false);
  });

  test('leads a customer without a cookie to sign-in and says that the session has ended', async () => {
    setAuthenticated(true);
    const router = await visit('/security');
    expect(router.state.location.pathname).toBe('/sign_in');
    expect(sessionStore.get()).toMatchObject({ isAuthenticated: false, signInExpired: true });
    expect(hasSessionEnded()).toBe(true);
  });

  test.each(['/orders', '/'])(
    'does not mention an ended session to a customer who opens %s',
    async (path) => {
      const router = await visit(path);
      expect(router.state.location.pathname).toBe('/sign_in');
      expect(sessionStore.get().signInExpired).toBe(false);
      expect(hasSessionEnded()).toBe(false);
    },
  );

  test('waits for the ping while it is unknown whether the customer is signed in', async () => {
    startSession(TOKEN);
    setAuthenticated(false);
    const router = await visit('/security');
    expect(router.state.location.pathname).toBe('/security');
    expect(sessionStore.get().isAuthenticated).toBe(true);
  });

  test('opens without waiting for the ping when the customer is known to be signed in', async () => {
    startSession('of-a-ping-without-end');
    ping = () => new Promise(() => undefined);
    const router = await visit('/security');
    expect(router.state.location.pathname).toBe('/security');
    expect(preload).toHaveBeenCalledTimes(1);
  });

  test('is left as soon as the ping reports that the customer is signed out', async () => {
    const page = openPage();
    startSession(TOKEN);
    ping = () => json({ success: false, errorCode: 'session_expired' });
    await visit('/security');
    await waitFor(() => expect(page.navigations).toEqual([`${PORTAL}/sign_in`]));
    expect(readToken()).toBeNull();
    expect(hasSessionEnded()).toBe(true);
  });

  test('is left when the ping of the previous page is rejected late', async () => {
    const page = openPage();
    startSession(TOKEN);
    const held = Promise.withResolvers<Response>();
    ping = () => held.promise;
    const router = await visit('/sign_out');
    await router.navigate('/security');
    held.resolve(json({ success: false, errorCode: 'session_expired' }, 401));
    await waitFor(() => expect(page.navigations).toEqual([`${PORTAL}/sign_in`]));
  });

  test.each(['network_error', 'timeout', 'internal_server_error', 'rate_limited'])(
    'stays open when the ping fails with %s',
    async (errorCode) => {
      startSession(TOKEN);
      ping = () => json({ success: false, errorCode });
      const router = await visit('/security');
      await waitFor(() => expect(pings()).toBe(1));
      expect(router.state.location.pathname).toBe('/security');
    },
  );

  test('starts no query for a visitor who may not see it', async () => {
    await visit('/security');
    expect(preload).not.toHaveBeenCalled();
  });
});

describe('a screen for signed-out visitors', () => {
  test('leads signed-in customers to their orders with a warning, shown until they go on', async () => {
    startSession(TOKEN);
    const router = await visit('/sign_in');
    expect(router.state.location.pathname).toBe('/orders');
    expect(await dom.findByText(WARNING)).toBeTruthy();
    await router.navigate('/security');
    await waitFor(() => expect(dom.queryByText(WARNING)).toBeNull());
  });

  test('waits for the ping despite the signed-in flag, and stays open when the session has ended', async () => {
    const page = openPage();
    startSession(TOKEN);
    const held = Promise.withResolvers<Response>();
    ping = () => held.promise;
    const visited = visit('/sign_in');
    held.resolve(json({ success: false, errorCode: 'session_expired' }, 401));
    const router = await visited;
    expect(router.state.location.pathname).toBe('/sign_in');
    expect(await dom.findByText('sign-in')).toBeTruthy();
    expect(notificationStore.get().items).toEqual([]);
    expect(readToken()).toBeNull();
    expect(page.navigations).toEqual([]);
  });

  test('trusts the flag while the API is unavailable', async () => {
    startSession(TOKEN);
    requests = answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
    markUnavailable();
    expect((await visit('/sign_in')).state.location.pathname).toBe('/orders');
    expect(pings()).toBe(0);
  });

  test('is shown to visitors who are not signed in', async () => {
    expect((await visit('/sign_in')).state.location.pathname).toBe('/sign_in');
    expect(notificationStore.get().items).toEqual([]);
  });
});

describe('every navigation', () => {
  test('pings the session', async () => {
    startSession(TOKEN);
    const router = await visit('/orders');
    await waitFor(() => expect(pings()).toBe(1));
    await router.navigate('/security');
    await waitFor(() => expect(pings()).toBe(2));
    // Navigations at the same time share one ping.
    await new Promise((answered) => setTimeout(answered));
    await router.navigate('/sign_out');
    await waitFor(() => expect(pings()).toBe(3));
  });

  test('clears only the notifications that were displayed', async () => {
    startSession(TOKEN);
    const router = await visit('/orders');
    markDisplayed(notify('Old', { persistent: true }));
    notify('New', { persistent: true });
    await router.navigate('/security');
    await waitFor(() => expect(notificationStore.get().items.map(({ message }) => message)).toEqual(['New']));
  });

  test('leads from an unknown path to not-found', async () => {
    expect((await visit('/nowhere')).state.location.pathname).toBe('/404');
  });

  test('moves the focus to the new screen', async () => {
    const router = await visit('/404');
    await router.navigate('/sign_out');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('sign-out'));
  });
});

describe('a screen whose bundle cannot be loaded', () => {
  test('shows the error screen and asks to reload', async () => {
    vi.mocked(console.error).mockImplementation(() => undefined);
    await visit('/account/verify_email');
    expect(notificationStore.get().notifyReload).toBe(true);
    expect(await dom.findByRole('heading', { name: 'Please reload the page' })).toBeTruthy();
  });

  test('says that it needs a connection, and appears by itself when the connection is back', async () => {
    vi.mocked(console.error).mockImplementation(() => undefined);
    answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
    await visit('/account/verify_email');
    expect(await dom.findByRole('heading', { name: 'This page needs a connection' })).toBeTruthy();
    expect(notificationStore.get().notifyReload).toBe(false);
    bundle = async () => named('whole again');
    act(() => markAvailable());
    expect(await dom.findByText('whole again')).toBeTruthy();
  });
});

test('routePath writes the parameters of the contract as the router does', () => {
  expect(routePath('/orders/{id}/payments/{payment_id}')).toBe('/orders/:id/payments/:payment_id');
});
