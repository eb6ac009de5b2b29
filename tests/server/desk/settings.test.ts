import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#contract/api.ts';
import { KEPT_VERSIONS } from '#contract/desk/settings/limits.ts';
import type {
  SettingDifference,
  SettingsVersions,
  StaffSetting,
  StaffSettings,
} from '#contract/desk/settings/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import type { PartialWebSettings } from '#contract/settings/schemas.ts';
import { createApp } from '#server/app.ts';
import { newId } from '#server/core/ids.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { settings } from '#server/database/schema/system.ts';
import { feed } from '#server/database/schema/timetable.ts';
import { settingsPaths } from '#server/settings/merge-settings.ts';
import { loadWebSettings, storeWebSettings } from '#server/settings/web-settings.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';

let office: Office;
let manager: Clerk;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  await storeWebSettings(office.context, demoSettings);
  manager = await signInClerk(office, 'manager');
});

type Changes = { path: string; value?: unknown }[];

const read = async (): Promise<StaffSettings> => must(await manager.call(api.getStaffSettings, {}));
const find = (read: StaffSettings, path: string): StaffSetting | undefined =>
  read.settings.find((each) => each.path === path);
const preview = (changes: Changes) => manager.call(api.previewSettings, {}, { changes });
const publish = async (changes: Changes, clerk = manager, version?: string) =>
  clerk.call(api.publishSettings, {}, { version: version ?? (await read()).version, changes });

describe('GET /api/staff/settings', () => {
  test('answers every setting in effect with what it may be, and its texts in other languages', async () => {
    const found = await read();
    const own = found.settings.filter(({ language }) => language === null);
    expect(own.map(({ path }) => path)).toEqual([...settingsPaths]);
    expect(find(found, 'brand.name')).toEqual({
      ...{ path: 'brand.name', section: 'brand', language: null, kind: 'text', choices: [] },
      ...{ allowed: 'text of 1 to 60 characters', can_be_empty: false },
      ...{ source: 'settings', value: demoSettings.brand.name },
    });
    const kinds = ['brand.accent', 'units', 'terms.text', 'top_up.presets', 'top_up.min', 'sw.disabled'];
    expect(kinds.map((path) => find(found, path)?.kind)).toEqual([
      ...['color', 'choice', 'paragraphs', 'amounts', 'amount', 'switch'],
    ]);
    expect(find(found, 'units')?.choices).toEqual(['imperial', 'metric']);
    expect(found.settings.flatMap(({ path }) => (path.startsWith('brand.tagline') ? [path] : []))).toEqual([
      ...['brand.tagline', 'brand.tagline@de', 'brand.tagline@nb', 'brand.tagline@fr'],
    ]);
    expect(found.published).toBeNull();
  });

  test('is for managers only', async () => {
    const clerk = await signInClerk(office, 'office');
    expect(codeOf(await clerk.call(api.getStaffSettings, {}))).toBe('not_permitted');
  });
});

describe('POST /api/staff/settings/preview', () => {
  test('lists what changes for customers, and changes nothing', async () => {
    const reply = await preview([
      { path: 'brand.accent', value: '#004488' },
      { path: 'contact.phone', value: null },
    ]);
    const differences: SettingDifference[] = must(reply);
    expect(differences).toEqual([
      { path: 'brand.accent', before: demoSettings.brand.accent, after: '#004488' },
      { path: 'contact.phone', before: demoSettings.contact.phone, after: null },
    ]);
    expect(await loadWebSettings(office.context)).toEqual(demoSettings);
    expect(await office.context.db.$count(auditLog)).toBe(0);
  });

  test('names each refused value beside its field, as the command does', async () => {
    const reply = await preview([
      { path: 'brand.accent', value: 'url(x)' },
      { path: 'units', value: 'leagues' },
      { path: 'top_up.min', value: 99_999_999 },
      { path: 'brand.tagline@de', value: 'a'.repeat(161) },
    ]);
    expect(reply.status).toBe(422);
    const problems = reply.body.errors.map(({ field, message }: { field: string; message: string }) => [
      field,
      message,
    ]);
    expect(problems).toEqual([
      ['brand.accent', '“url(x)” is not possible here. Allowed: a CSS color, such as "#f2640c".'],
      [
        'brand.tagline@de',
        `“${'a'.repeat(60)}…” is not possible here. Allowed: text of 1 to 160 characters, or empty (null).`,
      ],
      ['units', '“leagues” is not possible here. Allowed: "imperial" or "metric".'],
      ['top_up.min', 'This is more than the highest amount of a top-up.'],
    ]);
  });

  test.each(['brand.logo', 'brands.name', 'brand.name@de', 'brand.tagline@tlh', '__proto__.x', 'brand'])(
    'refuses %s, which is no setting',
    async (path) => {
      const reply = await preview([{ path, value: 'x' }]);
      expect(reply.body.errors).toMatchObject([{ code: 'invalid_input', field: path }]);
    },
  );
});

