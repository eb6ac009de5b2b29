import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getSecurity } from '#contract/identity/security/endpoints.ts';
import { checkSession } from '#web/platform/account/ping.ts';
import { profileStore } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import { markUnavailable } from '#web/platform/connection/connection.ts';
import {
  isKnownSignedIn,
  readToken,
  sessionStore,
  setAuthenticated,
  setDestination,
  startSession,
} from '#web/platform/session/session.ts';
import { answerFetches, hanging, json, openPage, PORTAL, TOKEN } from '../page.ts';

const CUSTOMER = { id: 'cus_1', email: 'a@example.com', name: 'Ann', success: true };

beforeEach(() => {
  vi.useFakeTimers();
  openPage();
  startSession(TOKEN);
});
afterEach(() => {
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function answerPing(answer: () => Response | Promise<Response>) {
  return answerFetches(({ url }) => (url.includes('/sessions/ping') ? answer() : json(CUSTOMER)));
}

describe('the session ping', () => {
  test.each([true, false])('signs the customer in when it succeeds (flag before: %s)', async (before) => {
    setAuthenticated(before);
    answerPing(() => json({ success: true, errorCode: null }));
    expect(await checkSession()).toBe(true);
    expect(sessionStore.get().isAuthenticated).toBe(true);
    expect(localStorage.getItem('is-authenticated')).toBe('true');
  });

  test.each(['network_error', 'timeout', 'internal_server_error', 'rate_limited'])(
    'keeps the signed-in flag when it fails with %s',
    async (errorCode) => {
      for (const before of [true, false]) {
        setAuthenticated(before);
        answerPing(() => json({ success: false, errorCode }));
        expect(await checkSession()).toBe(before);
      }
    },
  );

  test.each([
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a status of 500', () => json({}, 500)],
    ['a status of 429', () => json({}, 429)],
  ])('keeps the signed-in flag and the token after %s', async (_, answer) => {
    answerPing(answer as () => Response | Promise<Response>);
    expect(await checkSession()).toBe(true);
    expect(readToken()).toBe(TOKEN);
  });

  test.each([403, 404])(
    'keeps the session when another server responds with a page of status %i',
    async (status) => {
      const page = openPage();
      startSession(TOKEN);
      answerPing(() => new Response('<h1>No</h1>', { status, headers: { 'content-type': 'text/html' } }));
      expect(await checkSession()).toBe(true);
      expect(readToken()).toBe(TOKEN);
      expect(localStorage.getItem('is-authenticated')).toBe('true');
      expect(page.navigations).toEqual([]);
    },
  );

  test('keeps the signed-in flag when no response arrives within three seconds', async () => {
    answerFetches(hanging);
    const checked = checkSession();
    await vi.advanceTimersByTimeAsync(3000);
    expect(await checked).toBe(true);
  });

  test.each([null, 'session_expired', 'anything'])(
    'signs the customer out when it fails with %s',
    async (errorCode) => {
      answerPing(() => json({ success: false, errorCode }));
      expect(await checkSession()).toBe(false);
      expect(sessionStore.get().isAuthenticated).toBe(false);
    },
  );

  test('extends the cookie by 365 days when it succeeds', async () => {
    const written: string[] = [];
    const write = vi.spyOn(document, 'cookie', 'set').mockImplementation((text) => void written.push(text));
    answerPing(() => json({ success: true, errorCode: null }));
    await checkSession();
    write.mockRestore();
    expect(written).toHaveLength(1);
    expect(written[0]).toContain(`my-session=${TOKEN}`);
    const expires = Date.parse(/expires=([^;]+)/.exec(written[0] ?? '')?.[1] ?? '');
    expect(Math.round((expires - Date.now()) / 86_400_000)).toBe(365);
  });

  test('does not change the cookie if it contains another token by then', async () => {
    answerPing(() => {
      startSession('another');
      return json({ success: true, errorCode: null });
    });
    await checkSession();
    expect(readToken()).toBe('another');
  });

  test.each([
    [403, 'step_up_required'],
    [429, 'rate_limited'],
  ])('keeps the customer signed in when another call fails with status %i', async (status, code) => {
    answerFetches(() => json({ success: false, errors: [{ code, message: 'No.' }] }, status));
    await request(getSecurity).catch(() => undefined);
    expect(readToken()).toBe(TOKEN);
    expect(sessionStore.get().isAuthenticated).toBe(true);
  });

  test('clears the session and leads to sign-in when it is rejected', async () => {
    const page = openPage();
    startSession(TOKEN);
    answerPing(() => json({ success: false, errorCode: 'unauthenticated' }, 401));
    expect(await checkSession()).toBe(false);
    expect(readToken()).toBeNull();
    expect(page.navigations).toEqual([`${PORTAL}/sign_in`]);
  });

  test('does not leave a page that needs no account when it is rejected', async () => {
    const page = openPage();
    startSession(TOKEN);
    answerPing(() => json({}, 401));
    setDestination('/account/verify_email');
    await checkSession();
    expect(readToken()).toBeNull();
    expect(page.navigations).toEqual([]);
  });

  test('is not sent without a token, and the customer counts as signed out', async () => {
    openPage();
    setAuthenticated(true);
    const requests = answerPing(() => json({ success: true }));
    expect(await checkSession()).toBe(false);
    expect(requests).toEqual([]);
  });

  test('is not sent while the API is known to be unavailable', async () => {
    const requests = answerPing(() => json({ success: false, errorCode: null }));
    markUnavailable();
    expect(await checkSession()).toBe(true);
    expect(requests.filter(({ url }) => url.includes('/sessions/ping'))).toEqual([]);
  });

  test('is sent once for all screens of one navigation', async () => {
    const requests = answerPing(() => json({ success: true }));
    await Promise.all([checkSession(), checkSession()]);
    expect(requests.filter(({ url }) => url.includes('/sessions/ping'))).toHaveLength(1);
  });

  test('loads the profile of the signed-in customer', async () => {
    answerPing(() => json({ success: true }));
    await checkSession();
    await vi.waitFor(() => expect(profileStore.get().loaded).toBe(true));
    expect(profileStore.get().customer.name).toBe('Ann');
  });
});

describe('isKnownSignedIn', () => {
  test('requires both the flag and the token', () => {
    expect(isKnownSignedIn()).toBe(true);
    setAuthenticated(false);
    expect(isKnownSignedIn()).toBe(false);
    openPage();
    setAuthenticated(true);
    expect(isKnownSignedIn()).toBe(false);
  });
});
