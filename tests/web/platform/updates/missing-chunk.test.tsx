import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { apiAvailable, markAvailable } from '#web/platform/connection/connection.ts';
import { notificationStore, setNotifyReload } from '#web/platform/notifications/notifications.ts';
import { handleMissingChunk, lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { answerFetches, json, openPage } from '../page.ts';

const GONE = new TypeError('Failed to fetch dynamically imported module: /assets/x.js');
const isOutdated = () => notificationStore.get().notifyReload;
const down = () => Promise.reject(new TypeError('Failed to fetch'));

beforeEach(() => void openPage());
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

test('a missing chunk asks the customer to reload only if the API is available', async () => {
  answerFetches(down);
  await handleMissingChunk();
  expect(isOutdated()).toBe(false);
  expect(apiAvailable.get()).toBe(false);
  answerFetches(() => json({}));
  act(() => markAvailable());
  await handleMissingChunk();
  expect(isOutdated()).toBe(true);
});

test('the API is not checked if the customer was already asked to reload', async () => {
  const requests = answerFetches(() => json({}));
  setNotifyReload(true);
  await handleMissingChunk();
  expect(requests).toEqual([]);
});

test('a chunk that fails without a connection is loaded when the connection is back', async () => {
  answerFetches(down);
  const load = vi.fn<() => Promise<() => string>>().mockRejectedValueOnce(GONE);
  load.mockResolvedValue(() => 'the part');
  const Part = lazyComponent(load);
  render(
    <Suspense fallback="one moment">
      <Part />
    </Suspense>,
  );
  await waitFor(() => expect(apiAvailable.get()).toBe(false));
  expect(screen.getByText('one moment')).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
  act(() => markAvailable());
  expect(await screen.findByText('the part')).toBeTruthy();
  expect(isOutdated()).toBe(false);
});
