import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import { useSavedCards } from '#web/features/payment/saved-cards.tsx';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { answerFetches, json, openPage } from '../../platform/page.ts';
import { listAnswer } from '../../portal/visit-portal.tsx';
import { buildPaymentCard } from '../build-payment-card.ts';

let saved: PaymentCard[];
let answer: () => Response;
let requests: ReturnType<typeof answerFetches>;

beforeEach(() => {
  vi.useFakeTimers();
  openPage();
  saved = [];
  answer = () => listAnswer(saved);
  requests = answerFetches(() => answer());
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function open(since: number | null) {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const view = renderHook((expectedSince: number | null) => useSavedCards(expectedSince), {
    wrapper,
    initialProps: since,
  });
  await pass(1000);
  return view;
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

test('the cards are fetched until the expected card appears', async () => {
  const { result } = await open(1);
  expect(result.current).toEqual({ cards: [], isPending: false, isAwaited: true });
  saved = [buildPaymentCard()];
  await pass(2000);
  expect(result.current).toMatchObject({ cards: [{ lastFour: '4242' }], isAwaited: false });
  await pass(10_000);
  expect(requests).toHaveLength(2);
});

test('an expected card that never appears is dropped, and the next expected card is fetched again', async () => {
  const { result, rerender } = await open(1);
  await pass(28_000);
  expect(result.current.isAwaited).toBe(true);
  await pass(2000);
  expect(result.current.isAwaited).toBe(false);
  const before = requests.length;
  await pass(60_000);
  expect(requests).toHaveLength(before);
  rerender(2);
  expect(result.current.isAwaited).toBe(true);
  await pass(4000);
  expect(requests.length).toBeGreaterThan(before);
});

test('the cards are not fetched again after a failed response', async () => {
  await open(1);
  answer = () => json({}, 500);
  await pass(2000);
  await pass(20_000);
  expect(requests).toHaveLength(2);
});

test('the cards are not fetched without a connection', async () => {
  await open(1);
  act(() => markUnavailable());
  await pass(20_000);
  expect(requests).toHaveLength(1);
});

test('the cards are fetched once if no card is expected', async () => {
  const { result } = await open(null);
  await pass(60_000);
  expect(result.current.isAwaited).toBe(false);
  expect(requests).toHaveLength(1);
});
