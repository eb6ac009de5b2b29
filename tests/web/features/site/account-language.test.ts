import Cookies from 'js-cookie';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { answerFetches, json, openPage, TOKEN } from '#tests/web/platform/page.ts';
import { CUSTOMER } from '#tests/web/portal/visit-portal.tsx';
import { loadAccountLanguage } from '#web/features/site/account-language.ts';
import { changeLanguage } from '#web/features/site/change-language.ts';
import { profileStore } from '#web/platform/account/profile.ts';
import { clearSession, startSession } from '#web/platform/session/session.ts';

let page: ReturnType<typeof openPage>;
let account: string | null;
let isConnected: boolean;
const saved: unknown[] = [];

beforeEach(() => {
  page = openPage();
  startSession(TOKEN);
  account = null;
  isConnected = true;
  saved.length = 0;
  answerFetches(({ init }) => {
    if (!isConnected) throw new TypeError('Failed to fetch');
    if (init.method === 'PATCH') {
      const change = JSON.parse(String(init.body));
      saved.push(change);
      account = change.language;
    }
    return json({ ...CUSTOMER, success: true, status_code: 200, language: account });
  });
});
afterEach(() => {
  for (const name of ['my-language', 'my-unsaved-language'])
    Cookies.remove(name, { domain: 'ferry.localhost' });
  openPage();
  vi.unstubAllGlobals();
});

/** What a page does once it has loaded the profile. */
async function loadPage(): Promise<string | undefined> {
  await loadAccountLanguage().catch(() => undefined);
  profileStore.set((profile) => ({ ...profile, loaded: false }));
  return Cookies.get('my-language');
}

describe('the language of the account', () => {
  test('is that of later pages', async () => {
    account = 'de';
    expect(await loadPage()).toBe('de');
    expect(saved).toEqual([]);
  });

  test('precedes what the visitor chose while signed out', async () => {
    void clearSession();
    await changeLanguage('fr');
    startSession(TOKEN);
    account = 'de';
    expect(await loadPage()).toBe('de');
    expect(saved).toEqual([]);
  });

  test('becomes what the visitor chose while signed out, if there is none', async () => {
    void clearSession();
    await changeLanguage('fr');
    startSession(TOKEN);
    expect(await loadPage()).toBe('fr');
    expect(saved).toEqual([{ language: 'fr' }]);
  });

  test('becomes what a signed-in customer chooses, once, and the page is loaded again', async () => {
    account = 'de';
    await changeLanguage('fr');
    expect(page.reloads).toBe(1);
    expect(await loadPage()).toBe('fr');
    await loadPage();
    expect(saved).toEqual([{ language: 'fr' }]);
  });

  test('becomes what the customer chose without a connection as soon as there is one', async () => {
    account = 'de';
    isConnected = false;
    await changeLanguage('nb');
    expect(page.reloads).toBe(1);
    expect(await loadPage()).toBe('nb');
    isConnected = true;
    expect(await loadPage()).toBe('nb');
    expect(saved).toEqual([{ language: 'nb' }]);
  });

  test('never becomes what the customer before chose on this device', async () => {
    isConnected = false;
    await changeLanguage('nb');
    void clearSession();
    startSession(`${TOKEN}2`);
    isConnected = true;
    account = 'de';
    expect(await loadPage()).toBe('de');
    expect(saved).toEqual([]);
  });

  test('follows a change on another device, and not an earlier choice on this one', async () => {
    await changeLanguage('fr');
    await loadPage();
    account = 'de';
    expect(await loadPage()).toBe('de');
    expect(saved).toEqual([{ language: 'fr' }]);
  });

  test('is never a language that is not offered', async () => {
    await changeLanguage('en-XA');
    expect(await loadPage()).toBe('en-XA');
    expect(saved).toEqual([]);
  });
});
