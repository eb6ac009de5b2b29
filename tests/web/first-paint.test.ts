import type { UseStore } from 'idb-keyval';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { APP_SCRIPT, SNAPSHOT_STYLES } from '#contract/page-elements.ts';
import { startFirstPaint } from '#web/first-paint.ts';
import { setTextLanguage } from '#web/language/page-language.ts';
import { fingerprint } from '#web/platform/fingerprint.ts';
import { takeEarlyRead } from '#web/platform/saved-data/early-read.ts';
import { encryptorFromSecret, installSalt } from '#web/platform/saved-data/encryption.ts';
import { endRestoredSession, endRestoredSessionLate } from '#web/platform/saved-data/end-restored-session.ts';
import { SNAPSHOT_SCHEMA, snapshotName } from '#web/platform/saved-data/screen-snapshot.ts';
import { clearSession, isKnownSignedIn, readToken, startSession } from '#web/platform/session/session.ts';
import { onReload } from '#web/platform/updates/reload.ts';
import { answerFetches, buildPageConfig, json, openPage, PORTAL, TOKEN } from './platform/page.ts';
import { memoryStore } from './platform/saved-data/memory-store.ts';

const STYLES = 'styles';

const databases = vi.hoisted(() => new Map<string, Map<string, unknown>>());
/** A promise by database name that delays the response of a slow database. */
const responses = vi.hoisted(() => new Map<string, Promise<unknown>>());

vi.mock('idb-keyval', async (load) => ({
  ...(await load<typeof import('idb-keyval')>()),
  createStore: (name: string) => {
    const { use } = memoryStore(databases.get(name));
    return (async (mode, work) => {
      await responses.get(name);
      return use(mode, work);
    }) satisfies UseStore;
  },
}));

afterEach(() => {
  vi.restoreAllMocks();
  databases.clear();
  responses.clear();
  vi.useRealTimers();
  document.body.innerHTML = '';
  document.head.innerHTML = '';
  openPage();
  setTextLanguage('en-US');
  vi.unstubAllGlobals();
});

test('a session that was signed out of and that the browser restored is ended', async () => {
  const requests = openSignedIn();
  databases.set('ended-sessions', new Map([[fingerprint(TOKEN), 1]]));
  expect(await startFirstPaint().endedToken).toBe(TOKEN);
  endRestoredSession(TOKEN);
  expect(readToken()).toBeNull();
  expect(localStorage.getItem('is-authenticated')).toBeNull();
  expect(localStorage.getItem('wipe')).toBe('true');
  expect(requests).toMatchObject([
    {
      url: '/api/customers/sign_out',
      init: { method: 'DELETE', keepalive: true, headers: { authorization: `Bearer ${TOKEN}` } },
    },
  ]);
});

test('a valid session continues, even if another one was ended', async () => {
  const requests = openSignedIn();
  databases.set('ended-sessions', new Map([[fingerprint('ses_of_another_customer'), 1]]));
  expect(await startFirstPaint().endedToken).toBeNull();
  expect(isKnownSignedIn()).toBe(true);
  expect(requests).toEqual([]);
});

test('the app starts without waiting for a slow storage and gets its response later', async () => {
  openSignedIn();
  databases.set('ended-sessions', new Map([[fingerprint(TOKEN), 1]]));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  responses.set('ended-sessions', new Promise((resolve) => setTimeout(resolve, 900)));
  const mayStart = vi.fn();
  const ended = vi.fn();
  const { firstPaint, endedToken } = startFirstPaint();
  void firstPaint.then(mayStart);
  void endedToken.then(ended);
  await vi.advanceTimersByTimeAsync(299);
  expect(mayStart).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(mayStart).toHaveBeenCalled();
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(900);
  expect(ended).toHaveBeenCalledWith(TOKEN);
});

test('the app waits longer for a storage that responds slowly, up to a limit', async () => {
  openSignedIn();
  await saveSnapshot();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // The snapshot itself is never decrypted.
  vi.spyOn(crypto.subtle, 'sign').mockReturnValue(new Promise(() => undefined));
  const mayStart = vi.fn();
  void startFirstPaint().firstPaint.then(mayStart);
  await vi.advanceTimersByTimeAsync(990);
  expect(mayStart).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(mayStart).toHaveBeenCalled();
});

