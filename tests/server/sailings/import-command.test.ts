import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { desc } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CommandResult, executeCommand, settleCommand } from '#server/commands/command.ts';
import { importCommand } from '#server/commands/import.ts';
import { runCommand } from '#server/commands/run-command.ts';
import { lockFolder } from '#server/database/folder-lock.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { zipFeed } from '#server/sailings/feed/feed-files.ts';
import { listFeedChanges } from '#server/sailings/feed-changes.ts';
import { buildFeed } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gangway-import-'));
  server = await openTestServer();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): Promise<CommandResult> {
  return settleCommand(importCommand, async () =>
    executeCommand(importCommand, server.context, await importCommand.read(args)),
  );
}

function writeZip(name: string, changes: Record<string, string | null> = {}): string {
  const file = join(folder, name);
  writeFileSync(file, zipFeed(buildFeed(changes)));
  return file;
}

describe('npm run import', () => {
  it('imports an archive and reports what changed', async () => {
    const { exitCode, stdout } = await run(writeZip('good.zip'), '--today', '2026-06-01', '--days', '7');
    expect(stdout).toContain('2 ports, 2 routes. Sailings: 32 added, 0 changed, 0 canceled, 0 removed, 0');
    expect(exitCode).toBe(0);
  });

  it('is in the audit log with the user who runs it', async () => {
    await run(writeZip('logged.zip'), '--today', '2026-06-01', '--days', '7');
    const entries = await server.database.db.select().from(auditLog).orderBy(desc(auditLog.seq));
    expect(entries[0]).toMatchObject({
      ...{ actorKind: 'command', actorId: userInfo().username, action: 'timetable_imported' },
      after: { orders_notified: 0, orders_unreachable: 0 },
    });
  });

  it('takes the day of --today in the zone of the feed', async () => {
    const agency = 'agency_id,agency_name,agency_timezone\na,Far East Ferries,Pacific/Auckland\n';
    const archive = writeZip('east.zip', { 'agency.txt': agency });
    const { stdout } = await run(archive, '--today', '2026-12-01', '--days', '7', '--preview');
    expect(stdout).toContain('sailings until 2026-12-08.');
  });

  it('names files and columns that it does not read', async () => {
    const archive = join(folder, 'more.zip');
    const operator = new TextEncoder().encode('currency,color\nUSD,red\n');
    const files = new Map([...buildFeed(), ['shapes.txt', new Uint8Array()], ['operator.csv', operator]]);
    writeFileSync(archive, zipFeed(files));
    const { stdout } = await run(archive, '--today', '2026-06-01', '--days', '7');
    expect(stdout).toContain('Note: not read: files shapes.txt.');
    expect(stdout).toContain('Note: not read: columns of operator.csv that are unknown: color');
  });

  it.each([
    ['calendar_date.txt', 'calendar_dates.txt'],
    ['Fare.csv', 'fares.csv'],
    ['fares.txt', 'fares.csv'],
    ['exeptions.csv', 'exceptions.csv'],
  ])('asks at the top whether %s is meant to be %s', async (name, meant) => {
    const archive = join(folder, 'misnamed.zip');
    const write = (changes: Record<string, string | null>) =>
      writeFileSync(
        archive,
        zipFeed(new Map([...buildFeed({ [meant]: null, ...changes }), [name, new Uint8Array()]])),
      );
    const question = `The file ${name} is not read. Is it meant to be ${meant}?\n`;
    const start = ['--today', '2026-06-01', '--days', '7'];
    write({});
    expect((await run(archive, ...start)).stdout.startsWith(question)).toBe(true);
    expect((await run(archive, ...start, '--preview')).stdout.startsWith(question)).toBe(true);
    write({ 'operator.csv': 'currency\nx\n' });
    expect((await run(archive, ...start)).stderr.startsWith(question)).toBe(true);
  });

  it('asks nothing about files that other readers use, nor where the file is there', async () => {
    const archive = join(folder, 'spec.zip');
    const names = [
      'areas.txt',
      'levels.txt',
      'stop_areas.txt',
      'networks.txt',
      'fare_rules.txt',
      'trips.txt.bak',
    ];
    const more = names.map((name) => [name, new Uint8Array()] as const);
    writeFileSync(archive, zipFeed(new Map([...buildFeed(), ...more])));
    const { stdout } = await run(archive, '--today', '2026-06-01', '--days', '7');
    expect(stdout).not.toContain('meant to be');
  });

  it('lists every problem with its file and line, and fails', async () => {
    const { exitCode, stderr } = await run(writeZip('bad.zip', { 'operator.csv': 'currency\nx\n' }));
    expect(stderr).toBe(
      'There is 1 problem; nothing was done.\n' +
        'operator.csv:2 currency: "x" is not a currency\'s three letters.\n',
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    [[], 'Name one folder or zip archive, or --take-back.'],
    [['a', 'b'], 'Name one folder or zip archive, or --take-back.'],
    [['a', '--days', 'x'], '--days is 1 to 400.'],
    [['a', '--today', 'x'], '--today is a day, YYYY-MM-DD.'],
    [['a', '--today', '2026-02-31'], '--today is a day, YYYY-MM-DD.'],
    [['a', '--what'], 'Usage: npm run import'],
    [['/nowhere'], '/nowhere: There is no such folder or file.'],
  ])('explains itself when called with %j', async (args, text) => {
    const { exitCode, stderr } = await run(...args);
    expect(stderr).toContain(text);
    expect(exitCode).toBe(1);
  });

  it('does not touch the embedded database while a process without command support uses it', async () => {
    const data = join(folder, 'data');
    const unlock = lockFolder(data);
    writeFileSync(join(data, 'process.lock'), String(process.ppid));
    vi.stubEnv('DATA_DIR', data);
    vi.stubEnv('DATABASE_URL', undefined);
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'import-command.ts', writeZip('later.zip')]);
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    // Any two readings are further apart than the time limit for the other process to accept the command.
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 1_000_000));
    await runCommand(importCommand);
    unlock();
    expect(stderr.mock.lastCall?.[0]).toContain('is in use by process');
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
  });
});

describe('npm run import -- --take-back', () => {
  it('takes the last change back', async () => {
    await run(writeZip('before.zip'), '--today', '2026-06-01', '--days', '7');
    const { exitCode } = await run(writeZip('changed.zip', { 'promo_codes.csv': null }));
    expect(exitCode).toBe(0);
    const preview = await run('--take-back', '--preview');
    expect(preview.stdout).toContain('Preview: nothing was written.');
    const { stdout } = await run('--take-back');
    expect(stdout).toContain('2 ports, 2 routes.');
    const [last] = await listFeedChanges(server.database.db);
    expect(last).toMatchObject({
      by: userInfo().username,
      files: [{ name: 'promo_codes.csv', state: 'added' }],
    });
  });

  it('refuses to take back into another season, or beside a feed', async () => {
    expect((await run('--take-back', '--today', '2026-06-01')).stderr).toContain(
      '--take-back does not go with',
    );
    expect((await run('--take-back', writeZip('beside.zip'))).stderr).toContain('or --take-back.');
  });
});
