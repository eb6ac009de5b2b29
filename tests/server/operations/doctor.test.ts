import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordBackup } from '#server/backups/last-backup.ts';
import { executeCommand, executeWithoutDatabase, settleCommand } from '#server/commands/command.ts';
import { doctorCommand } from '#server/commands/doctor.ts';
import { type Config, readConfig } from '#server/config.ts';
import { mails } from '#server/database/schema/system.ts';
import { ports } from '#server/database/schema/timetable.ts';
import type { Outside } from '#server/operations/doctor/finding.ts';
import { inspectInstallation } from '#server/operations/doctor/inspect-installation.ts';
import { inspectOutside } from '#server/operations/doctor/inspect-outside.ts';
import { inspectTranslations } from '#server/operations/doctor/inspect-translations.ts';
import { loadWebSettings, storeWebSettings } from '#server/settings/web-settings.ts';
import { buildFeed, importDemo, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let folder: string;
let config: Config;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  folder = mkdtempSync(join(tmpdir(), 'gangway-doctor-'));
  config = readConfig({ ...RIGHT, DATA_DIR: folder });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const RIGHT = {
  NODE_ENV: 'production',
  PARENT_DOMAIN: 'ferry.example',
  PUBLIC_SCHEME: 'https',
  PUBLIC_PORT: '443',
  TRUST_PROXY: '1',
  DATABASE_URL: 'postgresql://user:password@database/gangway',
  APP_SECRET: 'a secret of at least thirty-two characters',
  SMTP_URL: 'smtps://user:password@mail.example',
  STRIPE_SECRET_KEY: 'sk_live_51NotARealKeyOfAnybody',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_51NotARealKeyOfAnybody',
  STRIPE_WEBHOOK_SECRET: 'whsec_not_a_real_secret',
};
const OWN_SETTINGS = {
  brand: {
    name: 'Sound Ferries',
    logo_url: 'https://files.example/logo.svg',
    icon_url: '/icon-512.png',
    maskable_icon_url: 'https://files.example/whole.png',
  },
  contact: { phone: '+1 206 555 0100', email: 'help@ferry.example' },
  terms: {
    version: '1',
    text: ['Be at the terminal in time.'],
    'text@de': ['Seien Sie rechtzeitig am Terminal.'],
    'text@nb': ['Vær på terminalen i tide.'],
    'text@fr': ['Soyez au terminal à temps.'],
  },
};
const IN_ALL_LANGUAGES = {
  'passenger_types.csv':
    'code,name,name@de,name@nb,name@fr,needs_adult\nadult,Adult,Erwachsene,Voksen,Adulte,no\nchild,Child,Kinder,Barn,Enfant,yes\n',
  'vehicle_types.csv':
    'code,name,name@de,name@nb,name@fr,length_required\ncar,Car,Pkw,Bil,Voiture,yes\nvan,Van,Transporter,Varebil,Fourgon,yes\n',
  'fare_classes.csv':
    'code,name,name@de,name@nb,name@fr\nsaver,Saver,Spar,Spar,Éco\nflex,Flexible,Flex,Fleks,Flex\n',
};

/** An operator who has done everything. */
async function prepareRightInstallation(): Promise<void> {
  await importFeed(server.context.db, buildFeed(IN_ALL_LANGUAGES), { days: 60 });
  await storeWebSettings(server.context, OWN_SETTINGS);
  await recordBackup(server.context.db, server.clock.now());
}

/** Stores the settings, and answers for other machines that have them. What they see needs no timetable. */
async function prepareOutside(
  stored: Parameters<typeof storeWebSettings>[1] = OWN_SETTINGS,
): Promise<Outside> {
  await storeWebSettings(server.context, stored);
  const settings = await loadWebSettings(server.context);
  return {
    resolveTxt: async (name) => [name.startsWith('_dmarc.') ? 'v=DMARC1; p=quarantine' : 'v=spf1 -all'],
    async fetch(url) {
      if (url.endsWith('/livez')) return new Response('alive');
      if (url.endsWith('/web.json')) return Response.json(settings);
      if (url.endsWith('.png')) return pngOf(512, 512);
      if (url.endsWith('.svg'))
        return new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } });
      return new Response(null, { status: 404, headers: { date: new Date(MONDAY).toUTCString() } });
    },
    verifyMailServer: async () => {},
    readDatabaseTime: async () => server.clock.now(),
  };
}