describe('GET /api/staff/settings/preview/{page}', () => {
  const show = (page: string, { headers } = manager, query = '?language=en') =>
    office.request('GET', fillPath(api.showSettingsPreview.path, { page }) + query, { headers });

  test('shows a mail with what its reader has checked, in each language', async () => {
    must(
      await preview([
        { path: 'brand.name', value: 'Sound & Sea' },
        { path: 'contact.booth_hours@de', value: 'Täglich ab 7' },
      ]),
    );
    const english = await show('mail');
    expect(english.status).toBe(200);
    expect(english.body).toContain('Sound &#38; Sea');
    expect(english.body).toContain('Your sign-in code');
    expect((await show('mail', manager, '?language=de')).body).toContain('Ihr Anmeldecode');
    expect((await loadWebSettings(office.context)).brand.name).toBe(demoSettings.brand.name);
  });

  test('lets no script run, and only the staff host frame it', async () => {
    must(await preview([{ path: 'brand.name', value: 'Sound Ferries' }]));
    const policy = (await show('mail')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toMatch(/sandbox allow-same-origin$/);
    expect(policy).not.toMatch(/script|form-action|connect/);
  });

  test('has public pages in the settings of the draft', async () => {
    must(await preview([{ path: 'brand.tagline@de', value: 'Mit uns ans Ziel.' }]));
    const app = createApp(office.context, {
      isLimited: false,
      pages: {
        composePreview: async (page, { brand, language }) =>
          `<head></head>${page} ${language} ${brand.tagline} <img src="/pictures/1.webp">`,
        refresh: () => {},
      },
    });
    const url = `${office.context.config.origins.staff}/api/staff/settings/preview/home?language=de`;
    const text = await (await app.fetch(new Request(url, { headers: manager.headers }))).text();
    const { tickets } = office.context.config.origins;
    expect(text).toBe(
      `<head><base target="_blank" /></head>home de Mit uns ans Ziel. <img src="${tickets}/pictures/1.webp">`,
    );
  });

  test('is nothing to others, before a check, and after the publication', async () => {
    const RENAME = [{ path: 'brand.name', value: 'Sound Ferries' }];
    expect(codeOf(await show('mail'))).toBe('not_found');
    must(await preview(RENAME));
    const other = await signInClerk(office, 'manager');
    expect(codeOf(await show('mail', other))).toBe('not_found');
    expect(codeOf(await show('mail', await signInClerk(office, 'office')))).toBe('not_permitted');
    must(await publish(RENAME));
    expect(codeOf(await show('mail'))).toBe('not_found');
  });

  test('refuses a page and a language that do not exist', async () => {
    must(await preview([{ path: 'brand.name', value: 'Sound Ferries' }]));
    expect(codeOf(await show('checkout'))).toBe('not_found');
    expect(codeOf(await show('mail', manager, '?language=tlh'))).toBe('invalid_input');
    expect(codeOf(await show('mail', manager, ''))).toBe('invalid_input');
  });
});

describe('PUT /api/staff/settings', () => {
  const RENAME = [{ path: 'brand.name', value: 'Sound Ferries' }];

  test('makes the pages of this process be composed again', async () => {
    const refresh = vi.fn();
    const app = createApp(office.context, {
      isLimited: false,
      pages: { composePreview: async () => null, refresh },
    });
    const body = JSON.stringify({ version: (await read()).version, changes: RENAME });
    const url = office.context.config.origins.staff + api.publishSettings.path;
    const headers = { ...manager.headers, 'content-type': 'application/json' };
    const { status } = await app.fetch(new Request(url, { method: 'PUT', headers, body }));
    expect([status, refresh.mock.calls.length]).toEqual([200, 1]);
  });

  test('publishes at once, and the log has who changed what to what', async () => {
    const after: StaffSettings = must(
      await publish([...RENAME, { path: 'brand.tagline@de', value: 'Los.' }]),
    );
    expect(find(after, 'brand.name')?.value).toBe('Sound Ferries');
    expect(after.published?.by).toBe('Grace Hopper');
    const file = join(office.context.config.dataDir, 'storage/public/settings/web.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).brand).toMatchObject({
      ...{ name: 'Sound Ferries', 'tagline@de': 'Los.' },
    });
    const [entry] = await office.context.db.select().from(auditLog);
    expect(entry).toMatchObject({
      ...{ action: 'settings_published', actorId: manager.id },
      after: { 'brand.name': 'Sound Ferries', 'brand.tagline@de': 'Los.' },
    });
    expect(entry?.before).toMatchObject({ 'brand.name': demoSettings.brand.name });
  });

  test('refuses the later one of two people, whose changes stay out', async () => {
    const { version } = await read();
    must(await publish(RENAME, manager, version));
    const other = await signInClerk(office, 'manager');
    const late = await publish([{ path: 'units', value: 'imperial' }], other, version);
    expect([late.status, codeOf(late)]).toEqual([422, 'settings_changed']);
    expect((await loadWebSettings(office.context)).brand.name).toBe('Sound Ferries');
    must(await publish([{ path: 'units', value: 'imperial' }], other));
    expect((await loadWebSettings(office.context)).units).toBe('imperial');
  });

  test('lets one of two people publish the very first settings', async () => {
    await office.context.db.delete(settings).where(eq(settings.name, 'web'));
    const { version } = await read();
    const both = await Promise.all([
      publish(RENAME, manager, version),
      publish([{ path: 'brand.name', value: 'Bay Ferries' }], manager, version),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('refuses a wrong value, and publishes none of the others', async () => {
    const reply = await publish([...RENAME, { path: 'contact.email', value: 'no address' }]);
    expect(reply.body.errors).toMatchObject([{ code: 'invalid_input', field: 'contact.email' }]);
    expect(await loadWebSettings(office.context)).toEqual(demoSettings);
  });

  test('leaves to the timetable what is not changed, and gives back to it what is emptied', async () => {
    await office.context.db.delete(settings);
    const texts = { tagline: 'To every island.', 'tagline@de': 'Auf jede Insel.' };
    const imported = { brand: { name: 'Sound Ferries', ...texts } } as PartialWebSettings;
    await office.context.db.update(feed).set({ settings: imported, revision: 'rev_2' });
    expect(find(await read(), 'brand.tagline')?.source).toBe('feed');
    const { brand } = await loadWebSettings(office.context);
    must(await publish([{ path: 'brand.name', value: 'Bay Ferries' }]));
    expect((await loadWebSettings(office.context)).brand).toEqual({ ...brand, name: 'Bay Ferries' });
    must(await publish([{ path: 'brand.tagline@fr', value: 'Vers chaque île.' }]));
    expect((await loadWebSettings(office.context)).brand).toEqual({
      ...{ ...brand, ...texts, name: 'Bay Ferries', 'tagline@fr': 'Vers chaque île.' },
    });
    must(await publish([{ path: 'brand.name' }, { path: 'brand.tagline@fr' }]));
    expect((await loadWebSettings(office.context)).brand).toEqual(brand);
  });

  test('is not kept back by what was wrong before in another section', async () => {
    await storeWebSettings(office.context, { ...demoSettings, contact: { phone: 5, fax: 1 } as never });
    must(await publish(RENAME));
    expect((await loadWebSettings(office.context)).brand.name).toBe('Sound Ferries');
  });

  test('needs a step-up and a manager', async () => {
    const tired = await signInClerk(office, 'manager', { isFresh: false });
    expect(codeOf(await publish(RENAME, tired))).toBe('step_up_required');
    const clerk = await signInClerk(office, 'office');
    expect(codeOf(await publish(RENAME, clerk))).toBe('not_permitted');
    expect(codeOf(await manager.call(api.publishSettings, {}, { changes: RENAME }))).toBe('invalid_input');
  });
});

describe('an earlier version', () => {
  const versions = async (): Promise<SettingsVersions> =>
    must(await manager.call(api.listSettingsVersions, {}));
  const changesTo = (id: string) => manager.call(api.getSettingsVersion, { id });

  test('is listed with who published it, without the current one', async () => {
    expect(await versions()).toEqual([]);
    must(await publish([{ path: 'brand.name', value: 'Sound Ferries' }]));
    expect(await versions()).toMatchObject([{ by: null }]);
    must(await publish([{ path: 'brand.name', value: 'Bay Ferries' }]));
    expect(await versions()).toMatchObject([{ by: 'Grace Hopper' }, { by: null }]);
  });

  test('leads to the changes that make the settings the same again', async () => {
    const before = await loadWebSettings(office.context);
    must(
      await publish([
        { path: 'brand.name', value: 'Sound Ferries' },
        { path: 'brand.tagline@de', value: 'Los.' },
        { path: 'top_up.min', value: 700 },
        { path: 'rentals_without_plate', value: true },
        { path: 'contact.phone' },
      ]),
    );
    const [first] = await versions();
    const changes = must(await changesTo(first?.id ?? ''));
    expect(changes).toContainEqual({ path: 'brand.name', value: demoSettings.brand.name });
    must(await preview(changes));
    must(await publish(changes));
    expect(await loadWebSettings(office.context)).toEqual(before);
    expect(must(await changesTo((await versions()).at(-1)?.id ?? ''))).toEqual([]);
  });

  test('is one of the last twenty', async () => {
    for (let index = 0; index <= KEPT_VERSIONS; index += 1) {
      must(await publish([{ path: 'brand.name', value: `Ferries ${index}` }]));
    }
    expect(await versions()).toHaveLength(KEPT_VERSIONS - 1);
  });

  test('is only seen by managers, and unknown under other ids', async () => {
    const id = newId('stv');
    expect((await changesTo(id)).status).toBe(404);
    const clerk = await signInClerk(office, 'office');
    expect(codeOf(await clerk.call(api.listSettingsVersions, {}))).toBe('not_permitted');
    expect(codeOf(await clerk.call(api.getSettingsVersion, { id }))).toBe('not_permitted');
    for (const { path } of [api.listSettingsVersions, api.getSettingsVersion]) {
      expect((await office.request('GET', fillPath(path, { id }))).status).toBe(401);
    }
  });
});
