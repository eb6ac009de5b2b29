import { beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { createAppRouter, whenReady } from '#web/platform/router/app-router.ts';
import { redirectFrom } from '#web/platform/router/screen.ts';
import { openPage, PORTAL } from '../page.ts';

const routes = ['/orders', '/security', '/404'].map((path) => ({ path, loader: () => null }));

beforeEach(() => {
  openPage();
});

test('going back to an address that redirects leaves no entry for it in the history', async () => {
  window.history.replaceState(null, '', `${PORTAL}/orders`);
  const router = createAppRouter([...routes, redirectFrom('/old', '/security')], createQueryClient());
  await whenReady(router);
  goBackTo('/old');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/security'));
  expect(router.state.historyAction).toBe('REPLACE');
  router.dispose();
});

/** As the browser does. */
function goBackTo(path: string): void {
  window.history.replaceState({ idx: -1 }, '', PORTAL + path);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

test('a link to an address that redirects adds one entry to the history', async () => {
  window.history.replaceState(null, '', `${PORTAL}/orders`);
  const router = createAppRouter([...routes, redirectFrom('/old', '/security')], createQueryClient());
  await whenReady(router);
  await router.navigate('/old');
  expect(router.state).toMatchObject({ historyAction: 'PUSH', location: { pathname: '/security' } });
  router.dispose();
});