/** The beginning of a PNG, which has its size. */
function pngOf(width: number, height: number, type = 'image/png'): Response {
  const bytes = Buffer.alloc(24);
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return new Response(bytes, { headers: { 'content-type': type } });
}

const inspect = () => inspectInstallation({ ...server.context, config });
const look = (outside: Outside) => inspectOutside({ ...server.context, config }, outside);

describe('an installation', () => {
  it('has no findings if everything is set', async () => {
    await prepareRightInstallation();
    expect(await inspect()).toEqual([]);
    expect(await look(await prepareOutside())).toEqual([]);
  });

  it('names the texts that are not in each language, and how many they are', async () => {
    await prepareRightInstallation();
    const notices =
      'date,kind,text,text@de,text@nb\n2026-06-02,notice,Board at pier 2.,Einstieg an Pier 2.,\n';
    const files = { ...IN_ALL_LANGUAGES, 'exceptions.csv': notices };
    files['vehicle_types.csv'] = 'code,name,name@de,length_required\ncar,Car,Pkw,yes\nvan,Van,,yes\n';
    await importFeed(server.context.db, buildFeed(files), { days: 60 });
    expect((await inspect()).map(({ problem }) => problem)).toEqual([
      'Texts without a translation for readers of Deutsch (de): 1. vehicle_types.csv van name.',
      'Texts without a translation for readers of Norsk bokmål (nb): 3. vehicle_types.csv car name, vehicle_types.csv van name, exceptions.csv 2026-06-02 notice text.',
      'Texts without a translation for readers of Français (fr): 3. vehicle_types.csv car name, vehicle_types.csv van name, exceptions.csv 2026-06-02 notice text.',
    ]);
  });

  it('of the demo operator lacks no translation', async () => {
    await importDemo(server.context.db);
    expect(await inspectTranslations(server.context)).toEqual([]);
  });

  it('of the defaults has all its findings at once, errors first', async () => {
    config = readConfig({ DATA_DIR: folder });
    const findings = await inspect();
    const severities = findings.map(({ severity }) => severity);
    expect(severities).toEqual(severities.toSorted());
    expect(findings.map(({ problem }) => problem).join('\n')).toMatchInlineSnapshot(`
      "Payments are simulated: tickets are sold and no money comes in.
      Mails reach no customer: they are kept in an inbox of this server.
      Customers reach the product without encryption, at http://tickets.ferry.localhost:8080.
      These settings are not set: brand.name, contact.phone, contact.email, terms.text.
      There is no timetable, so nothing can be bought.
      No backup was ever made.
      The secret that encrypts keys and codes lies in the database beside them.
      The embedded database serves one process only."
    `);
  });

  it('whose database cannot be opened has that and all its other findings at once', async () => {
    config = readConfig({ ...RIGHT, TRUST_PROXY: '0', DATA_DIR: '/dev/null' });
    const error = Object.assign(new Error('password authentication failed'), { code: '28P01' });
    const input = { isOffline: true };
    const { stderr, exitCode } = await executeWithoutDatabase(doctorCommand, { config, input, error });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Error: The database refuses this: password authentication failed\./m);
    expect(stderr).toMatch(/^Error: \/dev\/null\/storage cannot be written/m);
    expect(stderr).toMatch(/^Warning: All visitors count as one/m);
    expect(() => executeWithoutDatabase(doctorCommand, { config, input, error: new Error('new') })).toThrow(
      'new',
    );
  });

  it('names variables that nothing reads', async () => {
    await prepareRightInstallation();
    config = readConfig({ ...RIGHT, DATA_DIR: folder, KEEP_ORDER_DAYS: '400' });
    expect(await inspect()).toEqual([
      expect.objectContaining({
        severity: 'warning',
        problem: 'These variables are not read: KEEP_ORDER_DAYS (KEEP_ORDERS_DAYS?).',
      }),
    ]);
  });

  it('with test keys says that no money comes in', async () => {
    await prepareRightInstallation();
    config = readConfig({
      ...RIGHT,
      DATA_DIR: folder,
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    });
    expect(await inspect()).toEqual([expect.objectContaining({ severity: 'error' })]);
  });

  it('whose data folder is not a folder cannot publish settings', async () => {
    await prepareRightInstallation();
    writeFileSync(join(folder, 'file'), '');
    config = { ...config, dataDir: join(folder, 'file') };
    expect(await inspect()).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('cannot be written (ENOTDIR)') }),
    ]);
  });

  it('leaves the disk as it is', async () => {
    await prepareRightInstallation();
    config = { ...config, dataDir: join(folder, 'data', 'of', 'a', 'new', 'server') };
    expect(await inspect()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('whose ports have characters that no font has says which', async () => {
    await prepareRightInstallation();
    await server.context.db.update(ports).set({ name: '境港 \u{13000}' });
    expect(await inspect()).toEqual([
      expect.objectContaining({ severity: 'warning', problem: expect.stringMatching(/has: \u{13000}\.$/u) }),
    ]);
  });

  it('whose database has other rules of a time zone than Node says so', async () => {
    await prepareRightInstallation();
    // Of such a name PostgreSQL reads the sign the other way round.
    await server.database.store.query(`update ports set time_zone = '+07:00' where code = 'NOR'`);
    expect(await inspect()).toEqual([
      expect.objectContaining({
        severity: 'error',
        problem: expect.stringMatching(/have different rules for \+07:00 from 2026-06-01 on/),
      }),
    ]);
  });

  it('names the last day on sale a month before it', async () => {
    await prepareRightInstallation();
    server.clock.advance(35 * 24 * 3_600_000);
    await recordBackup(server.context.db, server.clock.now());
    expect(await inspect()).toEqual([
      expect.objectContaining({ severity: 'warning', problem: expect.stringContaining('last sailing') }),
    ]);
    server.clock.advance(20 * 24 * 3_600_000);
    await recordBackup(server.context.db, server.clock.now());
    expect(await inspect()).toEqual([expect.objectContaining({ severity: 'error' })]);
  });

  it('whose secret was replaced needs its last step', async () => {
    await prepareRightInstallation();
    config = { ...config, previousSecrets: ['the secret before the present one, just as long'] };
    expect(await inspect()).toEqual([
      expect.objectContaining({ remedy: expect.stringContaining('npm run keys:rotate -- secret') }),
    ]);
  });

  it('with settings copied from the demo names them', async () => {
    await prepareRightInstallation();
    const contact = { ...OWN_SETTINGS.contact, email: 'help@harborline.example' };
    const brand = { ...OWN_SETTINGS.brand, name: 'Harbor Line' };
    await storeWebSettings(server.context, { ...OWN_SETTINGS, brand, contact });
    expect(await inspect()).toEqual([
      expect.objectContaining({
        severity: 'error',
        problem: 'These settings are those of the demo operator: brand.name, contact.email.',
      }),
    ]);
  });

  it('whose last backup is older than two days says so', async () => {
    await prepareRightInstallation();
    server.clock.advance(49 * 3_600_000);
    expect(await inspect()).toEqual([
      expect.objectContaining({ problem: expect.stringMatching(/^The last backup is from 2026-/) }),
    ]);
  });

  it('counts refused mails', async () => {
    await prepareRightInstallation();
    const now = server.clock.now();
    const mail = {
      id: 'mal_1',
      kind: 'order-confirmed',
      toAddress: 'a@b.example',
      status: 'failed' as const,
    };
    await server.context.db.insert(mails).values({ ...mail, insertedAt: now });
    expect(await inspect()).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('1 were refused') }),
    ]);
  });
});

