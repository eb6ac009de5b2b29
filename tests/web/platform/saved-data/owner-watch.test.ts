import { afterEach, expect, test } from 'vitest';
import { isStillOwner, type Owner, watchOwner } from '#web/platform/saved-data/owner-watch.ts';
import { removeCookie, writeCookie } from '#web/platform/session/cookies.ts';
import {
  clearSession,
  ownerEpoch,
  ownerSecret,
  renewToken,
  sessionStore,
  startSession,
} from '#web/platform/session/session.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { openPage, PORTAL, TICKETS, TOKEN } from '../page.ts';

const OTHER = 'ses_00000000000000000000000002';
const RENEWED = 'ses_00000000000000000000000003';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

test('saving starts with the current session and with each sign-in', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  expect(seen.begun).toHaveLength(1);
  void clearSession();
  expect(seen.ended).toEqual([{ isElsewhere: false }]);
  startSession(OTHER);
  expect(seen.begun.map(({ secret }) => secret)).toEqual([TOKEN, OTHER]);
});

test('a signed-out owner cannot write, even after signing in again', () => {
  openPage();
  startSession(TOKEN);
  const [owner] = watch().begun;
  if (!owner) throw new Error('No owner was found.');
  expect(isStillOwner(owner)).toBe(true);
  void clearSession();
  expect(isStillOwner(owner)).toBe(false);
  startSession(TOKEN);
  expect(isStillOwner(owner)).toBe(false);
});

test('another customer’s sign-in ends the previous owner', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  startSession(OTHER);
  expect(seen.ended).toHaveLength(1);
  expect(seen.begun.at(-1)?.secret).toBe(OTHER);
});

test('a sign-out in another tab ends the session in this tab and leads it to the sign-in page', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  signOutElsewhere();
  expect(seen.ended).toEqual([{ isElsewhere: true }]);
  expect(seen.pages).toEqual([`${PORTAL}/sign_in`]);
  expect(sessionStore.get().isAuthenticated).toBe(false);
});

test('a page that needs no account stays open when another tab signs out', () => {
  openPage(`${PORTAL}/sign_in`);
  startSession(TOKEN);
  const seen = watch();
  signOutElsewhere();
  expect(seen.ended).toHaveLength(1);
  expect(seen.pages).toEqual([]);
});

test('another customer’s cookie replaces the page', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  writeCookie('session', OTHER);
  window.dispatchEvent(new Event('focus'));
  expect(seen.ended).toEqual([{ isElsewhere: true }]);
  expect(seen.emptied).toEqual([]);
  expect(seen.pages).toEqual([`${PORTAL}/orders`]);
});

test('another customer’s cookie ends a session whose token was renewed', () => {
  openPage();
  startSession(TOKEN);
  renewToken(RENEWED);
  const seen = watch();
  writeCookie('session', OTHER);
  window.dispatchEvent(new Event('focus'));
  expect(seen.ended).toEqual([{ isElsewhere: true }]);
  expect(ownerSecret()).toBe(OTHER);
});

test.each(['a sign-out', 'another customer’s sign-in'])(
  '%s reloads a page of the ticket host once no payment is pending',
  (what) => {
    openPage(`${TICKETS}/orders/ord_1/confirmation#main`);
    startSession(TOKEN);
    const seen = watch();
    const endPayment = beginBusy('a payment', 'hard');
    if (what === 'a sign-out') removeCookie('session');
    else writeCookie('session', OTHER);
    window.dispatchEvent(new Event('focus'));
    expect(seen.ended).toHaveLength(1);
    expect(seen.pages).toEqual([]);
    endPayment();
    expect(seen.pages).toEqual([null]);
  },
);

test('a page restored from the back/forward cache checks its owner again', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  removeCookie('session');
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(seen.ended).toEqual([{ isElsewhere: false }]);
  expect(seen.pages).toEqual([`${PORTAL}/sign_in`]);
});

test('a session with a renewed token keeps its owner', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  const owner = { secret: TOKEN, epoch: ownerEpoch() };
  renewToken(RENEWED);
  renewToken(OTHER);
  window.dispatchEvent(new Event('focus'));
  expect(seen).toEqual({ begun: [owner], emptied: [], ended: [], pages: [] });
  expect(isStillOwner(owner)).toBe(true);
});

test('saving restarts after the browser deletes its data, and the customer stays signed in', () => {
  openPage();
  startSession(TOKEN);
  const seen = watch();
  localStorage.clear();
  window.dispatchEvent(new Event('focus'));
  expect(seen.emptied).toEqual([{ secret: TOKEN, epoch: null }]);
  expect(seen.ended).toEqual([]);
  expect(isStillOwner({ secret: TOKEN, epoch: null })).toBe(true);
  signOutElsewhere();
  expect(seen.ended).toEqual([{ isElsewhere: true }]);
});

test('deleted data is detected even if no customer has signed in or out in this browser', () => {
  openPage();
  renewToken(TOKEN);
  let isIntact = true;
  const seen = watch(() => isIntact);
  window.dispatchEvent(new Event('focus'));
  expect(seen.emptied).toEqual([]);
  isIntact = false;
  window.dispatchEvent(new Event('focus'));
  expect(seen.emptied).toEqual([{ secret: TOKEN, epoch: null }]);
});

function watch(isIntact: () => boolean = () => true) {
  const seen = {
    begun: [] as Owner[],
    emptied: [] as Owner[],
    ended: [] as { isElsewhere: boolean }[],
    pages: [] as (string | null)[],
  };
  stops.push(
    watchOwner({
      onStart: (owner) => seen.begun.push(owner),
      onStorageCleared: (owner) => seen.emptied.push(owner),
      onEnd: (end) => seen.ended.push(end),
      isIntact,
      replacePage: (url) => seen.pages.push(url),
    }),
  );
  return seen;
}

/** Changes the cookie and the storage as a sign-out in another tab does. */
function signOutElsewhere(): void {
  removeCookie('session');
  localStorage.removeItem('is-authenticated');
  localStorage.setItem('owner-epoch', 'another');
  window.dispatchEvent(new StorageEvent('storage', { key: 'owner-epoch' }));
}
