import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { orders } from '#server/database/schema/sales.ts';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import { type Finished, runNpmScript } from './command-line.ts';
import { newEmbeddedPlace, newPostgresPlace, type Place } from './places.ts';
import {
  endAll,
  environmentOf,
  eventually,
  launch,
  newFolder,
  node,
  root,
  type ServerProcess,
  startServer,
} from './server-process.ts';

/** One of the demo's plastic cards. */
const CARD = '9000000000000019';
const NEW_CARD = createTripCardNumber(() => 7);
let files: string;
/** Two copies of one data folder: a server runs on the first only. */
let served: Place;
let idle: Place;
let server: ServerProcess;
let reference: string;

beforeAll(async () => {
  files = newFolder();
  writeFileSync(join(files, 'cards.csv'), `number,pin,amount\n${NEW_CARD},4711,10.00\n`);
  const charge = { device_id: 'gate', device_seq: 2, number: CARD, amount: 450 };
  writeFileSync(
    join(files, 'gate.json'),
    JSON.stringify([{ ...charge, occurred_at: '2026-01-01T08:00:00Z' }]),
  );
  writeFileSync(join(files, 'settings.json'), JSON.stringify({ brand: { name: 'Sound Ferries' } }));
  writeFileSync(join(files, 'bad-settings.json'), JSON.stringify({ contact: { email: 5 } }));
  writeFeed('renamed', { 'stops.txt': (text) => text.replace('Port Madrona', 'Madrona Landing') });
  writeFeed('broken', { 'operator.csv': () => 'currency\nx\n' });
  served = newEmbeddedPlace();
  idle = newEmbeddedPlace();
  cpSync(served.env.DATA_DIR ?? '', idle.env.DATA_DIR ?? '', { recursive: true });
  const database = await idle.openDatabase();
  const [order] = await database.db
    .select({ reference: orders.reference })
    .from(orders)
    .where(eq(orders.status, 'confirmed'));
  await database.close();
  reference = order?.reference ?? '';
  server = await startServer(served.env);
});
afterAll(async () => {
  await endAll();
  await served.remove();
  await idle.remove();
  rmSync(files, { recursive: true });
});

function writeFeed(name: string, changes: Record<string, (text: string) => string>): void {
  const folder = join(files, name);
  mkdirSync(folder);
  cpSync(demoFeedFolder, folder, { recursive: true });
  for (const [file, change] of Object.entries(changes)) {
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  }
}

/** Relative paths are those of the shell that the command was typed into. */
function run(place: Place, name: string, ...args: string[]): Promise<Finished> {
  return runNpmScript(name, args, { env: place.env, cwd: files });
}

function withoutDuration({ stdout, ...rest }: Finished): Finished {
  return { ...rest, stdout: stdout.replace(/Done in [\d.]+ s\./, 'Done.') };
}

test.each([
  ['import', ['renamed'], 0, /4 ports, 6 routes/],
  ['import', ['broken'], 1, /^There is 1 problem; nothing was done\.\noperator\.csv:2 currency/],
  ['import', [], 1, /^Name one folder or zip archive, or --take-back\.\n\nUsage/],
  ['trip-cards:issue', ['cards.csv'], 0, /^1 card issued, 0 there already\.\n$/],
  ['trip-cards:adjust', [NEW_CARD, '-1.00', 'Charged twice'], 0, /Balance \$9\.00\.\n$/],
  [
    'trip-cards:adjust',
    ['9000000000000000', '1.00', 'Unknown'],
    1,
    /^There is no trip card with that number/,
  ],
  ['trip-cards:charge', ['gate.json'], 0, /^1 fare charged[\s\S]*Still missing: gate 1\.\n$/],
  [
    'settings',
    ['set', 'bad-settings.json'],
    1,
    /^There is 1 problem; nothing was done\.\nbad-settings\.json contact\.email: /,
  ],
  ['settings', ['get'], 0, /"name": "Harbor Line"/],
  ['sailings', ['list', '--port', 'MAD'], 0, /^day +departs +from +to /],
  ['sailings', ['list', '--date', 'today'], 1, /^--date is a day/],
  ['trip-cards:issue', ['--help'], 0, /^Manages trip cards/],
  ['orders:refund', ['ONE', '--all'], 1, /^Unknown option '--all'/],
  ['orders:refund', ['the demo order'], 0, /^Nothing is changed yet\.[\s\S]*Order [A-Z0-9-]+ is canceled\./],
] as const)(
  'npm run %s -- %j prints the same whether a server runs or not',
  async (name, args, exitCode, text) => {
    const typed = args.map((each) => (each === 'the demo order' ? reference : each));
    const [alone, sent] = await Promise.all([run(idle, name, ...typed), run(served, name, ...typed)]);
    expect(withoutDuration(sent)).toEqual(withoutDuration(alone));
    expect(sent.stdout + sent.stderr).toMatch(text);
    expect(sent.exitCode).toBe(exitCode);
  },
);

test('an import into the running server is shown by the next page and the next call', async () => {
  const showsRenamed = async (path: string) => (await server.send(path)).text.includes('Madrona Landing');
  expect((await run(served, 'import', 'renamed')).exitCode).toBe(0);
  for (const path of ['/', '/api/catalogue']) expect(await showsRenamed(path), path).toBe(true);
  expect((await run(served, 'import', demoFeedFolder)).exitCode).toBe(0);
  for (const path of ['/', '/api/catalogue']) expect(await showsRenamed(path), path).toBe(false);
});

