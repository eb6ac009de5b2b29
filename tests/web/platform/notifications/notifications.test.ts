import { beforeEach, describe, expect, test } from 'vitest';
import {
  clearDisplayedNotifications,
  hideNotification,
  markDisplayed,
  notificationStore,
  notify,
  setNotifyReload,
} from '#web/platform/notifications/notifications.ts';
import { openPage } from '../page.ts';

beforeEach(() => void openPage());

const items = () => notificationStore.get().items;

describe('notifications', () => {
  test('start visible and not displayed, each with its own id', () => {
    const first = notify('Saved', { type: 'success' });
    const second = notify('Saved');
    expect(first).not.toBe(second);
    expect(items()).toMatchObject([
      { id: first, message: 'Saved', type: 'success', visible: true, displayed: false, persistent: false },
      { id: second, type: 'message', callback: null, callbackLabel: null },
    ]);
  });

  test('are hidden by id', () => {
    const first = notify('One');
    notify('Two');
    hideNotification(first);
    expect(items().map(({ visible }) => visible)).toEqual([false, true]);
  });

  test('are cleared only after they were displayed', () => {
    const shown = notify('Shown');
    notify('Not yet');
    markDisplayed(shown);
    clearDisplayedNotifications();
    expect(items().map(({ message }) => message)).toEqual(['Not yet']);
  });

  test('keep the flag that asks to reload when they are cleared', () => {
    setNotifyReload(true);
    clearDisplayedNotifications();
    expect(notificationStore.get().notifyReload).toBe(true);
  });
});
