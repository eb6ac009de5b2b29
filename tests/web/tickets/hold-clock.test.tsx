import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { HoldClock } from '#web/tickets/hold-clock.tsx';
import { PurchaseContext, useDraft } from '#web/tickets/purchase.ts';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, buildHold, changeDraft, currentPurchase, refusal } from './visit-tickets.tsx';

const start = Date.parse('2026-07-24T09:00:00Z');
const inSeconds = (seconds: number) => new Date(start + seconds * 1000).toISOString();

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  openPage(TICKETS);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Screen({ onExpire }: { onExpire: () => void }) {
  const { hold } = useDraft();
  return (
    <>
      {hold && <HoldClock hold={hold} onExpire={onExpire} />}
      <StickyBar>
        <button type="button">Pay $9.25</button>
      </StickyBar>
    </>
  );
}

/** A screen whose hold has ten minutes left. */
function show() {
  changeDraft({ hold: { id: 'hld_1', expiresAt: inSeconds(600), canExtend: true, clockOffset: 0 } });
  const onExpire = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <PurchaseContext value={currentPurchase()}>
        <Screen onExpire={onExpire} />
      </PurchaseContext>
    </QueryClientProvider>,
  );
  const bar = screen.getByRole('button', { name: 'Pay $9.25' }).parentElement as HTMLElement;
  return { bar: within(bar), onExpire };
}

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
const announced = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join('');

test('the clock moves into the sticky bar for its last two minutes and is announced', async () => {
  const { bar, onExpire } = show();
  expect(screen.getByText('Held for you:').nextSibling?.textContent).toBe('10:00');
  await pass(479);
  expect(bar.queryByRole('timer')).toBeNull();
  await pass(1);
  expect(bar.getByRole('timer').textContent).toBe('2:00');
  expect(screen.getAllByRole('timer')).toHaveLength(1);
  expect(announced()).toBe(
    'Your places are held for you: 2 minutes left. Choose “More time” to keep them longer.',
  );
  await pass(120);
  expect(onExpire).toHaveBeenCalledOnce();
});

test('"More time" extends the hold, moves the clock out of the bar, and disappears when it cannot be used again', async () => {
  answerApi({
    'PATCH /api/holds/hld_1': () =>
      success(buildHold({ expires_at: inSeconds(1080), can_extend: false, as_of: inSeconds(490) })),
  });
  const { bar, onExpire } = show();
  await pass(490);
  fireEvent.click(bar.getByRole('button', { name: 'More time' }));
  await pass(2);
  expect(bar.queryByRole('timer')).toBeNull();
  expect(screen.getByRole('timer').textContent).toMatch(/^9:4\d$/);
  expect(announced()).toBe('You have more time. Your places are still held.');
  await pass(480);
  expect(bar.getByRole('timer')).toBeDefined();
  expect(bar.queryByRole('button', { name: 'More time' })).toBeNull();
  expect(onExpire).not.toHaveBeenCalled();
});

test('a refusal to extend the hold replaces the button in the bar', async () => {
  answerApi({
    'PATCH /api/holds/hld_1': () => refusal('hold_not_extendable', 'You already had more time.'),
  });
  const { bar } = show();
  await pass(490);
  fireEvent.click(bar.getByRole('button', { name: 'More time' }));
  await pass(2);
  expect(bar.getByRole('alert').textContent).toContain('You already had more time.');
  expect(bar.queryByRole('button', { name: 'More time' })).toBeNull();
});