test('the app does not wait for a database that does not respond', async () => {
  openSignedIn();
  await saveSnapshot();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  responses.set('first-paint', new Promise(() => undefined));
  const mayStart = vi.fn();
  void startFirstPaint().firstPaint.then(mayStart);
  await vi.advanceTimersByTimeAsync(299);
  expect(mayStart).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(mayStart).toHaveBeenCalled();
});

test('a snapshot that is found in time is painted before the app may start', async () => {
  openSignedIn();
  await saveSnapshot();
  await startFirstPaint().firstPaint;
  expect(document.getElementById('root')?.textContent).toBe('Balance $25.00');
});

test('the age of what is painted is in the page’s language, also before its messages are loaded', async () => {
  openSignedIn();
  setTextLanguage('de');
  await saveSnapshot({
    html: '<time data-age="balance" datetime="2026-06-05T09:30:00">as of today, 9:30 AM</time>',
  });
  await startFirstPaint().firstPaint;
  expect(document.getElementById('root')?.textContent).toBe('5. Juni 2026, 09:30');
});

test('what would be typed or chosen on a painted snapshot and lost cannot be entered', async () => {
  openSignedIn();
  await saveSnapshot({
    html: '<input id="name"><select id="view"></select><input id="past" type="checkbox">',
  });
  await startFirstPaint().firstPaint;
  const find = (id: string) => document.getElementById(id) as HTMLInputElement;
  expect(find('name').readOnly).toBe(true);
  expect([find('view').inert, find('past').inert]).toEqual([true, true]);
});

test('the saved data behind a painted snapshot is read for the app', async () => {
  openSignedIn();
  await saveSnapshot();
  databases.set('account-data', new Map([['name', 'encrypted']]));
  await startFirstPaint().firstPaint;
  const read = takeEarlyRead(TOKEN);
  expect(await read?.stored).toEqual(new Map([['name', 'encrypted']]));
});

test('the saved data of a signed-out session is not read for the app', async () => {
  openSignedIn();
  await saveSnapshot();
  databases.set('ended-sessions', new Map([[fingerprint(TOKEN), 1]]));
  await startFirstPaint().firstPaint;
  expect(takeEarlyRead(TOKEN)).toBeNull();
});

test('the app is loaded after the snapshot’s frame', async () => {
  openSignedIn();
  await saveSnapshot();
  let isFramePainted = false;
  requestAnimationFrame(() => {
    isFramePainted = true;
  });
  const { firstPaint } = startFirstPaint();
  expect(isAppInserted()).toBe(false);
  await firstPaint;
  expect(isFramePainted).toBe(true);
  await vi.waitFor(() => expect(isAppInserted()).toBe(true));
});

test('the app is loaded immediately if nothing was saved', async () => {
  openSignedIn();
  startFirstPaint();
  await Promise.resolve();
  expect(isAppInserted()).toBe(true);
});

test('a snapshot of another release is painted if it used the same styles', async () => {
  openSignedIn();
  await saveSnapshot();
  const config = document.getElementById('page-config');
  if (config) config.textContent = JSON.stringify({ ...buildPageConfig(), version: 'the next release' });
  await startFirstPaint().firstPaint;
  expect(document.getElementById('root')?.textContent).toBe('Balance $25.00');
});

test('a snapshot with other styles is not painted', async () => {
  openSignedIn();
  await saveSnapshot({ styles: 'other styles' });
  await startFirstPaint().firstPaint;
  expect(document.getElementById('root')?.textContent).toBe('');
});

test('a snapshot of an older schema is not painted', async () => {
  openSignedIn();
  await saveSnapshot({ schema: SNAPSHOT_SCHEMA - 1 });
  await startFirstPaint().firstPaint;
  expect(document.getElementById('root')?.textContent).toBe('');
});

