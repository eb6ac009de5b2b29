import { QueryClient } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RouterView } from '#web/app/router-view.tsx';
import { createAppRouter } from '#web/platform/router/app-router.ts';
import { createBrowserHistory } from '#web/platform/router/history.ts';
import { openPage } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

let scrolledTo: number[];
beforeEach(() => {
  openPage();
  sessionStorage.clear();
  scrolledTo = [];
  vi.stubGlobal('scrollTo', (_: number, top: number) => {
    scrolledTo.push(top);
    scrollTop(top);
  });
  scrollTop(0);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function scrollTop(top: number): void {
  vi.stubGlobal('scrollY', top);
}

async function show(...addresses: string[]) {
  const router = createTestRouter([{ path: '*', Component: () => <h2 id="later">Later</h2> }], addresses);
  const view = render(<RouterView router={router} />);
  return { router, ...view };
}

test('a new screen begins at its top, and going back returns to where it was left', async () => {
  const { router } = await show('/orders');
  expect(scrolledTo).toEqual([]);
  scrollTop(700);
  await act(() => router.navigate('/trip_cards'));
  expect(scrolledTo).toEqual([0]);
  await act(() => router.navigate(-1));
  expect(scrolledTo).toEqual([0, 700]);
});

test('a filter keeps the position', async () => {
  const { router } = await show('/orders');
  scrollTop(300);
  await act(() => router.navigate('/orders?view=past', { replace: true, preventScrollReset: true }));
  expect(scrolledTo).toEqual([]);
});

test('a hash scrolls to its target', async () => {
  const scrollIntoView = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
  const { router } = await show('/orders');
  await act(() => router.navigate('#later'));
  expect(scrollIntoView).toHaveBeenCalledTimes(1);
  await act(() => router.navigate('#%'));
  expect(scrolledTo).toEqual([0]);
});

test('a newly opened page of the tab begins at its top, and a reloaded one where it was left', async () => {
  const open = () => {
    const routes = [{ path: '*', Component: () => null }];
    const router = createAppRouter(routes, new QueryClient(), { history: createBrowserHistory() });
    return render(<RouterView router={router} />);
  };
  const leave = ({ unmount }: ReturnType<typeof open>, top: number) => {
    scrollTop(top);
    window.dispatchEvent(new Event('pagehide'));
    unmount();
  };
  window.history.replaceState(null, '');
  leave(open(), 1551);
  window.history.pushState(null, '');
  leave(open(), 200);
  expect(scrolledTo).toEqual([]);
  open();
  expect(scrolledTo).toEqual([200]);
});

test('the position survives a reload', async () => {
  const { router, unmount } = await show('/orders');
  scrollTop(450);
  window.dispatchEvent(new Event('pagehide'));
  expect(window.history.scrollRestoration).toBe('auto');
  unmount();
  const { key } = router.state.location;
  expect(JSON.parse(sessionStorage.getItem('scroll-positions') ?? '')).toEqual({ [key]: 450 });
});
