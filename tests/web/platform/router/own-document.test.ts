import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Page } from '#contract/page.ts';
import { portalPageTable } from '#contract/portal-pages.ts';
import { screenHandle } from '#web/platform/router/app-router.ts';
import { type Redirect, screen } from '#web/platform/router/screen.ts';
import { openPage, PORTAL } from '../page.ts';

vi.mock('#web/platform/analytics/outside-scripts.ts', () => ({
  needsOwnDocument: ({ title }: Page) => title === 'Sign out',
}));

beforeEach(() => {
  openPage();
});

test('a page that needs its own document is loaded as a new document before it preloads anything', async () => {
  const preload = vi.fn();
  const redirect = await enter('/sign_out', '?from=menu', preload);
  expect(redirect).toEqual({ redirectTo: '/sign_out?from=menu', inNewDocument: true });
  expect(preload).not.toHaveBeenCalled();
});

test('any other page is shown in the current document', async () => {
  expect(await enter('/404')).toBeNull();
});

async function enter(
  path: '/sign_out' | '/404',
  search = '',
  preload: () => void = () => undefined,
): Promise<Redirect | null | undefined> {
  const route = screen(portalPageTable, { path, name: 'any', preload, component: () => null });
  const url = new URL(PORTAL + path + search);
  const { signal } = new AbortController();
  return screenHandle(route.handle)?.enter?.({ params: {}, url, client: new QueryClient(), signal });
}