describe('a snapshot that is found after the app may have started', () => {
  test('is painted while nothing else is shown', async () => {
    await findLate();
    expect(document.getElementById('root')?.textContent).toBe('Balance $25.00');
  });

  test('does not replace what the app shows', async () => {
    await findLate(() => document.getElementById('root')?.append('Trip Cards', document.createElement('p')));
    expect(document.getElementById('root')?.textContent).toBe('Trip Cards');
  });

  test('is not painted on another page', async () => {
    await findLate(() => history.replaceState(null, '', '/sign_in'));
    expect(document.getElementById('root')?.textContent).toBe('');
  });

  test('is not painted after a sign-out', async () => {
    await findLate(() => localStorage.setItem('wipe', 'true'));
    expect(document.getElementById('root')?.textContent).toBe('');
  });

  /** The storage responds after 400 ms; the app runs `act` before that. */
  async function findLate(act = () => {}): Promise<void> {
    openSignedIn();
    await saveSnapshot();
    const opened = vi.spyOn(crypto.subtle, 'decrypt');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    responses.set('ended-sessions', new Promise((resolve) => setTimeout(resolve, 400)));
    const mayStart = vi.fn();
    const { firstPaint, endedToken } = startFirstPaint();
    void firstPaint.then(mayStart);
    await vi.advanceTimersByTimeAsync(300);
    expect(mayStart).toHaveBeenCalled();
    act();
    await vi.advanceTimersByTimeAsync(110);
    vi.useRealTimers();
    expect(await endedToken).toBeNull();
    await vi.waitFor(() => expect(opened).toHaveBeenCalled());
    await opened.mock.results[0]?.value;
    await new Promise((resolve) => setTimeout(resolve));
  }
});

test('an app that started with a signed-out session reloads once without it', () => {
  openSignedIn();
  const reload = vi.fn();
  onReload(reload);
  endRestoredSessionLate(TOKEN);
  endRestoredSessionLate(TOKEN);
  expect(reload).toHaveBeenCalledTimes(1);
  expect(readToken()).toBeNull();
});

test('an app whose cookie cannot be removed does not reload repeatedly', () => {
  openSignedIn();
  const reload = vi.fn();
  onReload(reload);
  vi.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
  endRestoredSessionLate(TOKEN);
  expect(readToken()).toBe(TOKEN);
  expect(isKnownSignedIn()).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

test.each(['ses_of_a_new_sign_in', null])(
  'a late response does not end the session if the cookie contains %s by then',
  (token) => {
    const requests = openSignedIn();
    if (token === null) void clearSession();
    else startSession(token);
    endRestoredSession(TOKEN);
    expect(readToken()).toBe(token);
    expect(requests).toEqual([]);
  },
);

test('a malformed cookie does not prevent the app from starting', async () => {
  openSignedIn();
  vi.spyOn(document, 'cookie', 'get').mockReturnValue('my-session=%E0%A4%A');
  expect(await startFirstPaint().endedToken).toBeNull();
});

/** Stores a snapshot of Trip Cards. */
async function saveSnapshot({
  schema = SNAPSHOT_SCHEMA,
  styles = STYLES,
  html = '<p>Balance $25.00</p>',
} = {}): Promise<void> {
  const snapshot = { styles, html };
  const { tag, nameRecord, encrypt } = await encryptorFromSecret(TOKEN, installSalt());
  const name = await nameRecord(snapshotName(window.location) ?? '');
  const record = { schema, tag, at: Date.now(), until: null, ...(await encrypt(name, snapshot)) };
  databases.set('first-paint', new Map([[name, record]]));
}

function isAppInserted(): boolean {
  return document.head.querySelector(':scope > [data-app]') !== null;
}

function openSignedIn() {
  openPage(`${PORTAL}/trip_cards`);
  startSession(TOKEN);
  localStorage.removeItem('wipe');
  localStorage.removeItem('install-salt');
  const config = document.createElement('script');
  config.type = 'application/json';
  config.id = 'page-config';
  config.textContent = JSON.stringify(buildPageConfig());
  const root = document.createElement('div');
  root.id = 'root';
  document.body.append(config, root);
  const files = '<script type="text/plain" data-app></script>';
  document.head.innerHTML = `<meta name="${SNAPSHOT_STYLES}" content="${STYLES}" /><template id="${APP_SCRIPT}">${files}</template>`;
  return answerFetches(() => json({ success: true }));
}
