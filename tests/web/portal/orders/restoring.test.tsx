import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { App } from '#web/app/app.tsx';
import { withRoot } from '#web/app/root.tsx';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { createStore } from '#web/platform/create-store.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { whenReady } from '#web/platform/router/app-router.ts';
import { startSession } from '#web/platform/session/session.ts';
import { orderByReferenceQuery } from '#web/portal/orders/queries.ts';
import { routes } from '#web/portal/routes.tsx';
import { answerFetches, openPage, TOKEN } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';
import { buildOrder, NOW, referenceOf } from '../build-order.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
  answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an order opened offline reports no problem until saved data is restored, and then shows the order', async () => {
  const reference = referenceOf(1);
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const router = createTestRouter(withRoot(routes), [`/orders?order=${reference}`], client);
  const isRestoring = createStore(true);
  const { queryKey } = orderByReferenceQuery(reference);
  await whenReady(router);
  await vi.waitFor(() => expect(client.getQueryState(queryKey)?.status).toBe('error'));
  render(<App client={client} router={router} isRestoring={isRestoring} />);
  // The screen's chunk is loaded with its heading.
  await screen.findByRole('heading', { name: `Order ${reference}` });
  expect(screen.getByText('Loading your order…')).toBeTruthy();
  expect(screen.queryByText('Your order could not be loaded')).toBeNull();
  await act(async () => {
    client.setQueryData(queryKey, camelCased(buildOrder(1)));
    isRestoring.set(false);
  });
  expect(await screen.findByRole('img', { name: 'Ticket code F93V SVF1' })).toBeTruthy();
  expect(screen.queryByText('Your order could not be loaded')).toBeNull();
});
