import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json, openPage, TOKEN } from '#tests/web/platform/page.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { profileStore } from '#web/platform/account/profile.ts';
import { hasSessionEnded, readToken, sessionStore, startSession } from '#web/platform/session/session.ts';

beforeEach(() => {
  openPage();
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

test('signing out ends the session on the server and deletes the customer’s data on the device', async () => {
  const requests = answerApi();
  startSession(TOKEN);
  const { router, client } = await visitPortal('/orders');
  await waitFor(() => expect(profileStore.get().loaded).toBe(true));
  client.setQueryData(['customer-orders', 'kept'], 'of the last customer');
  await router.navigate('/sign_out');
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
  expect(await screen.findByText('You are signed out.')).toBeTruthy();
  const [call] = requests.filter(({ init }) => init.method === 'DELETE');
  expect(call?.url).toBe('/api/customers/sign_out');
  expect(new Headers(call?.init.headers).get('authorization')).toBe(`Bearer ${TOKEN}`);
  expect(readToken()).toBeNull();
  expect(sessionStore.get().isAuthenticated).toBe(false);
  expect(profileStore.get().loaded).toBe(false);
  expect(
    client
      .getQueryCache()
      .getAll()
      .filter((query) => query.state.data !== undefined),
  ).toEqual([]);
});

test('signing out aborts pending requests, which would fail with 401', async () => {
  const requests = answerApi();
  startSession(TOKEN);
  const { router, client } = await visitPortal('/orders');
  await waitFor(() => expect(profileStore.get().loaded).toBe(true));
  const underWay = Promise.withResolvers<AbortSignal>();
  void client.prefetchQuery({
    queryKey: ['under way'],
    queryFn: ({ signal }) => {
      underWay.resolve(signal);
      return new Promise(() => undefined);
    },
  });
  const signal = await underWay.promise;
  let wasAbortedFirst = false;
  const countDeletes = () => requests.filter(({ init }) => init.method === 'DELETE').length;
  signal.addEventListener('abort', () => {
    wasAbortedFirst = countDeletes() === 0;
  });
  await router.navigate('/sign_out');
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
  expect(wasAbortedFirst).toBe(true);
});

test('signing out works without a connection, and says that it applies to this device', async () => {
  answerApi(({ init }) => (init.method === 'DELETE' ? Promise.reject(new TypeError('Failed')) : undefined));
  startSession(TOKEN);
  const { router } = await visitPortal('/sign_out');
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
  expect(await screen.findByText(/^You are signed out on this device\./)).toBeTruthy();
  expect(readToken()).toBeNull();
});

test('a late response that the session has ended shows no message', async () => {
  answerApi(({ url }) =>
    url.pathname.endsWith('/sessions/ping')
      ? json({ success: false, errorCode: 'session_expired' }, 401)
      : undefined,
  );
  startSession(TOKEN);
  const { router } = await visitPortal('/sign_out');
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
  await screen.findByText('You are signed out.');
  expect(hasSessionEnded()).toBe(false);
});

test('a signed-out customer reaches sign-in without a request', async () => {
  const requests = answerApi();
  const { router } = await visitPortal('/sign_out');
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
  expect(requests.filter(({ init }) => init.method === 'DELETE')).toEqual([]);
});
