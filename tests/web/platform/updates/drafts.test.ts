import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, startSession } from '#web/platform/session/session.ts';
import * as drafts from '#web/platform/updates/drafts.ts';
import { openPage, PORTAL } from '../page.ts';
import { resetStores } from '../reset-stores.ts';

/** A reloaded page: only what the tab stored is still there. */
function loadDrafts() {
  resetStores();
  return drafts;
}

const leave = () => window.dispatchEvent(new Event('pagehide'));
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

test('what was typed is there again after a reload, once', () => {
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leave();
  const after = loadDrafts();
  expect(after.findDraft('details')).toEqual(typed);
  after.forgetDraft('details');
  expect(after.findDraft('details')).toBeNull();
  expect(loadDrafts().findDraft('details')).toBeNull();
});

test('nothing is written down while the page is there, nor when nothing was typed', () => {
  stops.push(loadDrafts().persistDraft('details', () => typed));
  expect(sessionStorage.getItem('drafts')).toBeNull();
  stops.push(drafts.persistDraft('details', () => null));
  leave();
  expect(sessionStorage.getItem('drafts')).toBeNull();
});

test('a page that comes back from the browser’s memory leaves nothing written down', () => {
  stops.push(loadDrafts().persistDraft('details', () => typed));
  leave();
  window.dispatchEvent(new Event('pageshow'));
  expect(sessionStorage.getItem('drafts')).toBeNull();
});

test('what is out of sight, where a phone may end it, is written down until it is looked at again', () => {
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

test('another customer never sees it, and signing out keeps nothing', () => {
  startSession('gw_ada');
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leave();
  startSession('gw_bob');
  expect(loadDrafts().findDraft('details')).toBeNull();
  void clearSession();
  leave();
  expect(sessionStorage.getItem('drafts')).toBeNull();
});

test('it is of one screen', () => {
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leave();
  window.history.replaceState(null, '', '/security');
  expect(loadDrafts().findDraft('details')).toBeNull();
});

test('it is forgotten after half an hour', () => {
  vi.useFakeTimers();
  const before = loadDrafts();
  stops.push(before.persistDraft('details', () => typed));
  leave();
  vi.setSystemTime(Date.now() + 31 * 60_000);
  expect(loadDrafts().findDraft('details')).toBeNull();
  vi.useRealTimers();
});
