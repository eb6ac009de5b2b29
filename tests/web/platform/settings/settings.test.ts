import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setTextLanguage } from '#web/language/page-language.ts';
import { loadSettings } from '#web/platform/settings/load-settings.ts';
import { currentSettings, readSavedSettings, settingsStore } from '#web/platform/settings/settings.ts';
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
  test('come from the page before anything is loaded', () => {
    expect(settingsStore.get().loaded).toBe(false);
    expect(name()).toBe('Sound Ferries');
  });

  test('come first from local storage and then from the object storage, with the time in the address', async () => {
    localStorage.setItem('app-settings', JSON.stringify(brand('Stored')));
    const names: string[] = [];
    settingsStore.subscribe(() => names.push(name()));
    const requests = answerFetches(() => json(brand('Remote')));
    await loadSettings();
    expect(names).toEqual(['Stored', 'Remote']);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.url).toMatch(new RegExp(`^${STORAGE}/public/settings/web\\.json\\?t=\\d+$`));
    expect(JSON.parse(localStorage.getItem('app-settings') ?? '')).toEqual(brand('Remote'));
  });

  test('are shown in the page’s language, with the operator’s text where it is not translated', async () => {
    setTextLanguage('de');
    answerFetches(() =>
      json({
        brand: { tagline: 'All year round.', 'tagline@de': 'Das ganze Jahr.' },
        contact: { booth_hours: 'Every day.', 'booth_hours@fr': 'Tous les jours.' },
      }),
    );
    await loadSettings();
    expect(currentSettings().brand.tagline).toBe('Das ganze Jahr.');
    expect(currentSettings().contact.booth_hours).toBe('Every day.');
    setTextLanguage('fr');
    expect(currentSettings().contact.booth_hours).toBe('Tous les jours.');
    setTextLanguage('en-US');
  });

  test('keep the same object if the loaded ones are equal, so that no screen renders again', async () => {
    const before = currentSettings();
    answerFetches(() => json({ brand: { name: 'Sound Ferries' } }));
    await loadSettings();
    expect(settingsStore.get().loaded).toBe(true);
    expect(currentSettings()).toBe(before);
  });

  test.each([
    ['cannot be reached', down],
    ['returns an error', () => json({}, 404)],
    ['returns a list', () => json([1])],
    ['returns an empty object', () => json({})],
    ['returns null', () => json(null)],
    ['returns a page', () => new Response('<!doctype html>', { status: 200 })],
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

  test('ignore an empty object from the API', async () => {
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? json({}, 404) : json({})));
    await loadSettings();
    expect(settingsStore.get().stored).toBeNull();
    expect(localStorage.getItem('app-settings')).toBeNull();
  });

  test('come from the worker’s cache only if the API is unavailable too', async () => {
    const cached = () =>
      new Response(JSON.stringify(brand('Kept')), {
        headers: { 'content-type': 'application/json', 'x-source': 'cache' },
      });
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? cached() : down()));
    await loadSettings();
    expect(name()).toBe('Kept');
    expect(localStorage.getItem('app-settings')).toBeNull();
    answerFetches(({ url }) => (url.startsWith(STORAGE) ? cached() : success(brand('From the API'))));
    await loadSettings();
    expect(name()).toBe('From the API');
  });

  test('do not change when both sources fail', async () => {
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
  ])('are never replaced by %s from either source', async (_, answer) => {
    localStorage.setItem('app-settings', JSON.stringify(brand('Stored')));
    answerFetches(answer);
    await loadSettings();
    expect(JSON.parse(localStorage.getItem('app-settings') ?? '')).toEqual(brand('Stored'));
    expect(name()).toBe('Stored');
  });

  test('are read from local storage once, before any request', async () => {
    localStorage.setItem('app-settings', JSON.stringify(brand('Stored')));
    readSavedSettings();
    expect(name()).toBe('Stored');
    localStorage.setItem('app-settings', JSON.stringify(brand('Meddled with')));
    answerFetches(() => json({}, 500));
    await loadSettings();
    expect(name()).toBe('Stored');
  });

  test.each(['[1]', '"text"', 'null', '{broken'])(
    'report the stored value %s once per page load, at info level',
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

  test('set the accent color', async () => {
    answerFetches(() => json(brand('Remote')));
    await loadSettings();
    expect(document.documentElement.style.getPropertyValue('--accent')).toBe('#112233');
  });

  test('keep the page’s value if a field is missing or has another type', async () => {
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
