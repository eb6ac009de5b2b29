import { beforeEach, expect, test, vi } from 'vitest';
import { carryOverNotifications } from '#web/platform/notifications/carry-over.ts';
import { hideNotification, notificationStore, notify } from '#web/platform/notifications/notifications.ts';
import { clearSession, startSession } from '#web/platform/session/session.ts';
import { openPage, TOKEN } from '../page.ts';

let shown = new Set<string>();

beforeEach(() => {
  openPage();
  shown = new Set();
});

// The listeners of one page serve all tests; each test resets the notifications.
carryOverNotifications(() => shown);
const leavePage = () => window.dispatchEvent(new Event('pagehide'));
const shownMessages = () => notificationStore.get().items.map(({ message, type }) => ({ message, type }));

/** Loads the next document in this tab and returns its notifications. */
function loadNextDocument() {
  notificationStore.set({ items: [], notifyReload: false });
  carryOverNotifications(() => new Set(notificationStore.get().items.map(({ id }) => id)));
  return shownMessages();
}

test('a notification shown while the page is left is shown once in the next document', () => {
  notify('You are already signed in', { type: 'warning' });
  leavePage();
  expect(loadNextDocument()).toEqual([{ message: 'You are already signed in', type: 'warning' }]);
  expect(sessionStorage.length).toBe(0);
  expect(loadNextDocument()).toEqual([]);
});

test('a notification already shown, dismissed, or with a button is not carried over', () => {
  shown.add(notify('Seen before'));
  hideNotification(notify('Waved off'));
  notify('Press me', { callback: () => undefined, callbackLabel: 'Press' });
  leavePage();
  expect(sessionStorage.length).toBe(0);
  expect(loadNextDocument()).toEqual([]);
});

test('a customer’s notification is neither stored nor shown after they sign out', () => {
  startSession(TOKEN);
  notify('Your card is added');
  void clearSession();
  notify('You are signed out.');
  leavePage();
  expect(sessionStorage.getItem('notifications')).not.toContain('card');
  expect(loadNextDocument()).toEqual([{ message: 'You are signed out.', type: 'message' }]);
  startSession(TOKEN);
  notify('Your card is added');
  leavePage();
  startSession('ses_of_another_customer');
  expect(loadNextDocument()).toEqual([]);
  expect(sessionStorage.length).toBe(0);
});

test('a page restored from the cache, or loaded after a minute, shows no carried-over notification', () => {
  notify('Saved');
  leavePage();
  window.dispatchEvent(new Event('pageshow'));
  expect(sessionStorage.length).toBe(0);
  leavePage();
  vi.useFakeTimers();
  vi.setSystemTime(Date.now() + 61_000);
  expect(loadNextDocument()).toEqual([]);
  vi.useRealTimers();
});