describe('seen from outside', () => {
  it.each<[string, Partial<Outside>, RegExp]>([
    [
      'a name that leads elsewhere',
      { fetch: async () => new Response('nginx') },
      /does not reach this product/,
    ],
    [
      // The HTTP server's library replaces the global class by its own.
      'a name that answers with an error, as Node’s own Response',
      { fetch: async () => ({ ok: false, status: 502, headers: new Headers() }) as Response },
      /does not reach this product \(status 502\)/,
    ],
    [
      'a name that cannot be resolved',
      { fetch: () => Promise.reject(new Error('getaddrinfo ENOTFOUND')) },
      /does not reach this product \(getaddrinfo ENOTFOUND\)/,
    ],
    [
      'a wrong password of the mail server',
      { verifyMailServer: () => Promise.reject(new Error('535 authentication failed')) },
      /takes no mail \(535 authentication failed\)/,
    ],
    ['a sender without an SPF record', { resolveTxt: async () => ['v=DMARC1; p=none'] }, /no SPF record/],
    ['a sender without a DMARC record', { resolveTxt: async () => ['v=spf1 -all'] }, /no DMARC record/],
  ])('%s is found', async (_, broken, problem) => {
    const outside = { ...(await prepareOutside()), ...broken };
    const problems = (await look(outside)).map((finding) => finding.problem);
    expect(
      problems.some((each) => problem.test(each)),
      problems.join('\n'),
    ).toBe(true);
  });

  it('a clock that differs by two hours is found', async () => {
    const outside = await prepareOutside();
    server.clock.advance(2 * 3_600_000);
    expect(await look(outside)).toEqual([
      expect.objectContaining({ problem: 'The clock of this machine is 7200 seconds fast.' }),
    ]);
  });

  it('a clock that differs from the database’s is found', async () => {
    const readDatabaseTime = async () => new Date(server.clock.now().getTime() + 2 * 3_600_000);
    expect(await look({ ...(await prepareOutside()), readDatabaseTime })).toEqual([
      expect.objectContaining({
        problem: 'Compared with the database’s clock, that of this machine is 7200 seconds slow.',
      }),
    ]);
  });

  it.each<[string, (url: string) => Promise<Response>, string[]]>([
    [
      'are missing',
      async () => new Response('Not found', { status: 404 }),
      [
        'brand.logo_url does not answer with a picture: https://files.example/logo.svg.',
        'brand.icon_url does not answer with a PNG (image/png): /icon-512.png.',
        'brand.maskable_icon_url does not answer with a PNG (image/png): https://files.example/whole.png.',
      ],
    ],
    [
      'have another type',
      async () => pngOf(512, 512, 'text/html'),
      [
        expect.stringMatching('logo_url'),
        expect.stringMatching('icon_url does not answer'),
        expect.stringMatching('maskable_icon_url does not answer'),
      ],
    ],
    [
      'have another size',
      async () => pngOf(512, 256),
      [
        expect.stringMatching('brand.icon_url has 512 x 256 pixels'),
        expect.stringMatching('maskable_icon_url has 512 x 256'),
      ],
    ],
  ])('pictures that %s are found', async (_, fetchPicture, problems) => {
    const outside = await prepareOutside();
    const fetch = (url: string) => (/\.(png|svg)$/.test(url) ? fetchPicture(url) : outside.fetch(url));
    expect((await look({ ...outside, fetch })).map(({ problem }) => problem)).toEqual(problems);
  });

  it.each([
    [{}, /show a ferry/, 'Set brand.icon_url and brand.maskable_icon_url in the settings.'],
    [{ icon_url: '/icon-512.png' }, /white circle/, 'Set brand.maskable_icon_url in the settings.'],
  ])('icons that are not set are named: %o', async (icons, problem, remedy) => {
    const outside = await prepareOutside({ ...OWN_SETTINGS, brand: { name: 'Sound Ferries', ...icons } });
    expect(await look(outside)).toEqual([
      { severity: 'warning', problem: expect.stringMatching(problem), remedy },
    ]);
  });

  it('settings that were not published are found', async () => {
    const outside = await prepareOutside();
    await storeWebSettings(server.context, { ...OWN_SETTINGS, units: 'imperial' });
    expect(await look(outside)).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('does not have the current settings') }),
    ]);
  });
});

it('the command prints every finding and fails if one is an error', async () => {
  const run = (context: TestServer['context']) =>
    settleCommand(doctorCommand, async () =>
      executeCommand(doctorCommand, context, await doctorCommand.read(['--offline'])),
    );
  await prepareRightInstallation();
  expect(await run({ ...server.context, config })).toEqual({
    stdout: 'Nothing is missing.\n',
    stderr: '',
    exitCode: 0,
  });
  const failed = await run({ ...server.context, config: { ...config, stripe: null } });
  expect(failed).toMatchObject({ stdout: '', exitCode: 1 });
  expect(failed.stderr).toMatch(/^Error: Payments are simulated/);
});
