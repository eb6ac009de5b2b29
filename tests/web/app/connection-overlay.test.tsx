import { IsRestoringProvider, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useRef } from 'react';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionOverlay } from '#web/app/connection-overlay.tsx';
import {
  connectionPhase,
  markAvailable,
  markUnavailable,
  writesPaused,
} from '#web/platform/connection/connection.ts';
import { useReadableOffline, useShowsAtGate } from '#web/platform/connection/readable-offline.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { tripCardsQuery } from '#web/portal/trip-cards/queries.ts';
import { Modal } from '#web/ui/popup/modal.tsx';
import { useModalDialog } from '#web/ui/popup/use-modal-dialog.ts';
import { openPage, TICKETS } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

let page: ReturnType<typeof openPage>;
let client: QueryClient;
beforeEach(() => {
  vi.useFakeTimers();
  page = openPage();
  client = new QueryClient();
});
afterEach(() => {
  cleanup();
  openPage();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Renders the overlay beside a screen, with the route of that screen. */
function renderBeside(
  screenBehind: ReactNode = null,
  { isReadableOffline = false, isRestoring = false } = {},
) {
  const handle = { name: 'any', isReadableOffline };
  const Component = () => (
    <>
      {screenBehind}
      <ConnectionOverlay />
    </>
  );
  const router = createTestRouter([{ path: '*', handle, Component }]);
  return render(
    <QueryClientProvider client={client}>
      <IsRestoringProvider value={isRestoring}>
        <RouterProvider router={router} />
      </IsRestoringProvider>
    </QueryClientProvider>,
  );
}

const button = (name: string) => screen.queryByRole('button', { name, hidden: true });
const link = (name: string) => screen.queryByRole('link', { name, hidden: true });
const text = (content: string) => screen.queryByText(content);
const cover = () => document.querySelector('[role=alertdialog]');
const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));
const lose = () => act(() => markUnavailable());
const restore = () => act(() => markAvailable());

describe('the connection overlay', () => {
  test('is not shown while the API is available', () => {
    renderBeside();
    expect(cover()).toBeNull();
  });

  test('says that the connection is lost and that the page tries to reconnect', () => {
    renderBeside();
    lose();
    expect(text('Connection Lost')).not.toBeNull();
    expect(text("We're unable to connect to the server right now.")).not.toBeNull();
    expect(text('Attempting to reconnect to the server…')).not.toBeNull();
    expect(button('Reload Page')).toBeNull();
  });

  test('stops its spinner after 60 seconds and offers to reload', () => {
    renderBeside();
    lose();
    pass(59_999);
    expect(button('Reload Page')).toBeNull();
    pass(1);
    expect(text('Attempting to reconnect to the server…')).toBeNull();
    fireEvent.click(button('Reload Page') as HTMLElement);
    expect(page.reloads).toBe(1);
  });

  test('counts only the seconds in which it was visible', () => {
    renderBeside();
    lose();
    pass(30_000);
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    pass(300_000);
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    pass(29_000);
    expect(button('Reload Page')).toBeNull();
    pass(1000);
    expect(button('Reload Page')).not.toBeNull();
  });

  test('restarts its 60 seconds after the device has slept', () => {
    renderBeside();
    lose();
    pass(30_000);
    const awake = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(awake + 3_600_000);
    pass(1000);
    clock.mockRestore();
    pass(59_000);
    expect(button('Reload Page')).toBeNull();
  });

  test('says when the connection is back and offers to reload, or to keep working', () => {
    renderBeside();
    lose();
    restore();
    expect(text('Connection Restored')).not.toBeNull();
    expect(text("We're able to connect to the server again. Please reload the page.")).not.toBeNull();
    expect(button('Reload Page')).not.toBeNull();
    fireEvent.click(button('Keep working') as HTMLElement);
    expect(text('Connection Restored')).toBeNull();
    expect(connectionPhase.get()).toBe('available');
    expect(writesPaused.get()).toBe(true);
  });

  test('restarts its 60 seconds with each loss', () => {
    renderBeside();
    lose();
    pass(60_000);
    restore();
    lose();
    expect(text('Attempting to reconnect to the server…')).not.toBeNull();
  });
});

