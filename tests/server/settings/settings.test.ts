import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { PublicSettingsSchema } from '#contract/settings/schemas.ts';
import { settingsCommand } from '#server/commands/settings.ts';
import type { CommandContext } from '#server/context.ts';
import { createLog } from '#server/core/log.ts';
import { FileError } from '#server/csv/problems.ts';
import { settings } from '#server/database/schema/system.ts';
import { defaultWebSettings, settingsPaths } from '#server/settings/merge-settings.ts';
import { createSettingsPublisher, publishWebSettings } from '#server/settings/publish-settings.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { buildFeed, importFeed } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.delete(settings);
});

async function store(value: unknown): Promise<void> {
  const row = { name: 'web', value, updatedAt: server.clock.now() };
  await server.context.db
    .insert(settings)
    .values(row)
    .onConflictDoUpdate({ target: settings.name, set: row });
}

function publishedFile(): unknown {
  const folder = join(server.context.config.dataDir, 'storage', 'public', 'settings');
  expect(readdirSync(folder)).toEqual(['web.json']);
  return JSON.parse(readFileSync(join(folder, 'web.json'), 'utf8'));
}

test('The settings "web" are public and match their schema', async () => {
  const reply = await server.request('GET', '/api/settings/web?t=1');
  expect(reply.status).toBe(200);
  expect(PublicSettingsSchema.safeParse(reply.body.data).success).toBe(true);
  expect(reply.body).toMatchObject({ success: true, ...reply.body.data });
});

test('The accounts of the general ledger are not public', async () => {
  await store({ accounts: { revenue: '8400' } });
  expect((await loadWebSettings(server.context)).accounts).toEqual({ revenue: '8400' });
  const reply = await server.request('GET', '/api/settings/web?t=1');
  await publishWebSettings(server.context);
  for (const shown of [reply.body.data, publishedFile()]) {
    expect(JSON.stringify(shown)).not.toContain('8400');
  }
});

test.each([
  'Web',
  'mail',
  'secrets',
  '__proto__',
  'constructor',
  '..%2f..%2fx',
  '../../x',
  '..%5cx',
  'web.json',
  'web%00',
  'web%20',
  '%E0%A4%A',
])('Settings named %s answer 404', async (name) => {
  const reply = await server.request('GET', `/api/settings/${name}`);
  expect(reply.status).toBe(404);
  expect(reply.body.errors[0].code).toBe('not_found');
});

describe('loadWebSettings', () => {
  it('returns the stored settings', async () => {
    await store(demoSettings);
    expect(await loadWebSettings(server.context)).toEqual(demoSettings);
  });

  it.each([null, 5, [], {}, { brand: 'no' }, { brand: null, contact: [] }])(
    'names no operator when %j is stored and no feed was imported',
    async (stored) => {
      if (stored !== null) await store(stored);
      expect(await loadWebSettings(server.context)).toEqual(defaultWebSettings);
      expect(JSON.stringify(await loadWebSettings(server.context))).not.toContain('Harbor');
    },
  );

  it('ignores a limit for changes by imports that is not a percentage', async () => {
    for (const wrong of [-1, 101, '5']) {
      await store({ import_change_limit_percent: wrong });
      expect((await loadWebSettings(server.context)).import_change_limit_percent).toBeUndefined();
    }
    await store({ import_change_limit_percent: 2.5 });
    expect((await loadWebSettings(server.context)).import_change_limit_percent).toBe(2.5);
  });

  it('ignores a delay for notices that is not a number of minutes of a day', async () => {
    for (const wrong of [0, 1441, 2.5, '15']) {
      await store({ delay_notice_minutes: wrong });
      expect((await loadWebSettings(server.context)).delay_notice_minutes).toBeUndefined();
    }
    await store({ delay_notice_minutes: 30 });
    expect((await loadWebSettings(server.context)).delay_notice_minutes).toBe(30);
  });

  it.each([
    ['offline_fare_limit', [-1, 2.5, '15'], 2000],
    ['offline_trip_limit', [-1, 101, '4'], 0],
  ] as const)('ignores a wrong %s', async (name, wrongs, right) => {
    for (const wrong of wrongs) {
      await store({ [name]: wrong });
      expect((await loadWebSettings(server.context))[name]).toBeUndefined();
    }
    await store({ [name]: right });
    expect((await loadWebSettings(server.context))[name]).toBe(right);
  });

  const UNLIKE_OTHERS = [
    'sw.disabled',
    'rentals_without_plate',
    'import_change_limit_percent',
    'delay_notice_minutes',
    'offline_fare_limit',
    'offline_trip_limit',
    'invoice_days',
    'top_up.presets',
    'top_up.min',
    'top_up.max',
  ];
  it.each(
    settingsPaths.filter(
      (path) => !UNLIKE_OTHERS.includes(path) && !/^(accounts|datev|stored_value)\./.test(path),
    ),
  )('falls back for %s alone when it is missing or wrong', async (path) => {
    const [section = '', field] = path.split('.');
    for (const wrong of [undefined, 17, { no: 1 }]) {
      const stored = structuredClone(demoSettings) as Record<string, unknown>;
      const expected = structuredClone(demoSettings) as Record<string, unknown>;
      const neutral = structuredClone(defaultWebSettings) as Record<string, unknown>;
      if (field === undefined) {
        stored[section] = wrong;
        expected[section] = neutral[section];
      } else {
        (stored[section] as Record<string, unknown>)[field] = wrong;
        (expected[section] as Record<string, unknown>)[field] = (neutral[section] as Record<string, unknown>)[
          field
        ];
      }
      await store(stored);
      expect(await loadWebSettings(server.context)).toEqual(expected);
    }
  });

  it('does not mix top-up limits that contradict each other', async () => {
    await store({ ...demoSettings, top_up: { presets: [100], min: 50, max: 10 } });
    expect((await loadWebSettings(server.context)).top_up).toEqual(defaultWebSettings.top_up);
  });
});

