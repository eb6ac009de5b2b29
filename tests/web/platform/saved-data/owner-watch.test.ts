import { afterEach, expect, test } from 'vitest';
import { isStillOwner, type Owner, watchOwner } from '#web/platform/saved-data/owner-watch.ts';
import { removeCookie } from '#web/platform/session/cookies.ts';
import { ownerEpoch, takeNewToken } from '#web/platform/session/ownership.ts';
import { clearSession, renewToken, sessionStore, startSession } from '#web/platform/session/session.ts';
import { openPage, PORTAL, TOKEN } from '../page.ts';

const OTHER = 'ses_00000000000000000000000002';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

test('keeping begins with the session that is there, and with each sign-in', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  expect(seen.begun).toHaveLength(1);
  void clearSession();
  expect(seen.ended).toEqual([{ isElsewhere: false }]);
  startSession(OTHER);
  expect(seen.begun.map(({ token }) => token)).toEqual([TOKEN, OTHER]);
});

test('nobody may write for an owner who has signed out, not even one who signs in again', () => {
  openPage();
  startSession(TOKEN);
  const [owner] = watch().begun;
  if (!owner) throw new Error('Nobody began.');
  expect(isStillOwner(owner)).toBe(true);
  void clearSession();
  expect(isStillOwner(owner)).toBe(false);
  startSession(TOKEN);
  expect(isStillOwner(owner)).toBe(false);
});

test('another customer’s sign-in ends the one before', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  startSession(OTHER);
  expect(seen.ended).toHaveLength(1);
  expect(seen.begun.at(-1)?.token).toBe(OTHER);
});

test('a sign-out in another tab empties this one and takes it to the sign-in page', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  signOutElsewhere();
  expect(seen.ended).toEqual([{ isElsewhere: true }]);
  expect(seen.pages).toEqual([`${PORTAL}/sign_in`]);
  expect(sessionStore.get().isAuthenticated).toBe(false);
});

test('a page that needs no account stays when another tab signs out', () => {
  openPage(`${PORTAL}/sign_in`);
  startSession(TOKEN);
  const seen = watch();
  signOutElsewhere();
  expect(seen.ended).toHaveLength(1);
  expect(seen.pages).toEqual([]);
});

test('a cookie that became another customer’s starts the page anew, wherever that happened', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  renewToken(OTHER);
  window.dispatchEvent(new Event('focus'));
  expect(seen.ended).toEqual([{ isElsewhere: true }]);
  expect(seen.renewed).toEqual([]);
  expect(seen.pages).toEqual([`${PORTAL}/orders`]);
});

test('a page that comes back from the browser’s own cache looks whose it is', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  removeCookie('session');
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(seen.ended).toEqual([{ isElsewhere: false }]);
  expect(seen.pages).toEqual([`${PORTAL}/sign_in`]);
});

test('the same session under a new token goes on, in this tab and in others', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  const other = watch();
  const epoch = ownerEpoch();
  takeNewToken(OTHER);
  window.dispatchEvent(new Event('focus'));
  for (const tab of [seen, other]) {
    expect(tab.renewed).toEqual([{ token: OTHER, epoch }]);
    expect(tab.ended).toEqual([]);
    expect(tab.pages).toEqual([]);
  }
});

test('a browser that threw everything away signed nobody out: keeping begins anew', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  localStorage.clear();
  window.dispatchEvent(new Event('focus'));
  expect(seen.renewed).toEqual([{ token: TOKEN, epoch: null }]);
  expect(seen.ended).toEqual([]);
  expect(isStillOwner({ token: TOKEN, epoch: null })).toBe(true);
  signOutElsewhere();
  expect(seen.ended).toEqual([{ isElsewhere: true }]);
});

test('what the browser threw away is noticed also where nobody ever signed in or out in it', () => {
  openPage();
  renewToken(TOKEN);
  let isIntact = true;
  const seen = watch(() => isIntact);
  window.dispatchEvent(new Event('focus'));
  expect(seen.renewed).toEqual([]);
  isIntact = false;
  window.dispatchEvent(new Event('focus'));
  expect(seen.renewed).toEqual([{ token: TOKEN, epoch: null }]);
});

function watch(isIntact: () => boolean = () => true) {
  const seen = {
    begun: [] as Owner[],
    renewed: [] as Owner[],
    ended: [] as { isElsewhere: boolean }[],
    pages: [] as string[],
  };
  stops.push(
    watchOwner({
      onBegun: (owner) => seen.begun.push(owner),
      onRenewed: (owner) => seen.renewed.push(owner),
      onEnded: (end) => seen.ended.push(end),
      isIntact,
      replacePage: (url) => seen.pages.push(url),
    }),
  );
  return seen;
}

/** What another tab's sign-out leaves behind. */
function signOutElsewhere(): void {
  removeCookie('session');
  localStorage.removeItem('is-authenticated');
  localStorage.setItem('owner-epoch', 'another');
  window.dispatchEvent(new StorageEvent('storage', { key: 'owner-epoch' }));
}
