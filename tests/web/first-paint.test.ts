import { afterEach, expect, test, vi } from 'vitest';
import { markOf } from '#web/platform/mark.ts';
import { endAgain } from '#web/platform/session/end-again.ts';
import { isKnownSignedIn, readToken, startSession } from '#web/platform/session/session.ts';
import { answerFetches, buildPageConfig, json, openPage, TOKEN } from './platform/page.ts';
import { memoryStore } from './platform/saved-data/memory-store.ts';

const databases = vi.hoisted(() => new Map<string, Map<string, unknown>>());

vi.mock('idb-keyval', async (load) => ({
  ...(await load<typeof import('idb-keyval')>()),
  createStore: (name: string) => memoryStore(databases.get(name)).use,
}));

afterEach(() => {
  databases.clear();
  document.body.innerHTML = '';
  openPage();
  vi.unstubAllGlobals();
});

test('a session that was signed out of and came back with the browser is thrown away and ended', async () => {
  const asked = openSignedIn();
  databases.set('ended-sessions', new Map([[markOf(TOKEN), 1]]));
  expect(await firstPaint()).toBe(true);
  endAgain();
  expect(readToken()).toBeNull();
  expect(localStorage.getItem('is-authenticated')).toBeNull();
  expect(localStorage.getItem('wipe')).toBe('true');
  expect(asked).toMatchObject([
    {
      url: '/api/customers/sign_out',
      init: { method: 'DELETE', keepalive: true, headers: { authorization: `Bearer ${TOKEN}` } },
    },
  ]);
});

test('a session that goes on is left alone, also where another one was ended', async () => {
  const asked = openSignedIn();
  databases.set('ended-sessions', new Map([[markOf('ses_of_somebody_else'), 1]]));
  expect(await firstPaint()).toBe(false);
  expect(isKnownSignedIn()).toBe(true);
  expect(asked).toEqual([]);
});

/** As a page that was just opened, with its own copy of every module. */
async function firstPaint(): Promise<unknown> {
  vi.resetModules();
  await import('#web/first-paint.ts');
  return (window as { firstPaint?: Promise<unknown> }).firstPaint;
}

function openSignedIn() {
  openPage();
  startSession(TOKEN);
  localStorage.removeItem('wipe');
  const config = document.createElement('script');
  config.type = 'application/json';
  config.id = 'page-config';
  config.textContent = JSON.stringify(buildPageConfig());
  document.body.append(config);
  return answerFetches(() => json({ success: true }));
}
