import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { Outlet } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withRoot } from '#web/app/root.tsx';
import { whenReady } from '#web/platform/router/app-router.ts';
import { layout, loadScreen } from '#web/platform/router/screen.ts';
import { answerFetches, json, openPage } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

beforeEach(() => {
  openPage();
  answerFetches(() => json({}));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A header with a state, to see that it stays. */
function Frame() {
  const [presses, setPresses] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setPresses(presses + 1)}>
        header {presses}
      </button>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}

function Broken(): never {
  throw new Error('broken');
}

const missing = () =>
  Promise.reject(new TypeError('Failed to fetch dynamically imported module: /screen.js'));

const routes = withRoot([
  layout(Frame, [
    { path: '/cards', Component: () => <h1>Cards</h1> },
    { path: '/broken', Component: Broken },
    { path: '/missing', lazy: async () => ({ Component: await loadScreen(missing) }) },
  ]),
]);

test.each([
  ['/broken', 'Something went wrong'],
  ['/missing', 'Please reload the page'],
])('the header stays around a screen that fails at %s, and leads to other screens', async (path, title) => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const router = createTestRouter(routes, ['/cards']);
  await whenReady(router);
  render(<RouterProvider router={router} onError={() => undefined} />);
  fireEvent.click(screen.getByRole('button', { name: 'header 0' }));
  await act(() => router.navigate(path));
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(title);
  expect(screen.getByRole('button', { name: 'header 1' })).toBeTruthy();
  await act(() => router.navigate('/cards'));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Cards');
  vi.restoreAllMocks();
});
