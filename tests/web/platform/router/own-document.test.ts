import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Page } from '#contract/page.ts';
import { portalPageTable } from '#contract/portal-pages.ts';
import { screen } from '#web/platform/router/screen.ts';
import { createTestRouter } from '../../test-router.ts';
import { openPage } from '../page.ts';

vi.mock('#web/platform/analytics/outside-scripts.ts', () => ({
  needsOwnDocument: ({ title }: Page) => title === 'Sign out',
}));

const assign = vi.fn();
beforeEach(() => {
  openPage();
  assign.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation(assign);
});

test('a page that needs its own document is loaded as a new document before it preloads anything', async () => {
  const preload = vi.fn();
  await visit('/sign_out?from=menu', preload);
  expect(assign.mock.calls).toEqual([['/sign_out?from=menu']]);
  expect(preload).not.toHaveBeenCalled();
});

test('any other page is shown in the current document', async () => {
  const preload = vi.fn();
  const router = await visit('/404', preload);
  expect(router.state.location.pathname).toBe('/404');
  expect(assign).not.toHaveBeenCalled();
  expect(preload).toHaveBeenCalledTimes(1);
});

async function visit(address: string, preload: () => void) {
  const routes = (['/sign_out', '/404'] as const).map((path) =>
    screen(portalPageTable, { path, name: path, preload, component: () => null }),
  );
  const start = { path: '/start', Component: () => null };
  const router = createTestRouter([start, ...routes], ['/start'], new QueryClient());
  await router.navigate(address);
  return router;
}
