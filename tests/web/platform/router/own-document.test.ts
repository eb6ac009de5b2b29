import type { LoaderFunctionArgs } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { screen } from '#web/platform/router/screen.ts';
import { openPage, PORTAL } from '../page.ts';

vi.mock('#web/platform/analytics/outside-scripts.ts', () => ({
  needsOwnDocument: (path: string) => path === '/sign_out',
}));

beforeEach(() => {
  openPage();
});

test('a page that needs its own document is loaded as a new document before it preloads anything', async () => {
  const preload = vi.fn();
  const answer = await load('/sign_out?from=menu', preload).catch((thrown: unknown) => thrown);
  if (!(answer instanceof Response)) throw new Error('The screen was entered in the same document.');
  expect(answer.headers.get('location')).toBe('/sign_out?from=menu');
  expect(answer.headers.get('x-remix-reload-document')).toBe('true');
  expect(preload).not.toHaveBeenCalled();
});

test('any other page is shown in the current document', async () => {
  expect(await load('/404')).toBeNull();
});

async function load(path: string, preload: () => void = () => undefined): Promise<unknown> {
  const route = screen('portal', { path: '/sign_out', name: 'any', preload, component: () => null });
  if (typeof route.loader !== 'function') throw new Error('A screen has a loader.');
  const request = new Request(PORTAL + path);
  return route.loader({ request, params: {}, context: {} } as unknown as LoaderFunctionArgs);
}
