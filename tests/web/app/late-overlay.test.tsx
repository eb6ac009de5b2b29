import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LateConnectionOverlay } from '#web/app/late-overlay.tsx';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import { answerFetches, json, openPage } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

beforeEach(() => {
  openPage();
  answerFetches(() => json({}, 503));
  vi.stubGlobal('requestIdleCallback', () => undefined);
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

function renderOverlay() {
  const router = createTestRouter([{ path: '*', Component: () => <LateConnectionOverlay /> }]);
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const lost = () => screen.findByRole('heading', { name: 'Connection Lost' });

test('the overlay appears as soon as the connection is lost, without waiting for the page to be idle', async () => {
  renderOverlay();
  act(() => markUnavailable());
  expect(await lost()).toBeTruthy();
});

test('the overlay appears at once on a page that opens without a connection', async () => {
  markUnavailable();
  renderOverlay();
  expect(await lost()).toBeTruthy();
});