describe('the presentation of the overlay', () => {
  test('docks at the edge of a screen that is readable offline, and covers every other screen', () => {
    renderBeside();
    lose();
    expect(cover()).not.toBeNull();
    const readable = render(<ReadableScreen />);
    expect(cover()).toBeNull();
    expect(text('Connection Lost')).not.toBeNull();
    readable.unmount();
    expect(cover()).not.toBeNull();
  });

  test('does not cover a screen that may be readable offline while saved data is restored', () => {
    renderBeside(null, { isReadableOffline: true, isRestoring: true });
    lose();
    expect(cover()).toBeNull();
    cleanup();
    renderBeside(null, { isReadableOffline: false, isRestoring: true });
    expect(cover()).not.toBeNull();
  });

  test('covers a screen whose dialog is open, because a docked card behind it could not be pressed', () => {
    renderBeside(<ReadableScreen />);
    lose();
    expect(cover()).toBeNull();
    const opened = render(
      <Modal title="Rename" onClose={() => undefined}>
        A name
      </Modal>,
    );
    expect(cover()).not.toBeNull();
    opened.unmount();
    expect(cover()).toBeNull();
  });

  test('collapses on a press, and expands again when the connection state changes', () => {
    renderBeside(<ReadableScreen />);
    lose();
    fireEvent.click(button('Show less') as HTMLElement);
    expect(button('Show more')?.getAttribute('aria-expanded')).toBe('false');
    restore();
    expect(button('Show less')).not.toBeNull();
  });

  test('starts as one line with the age of the data on a screen with a code or a balance', () => {
    renderBeside(<TicketScreen age="saved 8:04 AM" />);
    lose();
    expect(text('· saved 8:04 AM')).not.toBeNull();
    expect(text("We're unable to connect to the server right now.")).not.toBeNull();
    fireEvent.click(button('Show more') as HTMLElement);
    expect(text('· saved 8:04 AM')).toBeNull();
    restore();
    expect(text('Connection Restored')).not.toBeNull();
    expect(button('Show less')).not.toBeNull();
  });

  test('opens beside a code as soon as it offers to reload', () => {
    renderBeside(<TicketScreen age="saved 8:04 AM" />);
    lose();
    expect(button('Show more')).not.toBeNull();
    pass(60_000);
    expect(button('Reload Page')).not.toBeNull();
    expect(button('Show less')).not.toBeNull();
    restore();
    expect(button('Show less')).not.toBeNull();
    expect(button('Reload Page')?.closest('[data-compact]')).not.toBeNull();
  });

  test('is lower where neither edge has room for all of it', () => {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      if (this.hasAttribute('data-gate-code')) return rectangle(120, 660);
      return this.closest('[data-place=top]') ? rectangle(8, 208) : rectangle(584, 784);
    });
    renderBeside(
      <TicketScreen>
        <i data-gate-code="" />
      </TicketScreen>,
    );
    lose();
    const card = document.querySelector<HTMLElement>('[data-place=bottom] > div');
    expect(card?.style.maxHeight).toBe('120px');
  });

  test('becomes one line when a code appears, unless a tap has opened it', () => {
    renderBeside(<ReadableScreen />);
    lose();
    expect(button('Show less')).not.toBeNull();
    const opened = render(<TicketScreen />);
    expect(button('Show more')).not.toBeNull();
    fireEvent.click(button('Show more') as HTMLElement);
    render(<TicketScreen />);
    expect(button('Show less')).not.toBeNull();
    opened.unmount();
  });

  test('moves to the other edge while it would cover a code, and disappears if it would cover codes at both edges', () => {
    const codes = { upper: rectangle(0, 100), lower: rectangle(600, 800) };
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const code = this.getAttribute('data-gate-code');
      if (code !== null) return code === 'upper' ? codes.upper : codes.lower;
      return this.closest('[data-place=top]') ? rectangle(8, 52) : rectangle(740, 784);
    });
    renderBeside(
      <TicketScreen>
        <i data-gate-code="upper" />
        <i data-gate-code="lower" />
      </TicketScreen>,
    );
    lose();
    const place = () => document.querySelector<HTMLElement>('[data-place]')?.dataset.place;
    expect(place()).toBe('none');
    codes.upper = rectangle(-200, -100);
    fireEvent.scroll(document);
    expect(place()).toBe('top');
    codes.lower = rectangle(100, 300);
    codes.upper = rectangle(-20, 20);
    fireEvent.scroll(document);
    expect(place()).toBe('bottom');
  });

  test('is rendered inside a dialog that is readable offline', () => {
    renderBeside(<ReadableScreen />);
    render(<ReadableDialog />);
    lose();
    expect(cover()).toBeNull();
    expect(text('Connection Lost')?.closest('dialog')).not.toBeNull();
  });

  test('links from a covered screen to the saved screens', () => {
    client.setQueryData(tripCardsQuery.queryKey, { pages: [], pageParams: [] });
    renderBeside();
    lose();
    expect(link('See saved trip cards')?.getAttribute('href')).toBe('/trip_cards');
    expect(link('See saved orders')).toBeNull();
  });

  test('links a visitor to the tickets saved in this browser as soon as they are read', () => {
    openPage(`${TICKETS}/`);
    renderBeside();
    lose();
    expect(link('See saved tickets F93V-SVF1')).toBeNull();
    const order = { id: 'ord_1', reference: 'F93V-SVF1', tickets: [{}] };
    act(() => {
      client.setQueryData<unknown>(orderQuery('ord_1').queryKey, order);
      client.setQueryData<unknown>(orderQuery('ord_2').queryKey, { ...order, id: 'ord_2', tickets: [] });
      vi.advanceTimersByTime(0);
    });
    expect(screen.getAllByRole('link', { hidden: true })).toHaveLength(1);
    expect(link('See saved tickets F93V-SVF1')?.getAttribute('href')).toBe('/orders/ord_1/confirmation');
  });
});

function ReadableScreen() {
  useReadableOffline();
  return <p>A ticket</p>;
}

function TicketScreen({ age = '', children }: { age?: string; children?: ReactNode }) {
  useReadableOffline();
  useShowsAtGate(age);
  return <p>A code {children}</p>;
}

function ReadableDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useModalDialog(dialog, () => undefined);
  return <dialog ref={dialog} data-readable="" />;
}

function rectangle(top: number, bottom: number): DOMRect {
  return new DOMRect(0, top, 300, bottom - top);
}
