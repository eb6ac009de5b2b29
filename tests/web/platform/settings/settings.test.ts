import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  currentSettings,
  loadSettings,
  readSavedSettings,
  settingsStore,
} from '#web/platform/settings/settings.ts';
import { answerFetches, json, openPage, STORAGE, success } from '../page.ts';

let page: ReturnType<typeof openPage>;
beforeEach(() => {
  page = openPage();
});
afterEach(() => vi.unstubAllGlobals());

const brand = (name: string) => ({ brand: { name, accent: '#112233' } });
const name = () => currentSettings().brand.name;
const down = () => Promise.reject(new TypeError('Failed to fetch'));

describe('settings', () => {
  test('are the page’s own before anything is loaded', () => {
    expect(settingsStore.get().loaded).toBe(false);
    expect(name()).toBe('Sound Ferries');
  });

  test('come from local storage first and then from the object storage, with the time in the address', async () => {
    localStorage.setItem('app-settings', JSON.stringify(brand('Stored')));
    const names: string[] = [];
    settingsStore.subscribe(() => names.push(name()));
    const asked = answerFetches(() => json(brand('Remote')));
    await loadSettings();
    expect(names).toEqual(['Stored', 'Remote']);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.url).toMatch(new RegExp(`^${STORAGE}/public/settings/web\\.json\\?t=\\d+$`));
    expect(JSON.parse(localStorage.getItem('app-settings') ?? '')).toEqual(brand('Remote'));
  });

  test('that are equal to the current ones keep the same object, so that no screen renders again', async () => {
    const before = currentSettings();
    answerFetches(() => json({ brand: { name: 'Sound Ferries' } }));
    await loadSettings();
    expect(settingsStore.get().loaded).toBe(true);
    expect(currentSettings()).toBe(before);
  });

  test.each([
    ['cannot be reached', down],
    ['answers an error', () => json({}, 404)],
    ['answers a list', () => json([1])],
    ['answers nothing', () => json({})],
    ['answers null', () => json(null)],
    ['answers a page instead', () => new Response('<!doctype html>', { status: 200 })],
  ])('fall back to the API when the object storage %s', async (_, storage) => {
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? storage() : success(brand('From the API'))));
    await loadSettings();
    expect(name()).toBe('From the API');
    expect(localStorage.getItem('app-settings')).toContain('From the API');
  });

  test.each([
    ['as the settings object itself', () => json(brand('From the API'))],
    ['in the envelope', () => success(brand('From the API'))],
  ])('are taken from the API %s', async (_, api) => {
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? json({}, 404) : api()));
    await loadSettings();
    expect(name()).toBe('From the API');
    expect(JSON.parse(localStorage.getItem('app-settings') ?? '')).toEqual(brand('From the API'));
  });

  test('that the API answers as an empty object are not taken', async () => {
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? json({}, 404) : json({})));
    await loadSettings();
    expect(settingsStore.get().stored).toBeNull();
    expect(localStorage.getItem('app-settings')).toBeNull();
  });

  test('that only the worker kept give way to those of the API, and stand in when it is away too', async () => {
    const kept = () =>
      new Response(JSON.stringify(brand('Kept')), {
        headers: { 'content-type': 'application/json', 'x-source': 'cache' },
      });
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? kept() : down()));
    await loadSettings();
    expect(name()).toBe('Kept');
    expect(localStorage.getItem('app-settings')).toBeNull();
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? kept() : success(brand('From the API'))));
    await loadSettings();
    expect(name()).toBe('From the API');
  });

  test('stay as they are when neither source answers', async () => {
    localStorage.setItem('app-settings', JSON.stringify(brand('Stored')));
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? json({}, 500) : json({ error: 'no' }, 404)));
    await loadSettings();
    expect(name()).toBe('Stored');
    expect(settingsStore.get().loaded).toBe(true);
    expect(page.reports).toMatchObject([{ level: 'info' }]);
  });

  test.each([
    ['a list', () => json([brand('List')])],
    ['an empty object', () => json({})],
    ['a page', () => new Response('<!doctype html>', { status: 200 })],
    ['an error', () => json(brand('Error'), 500)],
  ])('are never replaced by %s, from wherever it comes', async (_, answer) => {
    localStorage.setItem('app-settings', JSON.stringify(brand('Stored')));
    answerFetches(answer);
    await loadSettings();
    expect(JSON.parse(localStorage.getItem('app-settings') ?? '')).toEqual(brand('Stored'));
    expect(name()).toBe('Stored');
  });

  test('kept on this device are there before anything is asked for, and read once', async () => {
    localStorage.setItem('app-settings', JSON.stringify(brand('Stored')));
    readSavedSettings();
    expect(name()).toBe('Stored');
    localStorage.setItem('app-settings', JSON.stringify(brand('Meddled with')));
    answerFetches(() => json({}, 500));
    await loadSettings();
    expect(name()).toBe('Stored');
  });

  test.each(['[1]', '"text"', 'null', '{broken'])(
    'in local storage that are %s are reported at info level, once a page load',
    async (text) => {
      localStorage.setItem('app-settings', text);
      answerFetches(() => json(brand('Remote')));
      readSavedSettings();
      await loadSettings();
      expect(page.reports).toMatchObject([{ level: 'info' }]);
      expect(page.reports).toHaveLength(1);
      expect(name()).toBe('Remote');
    },
  );

  test('set the accent', async () => {
    answerFetches(() => json(brand('Remote')));
    await loadSettings();
    expect(document.documentElement.style.getPropertyValue('--accent')).toBe('#112233');
  });

  test('keep the page’s own where a field is missing or of another kind', async () => {
    answerFetches(() => json({ brand: { name: 7 }, units: 'metric', contact: 'none', extra: true }));
    await loadSettings();
    expect(currentSettings()).toMatchObject({
      brand: { name: 'Sound Ferries' },
      units: 'metric',
      contact: { email: 'a@example.com' },
    });
    expect(currentSettings()).not.toHaveProperty('extra');
  });
});