test('settings set in the running server are shown by the next page and the published file', async () => {
  const sent = await run(served, 'settings', 'set', 'settings.json');
  expect(sent.stdout).toMatch(/^Stored and published\./);
  const name = async (path: string, host: string) =>
    (await server.send(path, { host })).text.includes('Sound Ferries');
  expect(await name('/', 'tickets')).toBe(true);
  expect(await name('/sign_in', 'my')).toBe(true);
  expect(await name('/manifest.webmanifest', 'my')).toBe(true);
  expect(await name('/api/settings/web', 'tickets')).toBe(true);
  expect(await name('/public/settings/web.json', 'storage')).toBe(true);
});

test('two concurrent commands each take effect once', async () => {
  const key = ['--key', 'once'];
  const adjust = ['trip-cards:adjust', CARD, '1.00', 'Goodwill', ...key] as const;
  const [imported, first, second] = await Promise.all([
    run(served, 'import', 'renamed'),
    run(served, ...adjust),
    run(served, ...adjust),
  ]);
  expect(imported).toMatchObject({ exitCode: 0, stderr: '' });
  expect(first).toMatchObject({ exitCode: 0, stderr: '' });
  expect(second).toEqual(first);
});

test('npm run demo:remove removes the demo once, whether a server runs or not', async () => {
  const signIn = async () =>
    (
      await server.send('/api/customers/sessions/sign_in', {
        host: 'my',
        body: { email: 'demo@harborline.example', password: 'by ferry across the sound' },
      })
    ).status;
  expect(await signIn()).toBe(200);
  for (const text of [/^Removed: 1 customer, 1 payment card, \d+ orders /, /^There is no demo data/]) {
    for (const { stdout, ...rest } of await Promise.all([
      run(idle, 'demo:remove'),
      run(served, 'demo:remove'),
    ])) {
      expect(rest).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout).toMatch(text);
    }
  }
  expect(await signIn()).toBe(422);
});

test('a backup that the running server has made is restored into PostgreSQL', async () => {
  const file = join(files, 'backup.gz');
  expect(await run(served, 'backup', file)).toMatchObject({ stderr: '', exitCode: 0 });
  const place = await newPostgresPlace({ isEmpty: true });
  const { stdout, ...rest } = await run(place, 'restore', file);
  expect(rest).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(/^Restored \d+ rows as of /);
  expect((await run(place, 'restore', file)).stderr).toMatch(/^The database is not empty/);
  expect((await run(place, 'settings', 'get')).stdout).toContain('Sound Ferries');
  await place.remove();
});

test('a command whose output nothing reads ends without an error', () => {
  const script = join(root, 'src/server/commands/settings.ts');
  const command = `"${node}" --import "${join(root, 'src/server/module-loading.js')}" "${script}" get | true`;
  const env = environmentOf(idle.env);
  expect(spawnSync('/bin/sh', ['-c', command], { env, encoding: 'utf8' }).stderr).toBe('');
});

test('an older Node is refused with a sentence, and with the code of a wrong environment', async () => {
  // Like an older Node, it cannot load TypeScript.
  const env = { ...idle.env, NODE_OPTIONS: '--no-strip-types' };
  const sentence = `Node ${process.version} is too old. Install the version that package.json names.\n`;
  expect(await runNpmScript('doctor', [], { env })).toEqual({ stdout: '', stderr: sentence, exitCode: 78 });
  const started = await launch(env);
  expect([await started.exited, started.stderr()]).toEqual([78, sentence]);
});

test('only the user the server runs as can send it commands', () => {
  const folder = served.env.DATA_DIR ?? '';
  const address = readFileSync(join(folder, 'command.address'), 'utf8');
  expect(statSync(address).isSocket()).toBe(true);
  expect(statSync(address).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'command.address')).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform !== 'linux')(
  'a server killed before it answers leaves no partial change, and the command says that it can be repeated',
  async () => {
    const place = newEmbeddedPlace();
    const killed = await startServer(place.env);
    const socket = readFileSync(join(place.env.DATA_DIR ?? '', 'command.address'), 'utf8');
    process.kill(killed.pid, 'SIGSTOP');
    const sent = run(place, 'trip-cards:issue', 'cards.csv');
    await eventually(() => readFileSync('/proc/net/unix', 'utf8').split(socket).length > 2, {
      what: 'the command to connect',
      withinMs: 30_000,
    });
    await killed.signal('SIGKILL');
    expect(await sent).toEqual({
      stdout: '',
      stderr:
        'The running server stopped before it answered. The command may or may not have taken effect: check before you repeat it.\n',
      exitCode: 1,
    });

    // The socket of the killed server is still there.
    expect(existsSync(socket)).toBe(true);
    const alone = await run(place, 'trip-cards:issue', 'cards.csv');
    expect(alone).toMatchObject({ stdout: '1 card issued, 0 there already.\n', exitCode: 0 });
    const next = await startServer(place.env);
    const again = await run(place, 'trip-cards:issue', 'cards.csv');
    expect(again).toMatchObject({ stdout: '0 cards issued, 1 there already.\n', exitCode: 0 });
    expect(await next.signal('SIGTERM')).toBe(0);
    expect(existsSync(socket)).toBe(false);
    await place.remove();
  },
  180_000,
);
