import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, startSession } from '#web/platform/session/session.ts';
import * as drafts from '#web/platform/updates/drafts.ts';
import { openPage, PORTAL } from '../page.ts';
import { resetStores } from '../reset-stores.ts';

/** Reloads the page: only the data in the tab’s storage remains. */
function loadDrafts() {
  resetStores();
  return drafts;
}

const leavePage = () => window.dispatchEvent(new Event('pagehide'));
const typed = { name: 'Ada', phone: '+1' };

let stops: (() => void)[] = [];
beforeEach(() => {
  stops = [];
  openPage(`${PORTAL}/account`);
});
afterEach(() => {
  for (const stop of stops) stop();
  openPage();
});

test('a draft is restored once after a reload', () => {
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leavePage();
  const after = loadDrafts();
  expect(after.findDraft('details')).toEqual(typed);
  after.forgetDraft('details');
  expect(after.findDraft('details')).toBeNull();
  expect(loadDrafts().findDraft('details')).toBeNull();
});

test('no draft is stored while the page is open, or if nothing was typed', () => {
  stops.push(loadDrafts().persistDraft('details', () => typed));
  expect(sessionStorage.getItem('drafts')).toBeNull();
  stops.push(drafts.persistDraft('details', () => null));
  leavePage();
  expect(sessionStorage.getItem('drafts')).toBeNull();
});

test('a stored draft is removed when the page is restored from the back/forward cache', () => {
  stops.push(loadDrafts().persistDraft('details', () => typed));
  leavePage();
  window.dispatchEvent(new Event('pageshow'));
  expect(sessionStorage.getItem('drafts')).toBeNull();
});

test('a draft is stored while the page is hidden, and removed when it is visible again', () => {
  stops.push(loadDrafts().persistDraft('details', () => typed));
  const show = (state: 'hidden' | 'visible') => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  show('hidden');
  expect(sessionStorage.getItem('drafts')).toContain('Ada');
  show('visible');
  expect(sessionStorage.getItem('drafts')).toBeNull();
  show('hidden');
  vi.restoreAllMocks();
  expect(loadDrafts().findDraft('details')).toEqual(typed);
});

test('a draft is not restored for another customer, and is deleted on sign-out', () => {
  startSession('gw_ada');
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leavePage();
  startSession('gw_bob');
  expect(loadDrafts().findDraft('details')).toBeNull();
  void clearSession();
  leavePage();
  expect(sessionStorage.getItem('drafts')).toBeNull();
});

test('a draft is not restored on another screen', () => {
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leavePage();
  window.history.replaceState(null, '', '/security');
  expect(loadDrafts().findDraft('details')).toBeNull();
});

test('a draft expires after half an hour', () => {
  vi.useFakeTimers();
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leavePage();
  vi.setSystemTime(Date.now() + 31 * 60_000);
  expect(loadDrafts().findDraft('details')).toBeNull();
  vi.useRealTimers();
});
