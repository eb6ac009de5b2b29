import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import { pageConfig } from '#server/pages/front-end.ts';
import { createSitePages } from '#server/pages/site/site-pages.ts';
import { loadHomeData } from '#server/sailings/home-data.ts';
import { findSettingsProblems, mergeSettings } from '#server/settings/merge-settings.ts';
import { loadWebSettings, storeWebSettings } from '#server/settings/web-settings.ts';
import { buildFeed, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const stored = {
  brand: { name: 'Sound Ferries', tagline: 'All year round.', 'tagline@de': 'Das ganze Jahr.' },
  contact: { booth_hours: 'Every day.', 'booth_hours@no': 'Hver dag.', 'booth_hours@fr': ' ' },
  legal: {
    privacy_url: 'https://sound.example/privacy',
    'privacy_url@de': 'https://sound.example/datenschutz',
  },
  terms: { version: '1', text: ['Be on time.'], 'text@de': ['Seien Sie pünktlich.'], 'text@fr': [] },
};

describe('settings in other languages', () => {
  it('take the place of the operator’s texts for readers of the language, and no other keys are sent', () => {
    const { settings } = mergeSettings(stored, null);
    const german = translateSettings(settings, 'de-AT');
    expect(german).toMatchObject({
      brand: { name: 'Sound Ferries', tagline: 'Das ganze Jahr.' },
      contact: { booth_hours: 'Every day.' },
      legal: { privacy_url: 'https://sound.example/datenschutz' },
      terms: { text: ['Seien Sie pünktlich.'] },
      language: 'de-AT',
    });
    expect(JSON.stringify(german)).not.toContain('@');
    expect(translateSettings(settings, 'nb').contact.booth_hours).toBe('Hver dag.');
  });

  it('fall back to the operator’s texts where they are blank', () => {
    const french = translateSettings(mergeSettings(stored, null).settings, 'fr');
    expect(french.contact.booth_hours).toBe('Every day.');
    expect(french.terms.text).toEqual(['Be on time.']);
  });

  it('do not translate a text of another source', () => {
    const { settings } = mergeSettings({ brand: { tagline: 'To every island.' } }, stored);
    expect(translateSettings(settings, 'de').brand.tagline).toBe('To every island.');
  });

  it('are checked like the operator’s texts', () => {
    const tooLong = 'a'.repeat(161);
    expect(
      findSettingsProblems({
        brand: { 'tagline@de': tooLong, 'tagline@tlh': 'nuqneH', 'name@de': 'Sundfähren' },
        contact: stored.contact,
        terms: { 'text@de': 'Seien Sie pünktlich.' },
      }),
    ).toMatchObject([
      { path: 'brand.name@de', message: 'There is no such setting.' },
      { path: 'brand.tagline@de', message: 'This is not text of 1 to 160 characters, or empty (null).' },
      { path: 'brand.tagline@tlh', message: '"tlh" is none of the languages en, de, nb, fr.' },
      {
        path: 'terms.text@de',
        message: 'This is not a list of up to 100 paragraphs of 1 to 4000 characters.',
      },
    ]);
  });
});

describe('an installation with texts in several languages', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ now: MONDAY });
    const files = { 'vessels.csv': 'code,name,name@de,passengers\ntern,MV Tern,MS Seeschwalbe,10\n' };
    await importFeed(server.database.db, buildFeed(files));
    await storeWebSettings(server.context, stored);
  });
  afterAll(() => server.close());

  it('publishes them beside the operator’s, for devices that change the language', async () => {
    const { body } = await server.request('GET', '/api/settings/web');
    expect(body.data.brand).toMatchObject({ tagline: 'All year round.', 'tagline@de': 'Das ganze Jahr.' });
  });

  it('has them on the page of a route', async () => {
    const data = {
      settings: await loadWebSettings(server.context),
      home: await loadHomeData(server.context),
      fingerprint: '',
    };
    const pages = createSitePages(server.context, {
      styles: [],
      loadData: async () => data,
      createConfig: (settings) => pageConfig(server.context, 'tickets', settings, 'abc'),
    });
    const read = async (language: string) => {
      const page = await pages.find('/routes/NOR-SOU', language);
      return new TextDecoder().decode(page?.asset.plain);
    };
    const german = await read('de');
    expect(german).toContain('MS Seeschwalbe');
    expect(german).toContain('https://sound.example/datenschutz');
    expect(await read('fr')).toContain('MV Tern');
  });
});
