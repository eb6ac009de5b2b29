import { act, cleanup, render } from '@testing-library/react';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withRoot } from '#web/app/root.tsx';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { createAppRouter, whenReady } from '#web/platform/router/app-router.ts';
import { answerFetches, json, openPage } from '../platform/page.ts';

let top: number;
beforeEach(() => {
  openPage();
  answerFetches(() => json({}, 503));
  sessionStorage.clear();
  vi.stubGlobal('scrollTo', (_: number, to: number) => scroll(to));
  scroll(0);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function scroll(to: number): void {
  top = to;
  vi.stubGlobal('scrollY', to);
}

async function show() {
  const routes = withRoot([{ path: '*', Component: () => <main id="main" tabIndex={-1} /> }]);
  const router = createAppRouter(routes, createQueryClient());
  await whenReady(router);
  const view = await act(async () => render(<RouterProvider router={router} />));
  return {
    router,
    leave: () => {
      window.dispatchEvent(new Event('pagehide'));
      view.unmount();
      router.dispose();
    },
  };
}

test('a page that was scrolled before the app started stays where it is', async () => {
  scroll(640);
  await show();
  expect(top).toBe(640);
});

test('a new screen begins at its top, and going back returns to where it was left', async () => {
  const { router } = await show();
  const left = window.history.state;
  scroll(700);
  await act(() => router.navigate('/trip_cards'));
  expect(top).toBe(0);
  await act(async () => {
    window.history.replaceState(left, '', '/');
    window.dispatchEvent(new PopStateEvent('popstate'));
    await vi.waitFor(() => expect(router.state.location.pathname).toBe('/'));
  });
  expect(top).toBe(700);
});

test('a filter keeps the position', async () => {
  const { router } = await show();
  scroll(300);
  await act(() => router.navigate('?view=past', { replace: true, preventScrollReset: true }));
  expect(top).toBe(300);
});

test('a freshly opened page of the tab begins at its top, whatever was left before', async () => {
  window.history.replaceState(null, '');
  const first = await show();
  scroll(1551);
  first.leave();
  scroll(0);
  window.history.pushState(null, '', '/orders/new');
  await show();
  expect(top).toBe(0);
});

test('a reloaded page is shown where it was left', async () => {
  const first = await show();
  scroll(450);
  first.leave();
  expect(window.history.scrollRestoration).toBe('auto');
  scroll(0);
  await show();
  expect(top).toBe(450);
});
