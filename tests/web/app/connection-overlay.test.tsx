import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionOverlay } from '#web/app/connection-overlay.tsx';
import { markAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { useStaysInSight } from '#web/platform/connection/screen-in-sight.ts';
import { answerFetches, json, openPage } from '../platform/page.ts';

let page: ReturnType<typeof openPage>;
beforeEach(() => {
  vi.useFakeTimers();
  page = openPage();
  answerFetches(() => json({}, 503));
  render(<ConnectionOverlay />);
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const button = (name: string) => screen.queryByRole('button', { name, hidden: true });
const text = (content: string) => screen.queryByText(content);

describe('the connection overlay', () => {
  test('is not there while the API is', () => {
    expect(document.querySelector('dialog')).toBeNull();
  });

  test('says that the connection is lost and being looked for', () => {
    act(markUnavailable);
    expect(text('Connection Lost')).not.toBeNull();
    expect(text("We're unable to connect to the server right now.")).not.toBeNull();
    expect(text('Attempting to reconnect to the server…')).not.toBeNull();
    expect(button('Reload Page')).toBeNull();
  });

  test('stops its spinner after 60 seconds and offers to reload', () => {
    act(markUnavailable);
    act(() => void vi.advanceTimersByTime(59_999));
    expect(button('Reload Page')).toBeNull();
    act(() => void vi.advanceTimersByTime(1));
    expect(text('Attempting to reconnect to the server…')).toBeNull();
    fireEvent.click(button('Reload Page') as HTMLElement);
    expect(page.reloads).toBe(1);
  });

  test('says when the connection is back and offers to reload, or to keep working', () => {
    act(markUnavailable);
    act(markAvailable);
    expect(text('Connection Restored')).not.toBeNull();
    expect(text("We're able to connect to the server again. Please reload the page.")).not.toBeNull();
    expect(button('Reload Page')).not.toBeNull();
    fireEvent.click(button('Keep working') as HTMLElement);
    expect(text('Connection Restored')).toBeNull();
  });

  test('starts its 60 seconds anew with each loss', () => {
    act(markUnavailable);
    act(() => void vi.advanceTimersByTime(60_000));
    act(markAvailable);
    act(markUnavailable);
    expect(text('Attempting to reconnect to the server…')).not.toBeNull();
  });

  test('docks at the edge of a screen that must stay in sight, and covers every other', () => {
    act(markUnavailable);
    expect(document.querySelector('dialog')).not.toBeNull();
    const kept = render(<KeptScreen />);
    expect(document.querySelector('dialog')).toBeNull();
    expect(text('Connection Lost')).not.toBeNull();
    kept.unmount();
    expect(document.querySelector('dialog')).not.toBeNull();
  });
});

function KeptScreen() {
  useStaysInSight();
  return <p>A ticket</p>;
}