describe('createSettingsPublisher', () => {
  it('publishes settings that another process stored, and logs each unusable and missing field once per change', async () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog((line) => lines.push(JSON.parse(line)));
    const publisher = createSettingsPublisher({ ...server.context, log });
    await publisher.publish();
    expect(publishedFile()).toEqual(defaultWebSettings);
    const { email: _, ...contact } = demoSettings.contact;
    await store({ ...demoSettings, contact: { ...contact, phone: 5, fax: '1' } });
    lines.length = 0;
    await publisher.publish();
    await publisher.publish();
    expect(publishedFile()).toMatchObject({
      brand: demoSettings.brand,
      contact: { phone: null, email: null },
    });
    expect(lines.map(({ level, event, setting }) => [level, event, setting])).toEqual([
      ['warn', 'setting not usable', 'contact.fax'],
      ['warn', 'setting not usable', 'contact.phone'],
      ['info', 'setting missing', 'contact.email'],
    ]);
    await store(demoSettings);
    await publisher.publish();
    expect(publishedFile()).toEqual(demoSettings);
    await publisher.stop();
  });
});

describe('npm run settings', () => {
  const actor = { kind: 'command', systemUser: 'ada' } as const;
  const run = async (kind: 'check' | 'set', value: unknown) => {
    const contents = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    const context: CommandContext = server.context;
    return settingsCommand.run(context, { kind, file: 'web.json', contents, actor });
  };
  const problemsOf = async (work: Promise<unknown>) => {
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FileError);
    return (error as FileError).problems.map(({ column, message }) => `${column}: ${message}`);
  };

  it('set stores and publishes, and get prints what can be set again', async () => {
    expect(await run('set', demoSettings)).toContain('Stored and published.');
    expect(publishedFile()).toEqual(demoSettings);
    const printed = await settingsCommand.run(server.context, { kind: 'get', withSources: false });
    expect(JSON.parse(printed)).toEqual(demoSettings);
    expect(await run('set', printed)).toContain('Stored and published.');
  });

  it('set records which fields it changed from what to what, and nothing if none did', async () => {
    const entries = () =>
      server.database.store.query(`select actor_id as actor, before, after from audit_log order by seq`);
    await run('set', demoSettings);
    const before = (await entries()).length;
    await run('set', demoSettings);
    expect(await entries()).toHaveLength(before);
    await run('set', { ...demoSettings, brand: { ...demoSettings.brand, name: 'Sound Ferries' } });
    expect((await entries()).slice(before)).toEqual([
      {
        ...{ actor: 'ada', before: { 'brand.name': demoSettings.brand.name } },
        after: { 'brand.name': 'Sound Ferries' },
      },
    ]);
  });

  it('set without a writable data folder stores, and says who publishes', async () => {
    const dataDir = join(server.context.config.dataDir, 'storage/public/settings/web.json');
    await run('set', demoSettings);
    const config = { ...server.context.config, dataDir };
    const contents = Buffer.from(JSON.stringify({ brand: { name: 'Sound Ferries' } }));
    const input = { kind: 'set', file: 'web.json', contents, actor } as const;
    expect(await settingsCommand.run({ ...server.context, config }, input)).toMatch(
      /^Stored\. The folder \S+ cannot be written \(ENOTDIR\)\. .* publish the settings within five seconds\./,
    );
    expect((await loadWebSettings(server.context)).brand.name).toBe('Sound Ferries');
  });

  it('check and set report every problem with its path and the allowed shape, and set then stores nothing', async () => {
    await run('set', demoSettings);
    const bad = {
      brand: { name: '', accent: 'url(x)', logo: 1 },
      contact: { email: 'nobody', url: 'javascript:alert(1)' },
      legal: { privacy_url: 'javascript:alert(1)' },
      unit: 'metric',
      units: 'leagues',
      terms: { acceptance: 'by_looking' },
      analytics: [],
      top_up: { presets: [10], min: 500 },
    };
    const problems = [
      'brand.logo: There is no such setting.',
      'unit: There is no such section.',
      'analytics: This section is an object.',
      'brand.name: This is not text of 1 to 60 characters.',
      'brand.accent: This is not a CSS color, such as "#f2640c".',
      'contact.email: This is not an email address, or empty (null).',
      'contact.url: This is not a web address with http or https, or empty (null).',
      'legal.privacy_url: This is not a web address with http or https, or empty (null).',
      'units: This is not "imperial" or "metric".',
      'terms.acceptance: This is not "checkbox" or "pay_button".',
      'top_up.presets: Every amount lies between top_up.min and top_up.max.',
    ];
    expect(await problemsOf(run('check', bad))).toEqual(problems);
    expect(await problemsOf(run('set', bad))).toEqual(problems);
    expect(await loadWebSettings(server.context)).toEqual(demoSettings);
    expect(await problemsOf(run('set', '{'))).toEqual(['null: The file is not JSON.']);
    expect(await problemsOf(run('set', []))).toEqual(['null: Settings are a JSON object of sections.']);
  });

  it('reports which fields of a partial file the feed and the defaults set, and the source of each field', async () => {
    expect(await run('check', { brand: { name: 'Sound Ferries' } })).toContain(
      'brand.accent, brand.logo_url',
    );
    await run('set', { brand: { name: 'Sound Ferries' } });
    const sources = await settingsCommand.run(server.context, { kind: 'get', withSources: true });
    expect(sources).toMatch(/^brand\.name +settings$/m);
    expect(sources).toMatch(/^contact\.phone +default$/m);
  });

  it.each(settingsPaths)('docs/operating.md explains %s', (path) => {
    expect(readFileSync('docs/operating.md', 'utf8').includes(`\`${path}\``)).toBe(true);
  });
});

