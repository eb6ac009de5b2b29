import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NotificationHost } from '#web/app/notification-host.tsx';
import {
  clearDisplayedNotifications,
  notificationStore,
  notify,
  setNotifyReload,
} from '#web/platform/notifications/notifications.ts';
import { openPage } from '../platform/page.ts';

let page: ReturnType<typeof openPage>;
beforeEach(() => {
  page = openPage();
  render(<NotificationHost />);
});
afterEach(() => {
  cleanup();
  openPage();
});

const text = (content: string) => screen.queryByText(content);

test('a notification is shown, counts as displayed, and disappears with the next navigation', () => {
  act(() => void notify('Saved', { type: 'success' }));
  expect(text('Saved')).not.toBeNull();
  expect(notificationStore.get().items[0]?.displayed).toBe(true);
  act(clearDisplayedNotifications);
  expect(text('Saved')).toBeNull();
});

test('a persistent notification stays during navigations until it is hidden', () => {
  act(() => void notify('Payment is being checked', { persistent: true }));
  act(clearDisplayedNotifications);
  expect(text('Payment is being checked')).not.toBeNull();
  fireEvent.click(screen.getByRole('button'));
  expect(text('Payment is being checked')).toBeNull();
  act(clearDisplayedNotifications);
  expect(notificationStore.get().items).toEqual([]);
});

test('the button of a notification runs its action once and closes the notification', () => {
  const callback = vi.fn();
  act(() => void notify('Your balance is low', { callback, callbackLabel: 'Top up' }));
  fireEvent.click(screen.getByRole('button', { name: 'Top up' }));
  expect(callback).toHaveBeenCalledTimes(1);
  expect(text('Your balance is low')).toBeNull();
});

test('an outdated page offers to reload', () => {
  act(() => setNotifyReload(true));
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }));
  expect(page.reloads).toBe(1);
  expect(text('This page is out of date. Please reload it.')).not.toBeNull();
});

test('a waiting release and a failed update each have their own text', () => {
  act(() => setNotifyReload(true, 'ready'));
  expect(text('A new version is ready. Reload when you have finished.')).not.toBeNull();
  act(() => setNotifyReload(true, 'failed'));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(page.reloads).toBe(1);
});
