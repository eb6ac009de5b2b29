import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createAppRouter, whenReady } from '#web/platform/router/app-router.ts';
import { createMemoryHistory } from '#web/platform/router/history.ts';
import { createTestRouter } from '../../test-router.ts';
import { openPage } from '../page.ts';

const enter = vi.fn();
const routes = ['/orders', '/security', '/sign_in', '/404'].map((path) => ({
  path,
  handle: { name: path, enter: ({ url }: { url: URL }) => enter(url.pathname + url.search) },
}));

beforeEach(() => {
  openPage();
  enter.mockReset();
  enter.mockResolvedValue(null);
});

test('a navigation changes the address when its screen is loaded', async () => {
  const router = createTestRouter(routes, ['/orders']);
  const entered = Promise.withResolvers<null>();
  enter.mockReturnValue(entered.promise);
  const navigated = router.navigate('/security?page=2');
  expect(router.state.navigation.state).toBe('loading');
  expect(router.history.location.pathname).toBe('/orders');
  entered.resolve(null);
  await navigated;
  expect(router.state).toMatchObject({ historyAction: 'PUSH', navigation: { state: 'idle' } });
  expect(router.history.location).toMatchObject({ pathname: '/security', search: '?page=2' });
});

test('a router that starts at a link enters only its screen, and goes back to the screen of the address', async () => {
  const history = createMemoryHistory(['/orders']);
  const router = createAppRouter(routes, new QueryClient(), { history, startAt: '/security' });
  await whenReady(router);
  expect(router.state).toMatchObject({ historyAction: 'PUSH', location: { pathname: '/security' } });
  expect(enter.mock.calls).toEqual([['/security']]);
  await router.navigate(-1);
  expect(router.state.location.pathname).toBe('/orders');
});

test('a later navigation cancels an earlier one', async () => {
  const router = createTestRouter(routes, ['/orders']);
  const slow = Promise.withResolvers<null>();
  enter.mockReturnValueOnce(slow.promise);
  const first = router.navigate('/security');
  await router.navigate('/404');
  slow.resolve(null);
  await first;
  expect(router.state.location.pathname).toBe('/404');
});

test('a new hash on the same screen does not enter it again', async () => {
  const router = createTestRouter(routes, ['/orders']);
  await vi.waitFor(() => expect(router.state.isInitialized).toBe(true));
  await router.navigate('#main');
  expect(router.state.location.hash).toBe('#main');
  expect(enter).toHaveBeenCalledTimes(1);
});

test('a screen that redirects leaves no entry in the history', async () => {
  const router = createTestRouter(routes, ['/404', '/sign_in', '/orders']);
  enter.mockImplementation(async (path) => (path === '/sign_in' ? { redirectTo: '/security' } : null));
  await router.navigate(-1);
  expect(router.state).toMatchObject({ historyAction: 'REPLACE', location: { pathname: '/security' } });
  await router.navigate(-1);
  expect(router.state.location.pathname).toBe('/404');
});

test('a screen that cannot be entered shows its error, and can be entered again', async () => {
  const router = createTestRouter(routes, ['/orders']);
  const error = new Error('out of order');
  enter.mockRejectedValueOnce(error);
  await router.navigate('/security');
  expect(router.state).toMatchObject({ location: { pathname: '/security' }, failure: { error } });
  await router.navigate('/security', { replace: true });
  expect(router.state.failure).toBeNull();
});

test('a path without a leading slash is relative to the current screen', async () => {
  const router = createTestRouter(routes, ['/orders?view=past']);
  await router.navigate({ search: '' });
  expect(router.history.location).toMatchObject({ pathname: '/orders', search: '' });
  await router.navigate('?view=all', { state: { from: 'here' } });
  expect(router.history.location).toMatchObject({ search: '?view=all', state: { from: 'here' } });
});