describe('settings of an imported feed', () => {
  const agency = (...rows: string[]) =>
    ['agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone', ...rows, ''].join('\n');
  const one = 'a,Test Ferries,https://ferries.example/,America/Los_Angeles,en-GB,555-RIDE-12';

  async function importAgency(files: Record<string, string | null>) {
    return importFeed(server.context.db, buildFeed(files));
  }

  it('are name, phone, website and language of its agency unless settings override them', async () => {
    await importAgency({ 'agency.txt': agency(one) });
    const { brand, contact, language, terms } = await loadWebSettings(server.context);
    expect(brand).toEqual({ ...defaultWebSettings.brand, name: 'Test Ferries' });
    expect(contact).toEqual({
      phone: '555-RIDE-12',
      email: null,
      url: 'https://ferries.example/',
      booth_hours: null,
    });
    expect(language).toBe('en-GB');
    expect(terms.text).toEqual([]);
    await store({ brand: { name: 'Sound Ferries' }, contact: { phone: null } });
    const own = await loadWebSettings(server.context);
    expect(own.brand.name).toBe('Sound Ferries');
    expect(own.contact).toEqual({ ...contact, phone: null });
  });

  it('are those of its settings.json if it has one', async () => {
    const file = JSON.stringify({ contact: { email: 'help@ferries.example' } });
    await importAgency({ 'agency.txt': agency(one), 'settings.json': file });
    expect((await loadWebSettings(server.context)).contact).toMatchObject({
      phone: '555-RIDE-12',
      email: 'help@ferries.example',
    });
    const wrong = importAgency({ 'settings.json': '{"contact":{"email":5}}' });
    await expect(wrong).rejects.toThrow('There is 1 problem; nothing was done.');
    await importAgency({ 'agency.txt': agency(one) });
    expect((await loadWebSettings(server.context)).contact.email).toBeNull();
  });

  it('name no operator if several run its ferries', async () => {
    const two = 'b,Other Ferries,https://other.example/,America/Los_Angeles,en,1';
    const routesOf = (second: string) =>
      `route_id,route_long_name,route_type,agency_id\nsound,Across the Sound,4,a\nbay,Across the Bay,4,${second}\n`;
    const several = { 'agency.txt': agency(one, two), 'routes.txt': routesOf('b') };
    const report = await importAgency(several);
    expect(report.skipped.join()).toContain('agency.txt has 2 operators of ferries');
    expect((await loadWebSettings(server.context)).contact.phone).toBeNull();
    await importAgency({
      ...several,
      'feed_info.txt':
        'feed_publisher_name,feed_publisher_url,feed_lang\nAll Ferries,https://all.example/,en\n',
    });
    const { brand, contact } = await loadWebSettings(server.context);
    expect([brand.name, contact.url, contact.phone]).toEqual(['All Ferries', 'https://all.example/', null]);
    await importAgency({ ...several, 'routes.txt': routesOf('a') });
    expect((await loadWebSettings(server.context)).brand.name).toBe('Test Ferries');
  });
});
