import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import { beginBusy, findBusyReason } from '#web/platform/updates/busy.ts';
import { findObjection, findReloadSafety, watchPage } from '#web/platform/updates/reload-safety.ts';
import { openPage } from '../page.ts';

let isWriting = false;

beforeEach(() => {
  vi.useFakeTimers();
  openPage();
  watchPage(() => isWriting);
});
afterEach(() => {
  document.body.replaceChildren();
  openPage();
  vi.useRealTimers();
});

test('a page without recent input and without open dialogs can be reloaded', () => {
  expect(findReloadSafety('2', null)).toEqual({ isSafe: true, isIdle: true, isBlocked: false });
  window.dispatchEvent(new Event('pointerdown'));
  expect(findReloadSafety('2', null)).toEqual({ isSafe: true, isIdle: false, isBlocked: false });
  vi.advanceTimersByTime(30_001);
  expect(findReloadSafety('2', null).isIdle).toBe(true);
});

test('a page in sight that was touched lately objects to the update of another tab, though nothing is open on it', () => {
  window.dispatchEvent(new Event('wheel'));
  expect(findBusyReason()).toBeNull();
  expect(findObjection()).toBe('page in use');
  const sight = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  expect(findObjection()).toBeNull();
  sight.mockRestore();
  vi.advanceTimersByTime(30_001);
  expect(findObjection()).toBeNull();
  const done = beginBusy('a form');
  expect(findObjection()).toBe('a form');
  done();
});

test('a page that was reloaded for this release already is left to the customer', () => {
  expect(findReloadSafety('2', '2').isSafe).toBe(false);
});

test('nothing is reloaded while the connection is lost', () => {
  markUnavailable();
  expect(findReloadSafety('2', null)).toMatchObject({ isSafe: false, isBlocked: false });
});

test('it is worth telling when something would be lost, not when it is kept over a reload', () => {
  const stop = beginBusy('a code on screen', 'light');
  expect(findReloadSafety('2', null)).toMatchObject({ isSafe: false, isBlocked: false });
  const stopToo = beginBusy('a form');
  expect(findReloadSafety('2', null)).toMatchObject({ isSafe: false, isBlocked: true });
  stop();
  stopToo();
});

test('what a screen says it is busy with counts, and so do open dialogs and fields being typed in', () => {
  expect(findBusyReason()).toBeNull();
  const done = beginBusy('a form');
  expect(findBusyReason()).toBe('a form');
  done();
  isWriting = true;
  expect(findBusyReason()).toBe('something being sent');
  isWriting = false;
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  expect(findBusyReason()).toBeNull();
  field.value = 'Ad';
  expect(findBusyReason()).toBe('something being typed');
  field.remove();
  const dialog = document.createElement('dialog');
  dialog.setAttribute('open', '');
  document.body.append(dialog);
  expect(findBusyReason()).toBe('a dialog open');
});
