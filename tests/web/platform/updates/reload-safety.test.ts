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
  expect(findReloadSafety('2', null)).toEqual({ isSafe: true, isIdle: true, isAnnounced: true });
  window.dispatchEvent(new Event('pointerdown'));
  expect(findReloadSafety('2', null)).toEqual({ isSafe: true, isIdle: false, isAnnounced: true });
  vi.advanceTimersByTime(30_001);
  expect(findReloadSafety('2', null).isIdle).toBe(true);
});

test('a visible page with recent input objects to the update of another tab', () => {
  window.dispatchEvent(new Event('wheel'));
  expect(findBusyReason()).toBeNull();
  expect(findObjection()).toBe('page in use');
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  expect(findObjection()).toBeNull();
  visibility.mockRestore();
  vi.advanceTimersByTime(30_001);
  expect(findObjection()).toBeNull();
  const done = beginBusy('a form');
  expect(findObjection()).toBe('a form');
  done();
});

test('a page that was already reloaded for this release is not reloaded again', () => {
  expect(findReloadSafety('2', '2').isSafe).toBe(false);
});

test('a page is not reloaded while the connection is lost', () => {
  markUnavailable();
  expect(findReloadSafety('2', null)).toMatchObject({ isSafe: false, isAnnounced: false });
});

test('a reload that has to wait is announced, except over a code that is being scanned', () => {
  const endDraft = beginBusy('a draft', 'light');
  expect(findReloadSafety('2', null)).toMatchObject({ isSafe: false, isAnnounced: true });
  document.body.innerHTML = '<div data-gate-code></div>';
  expect(findReloadSafety('2', null)).toMatchObject({ isSafe: false, isAnnounced: false });
  endDraft();
});

test('a page is busy with a reason of its screen, a pending write, a field being typed in or an open dialog', () => {
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
