import { execFile, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  openAsBlob,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { paymentSubjects } from '#server/app.ts';
import { backupCommand } from '#server/commands/back-up.ts';
import { paymentsCommand } from '#server/commands/payments.ts';
import { checkTicket, readKeys } from '#server/commands/verify-ticket.ts';
import { type Config, readConfig } from '#server/config.ts';
import { newId } from '#server/core/ids.ts';
import { createLog } from '#server/core/log.ts';
import { type OpenDatabase, openDatabase, readMigrations } from '#server/database/database.ts';
import { pushes } from '#server/database/schema/push.ts';
import { smsMessages } from '#server/database/schema/sms.ts';
import { createJobs } from '#server/jobs/jobs.ts';
import { registerPaymentJobs } from '#server/orders/pay/payment-jobs.ts';
import { applyEvent } from '#server/payments/webhooks.ts';
import { restore } from '#server/restore.ts';
import { loadSecrets } from '#server/secrets.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { addEntry, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import { runCommandLine } from '#tests/setup/command-line.ts';
import { createDatabase } from '#tests/setup/database.ts';
import { openTestServer } from '#tests/setup/server.ts';

const SECRET = 'the secret of the restored installation';
const RESTORE = { isReplacing: true, areMailsSent: false };

type Place = { url: string | null; folder: string };

let office: Office;
let folder: string;
/** The database to restore into, on the engine under test: PostgreSQL without tables, or an embedded one with them. */
let place: Place;
let config: Config;
const cleanups: (() => Promise<void>)[] = [];
beforeAll(async () => {
  office = await openOffice();
  folder = mkdtempSync(join(tmpdir(), 'gangway-backup-'));
  const created = inject('engine') === 'postgres' ? await createDatabase('template0') : null;
  place = { url: created?.url ?? null, folder };
  config = readConfig({
    ...{ NODE_ENV: 'test', APP_SECRET: SECRET, DATA_DIR: folder },
    ...(created ? { DATABASE_URL: created.url } : {}),
  });
  // Creating the files of an embedded database takes seconds, and a copy of a dump does not.
  if (created === null) {
    const snapshot = await openAsBlob(inject('snapshotFile'));
    await (await openDatabase({ ...place, snapshot })).close();
  }
  return () => created?.drop();
});
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
  await office.reopen();
});
afterAll(async () => {
  await office.close();
  rmSync(folder, { recursive: true });
});

async function openRestored(at = place): Promise<OpenDatabase> {
  const database = await openDatabase(at);
  cleanups.push(() => database.close());
  return database;
}

/** What does not depend on the engine is tested on the faster one. */
const onPostgres = test.runIf(inject('engine') === 'postgres');

const newFile = () => join(mkdtempSync(join(folder, 'file-')), 'backup.gz');

async function backUp(): Promise<string> {
  const path = newFile();
  expect(await runCommandLine(office, backupCommand, path)).toMatchObject({ stderr: '', exitCode: 0 });
  return path;
}

/** A fingerprint of the rows of each table that a backup contains. */
async function fingerprint({ store }: Pick<OpenDatabase, 'store'>): Promise<Record<string, string>> {
  const tables = await store.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'sandbox') and tablename !~ 'release|running_processes|secrets'
       and tablename <> 'settings' order by 1`,
  );
  const prints: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await store.query<{ print: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as print from ${name} t`,
    );
    prints[name] = row?.print ?? '';
  }
  return prints;
}

test('a restored database has the same rows, constraints, triggers and jobs, and numbers go on', async () => {
  const { db, store } = office.database;
  await changesOf(office).buy({ adults: 2, bicycles: 1 });
  const card = await createTripCard({ db, clock: office.clock }, null, { balance: 2000 });
  await store.query(`update mails set text = $1, subject = E'line\\nbreak\\u2028\\\\'`, [
    '"quoted", [1]\t\r\n{}',
  ]);
  await store.query(`insert into pictures (file, content) values ('a.webp', '\\x00ff')`);
  await store.query(
    `insert into release_files (path, content, is_compressed) values ('/a', '\\x00ff', false)`,
  );
  const queue = createJobs(
    store,
    createLog(() => {}),
  );
  await queue.start();
  await queue.send('delete-card-holder', { customer: 'cus_1' });
  await queue.send('roll-timetable', {});
  await queue.stop();
  await store.query(
    `insert into pgboss.job (name, data) values ('__pgboss__send-it', '{"name": "roll-timetable", "options": {}}')`,
  );
  const path = await backUp();

  expect(await restore({ ...RESTORE, path }, config)).toMatch(
    /^Restored \d+ rows[\s\S]*1 unfinished jobs will run/,
  );
  const restored = await openRestored();
  expect(await fingerprint(restored)).toMatchObject(await fingerprint(office.database));
  expect(await restored.store.query('select * from release_files')).toEqual([]);
  const jobs = await restored.store.query('select name, data, state::text from pgboss.job');
  expect(jobs).toEqual([{ name: 'delete-card-holder', data: { customer: 'cus_1' }, state: 'created' }]);

  const entry = await addEntry({ db: restored.db, clock: office.clock }, card.id, -500);
  expect(entry).toMatchObject({ seq: 2, balanceAfter: 1500 });
  await expect(restored.store.query('delete from trip_card_entries')).rejects.toThrow();
  await expect(restored.store.query(`update orders set hold_id = 'hld_none'`)).rejects.toThrow();
  const numbers = 'select max(seq)::int as last from sandbox.objects';
  const [before] = await restored.store.query<{ last: number }>(numbers);
  await restored.store.query(
    `insert into sandbox.objects (id, object, doc, secret) values ('new', 'x', '{}', '{}')`,
  );
  expect(await restored.store.query(numbers)).toEqual([{ last: (before?.last ?? 0) + 1 }]);
});

test('a backup under load restores to balanced books, valid tickets, and payments as the card provider has them', () =>
  checkRestored({
    backUp,
    async restore(path) {
      await restore({ ...RESTORE, path }, config);
      return place;
    },
  }));

onPostgres('a dump of pg_dump under load restores to the same', async ({ skip }) => {
  const url = office.database.url ?? '';
  const [server] = await office.database.store.query<{ server_version: string }>('show server_version');
  const client = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '';
  skip(
    majorOf(client) < majorOf(server?.server_version ?? ''),
    'pg_dump is missing or older than the server',
  );
  const empty = await createDatabase('template0');
  cleanups.push(empty.drop);
  await checkRestored({
    async backUp() {
      const path = newFile();
      await run('pg_dump', ['--format=custom', '--no-owner', `--file=${path}`, url]);
      return path;
    },
    async restore(path) {
      await run('pg_restore', ['--no-owner', '--single-transaction', `--dbname=${empty.url}`, path]);
      return { url: empty.url, folder };
    },
  });
});

const run = promisify(execFile);

/** 0 for a text without a version. */
function majorOf(text: string): number {
  return Number(/\d+/.exec(text)?.[0] ?? 0);
}

/** Backs up while customers buy, restores the file, and compares the books, tickets and payments of both databases. */
async function checkRestored(tool: {
  backUp(): Promise<string>;
  /** @returns the restored database */
  restore(path: string): Promise<Place>;
}): Promise<void> {
  const buyer = changesOf(office);
  const earlier = await buyer.buy();
  const open = await office.takePayment();
  const unanswered = await office.takePayment();
  await setReference(unanswered, null);
  let path = '';
  await Promise.all([
    ...Array.from({ length: 8 }, () => buyer.buy()),
    office.takePayment().then(async () => {
      path = await tool.backUp();
    }),
  ]);
  await setReference(unanswered, unanswered.intent);
  for (const { intent } of [open, unanswered]) await office.confirmWith(intent);
  const later = await buyer.buy();

  const restoredPlace = await tool.restore(path);
  const database = await openRestored(restoredPlace);
  await copyProvider(database);
  const restored = await openTestServer({
    database: { ...database, url: restoredPlace.url },
    now: '2026-06-01T15:03:00Z',
  });
  await registerPaymentJobs(restored.context);
  await restored.jobs.send('reconcile-payments', {});
  await restored.jobs.runJobs();

  expect(await findBrokenBooks(restored.context)).toEqual([]);
  const { wrongPayments, ...books } = await auditBooks(database.store);
  expect(books).toEqual({ ...cleanBooks, wrongPayments: undefined });
  const read = async (id: string) => (await restored.request('GET', `/api/orders/${id}`)).body.data;
  expect(await read(open.order.id)).toMatchObject({ status: 'confirmed', payment_status: 'paid' });
  // Payments of orders that the backup does not have are known to the card provider alone.
  expect(await read(later.id)).toBeNull();
  expect(wrongPayments).not.toEqual([]);
  for (const payment of wrongPayments) expect(payment).toMatchObject({ payment: null });
  const runPayments = (...args: string[]) => runCommandLine(restored, paymentsCommand, ...args);
  const listUnknown = async () =>
    (await runPayments('unknown', '--since', '2026-06-01T15:00:00Z', '--csv')).stdout;
  const listed = (await listUnknown()).trimEnd().split('\n').slice(1);
  expect(listed).toHaveLength(wrongPayments.length);
  expect(listed.join()).toContain(unanswered.intent);
  const own = listed.find((line) => line.includes(`order ${later.reference}`)) ?? '';
  expect(own).toMatch(/^pi_\w+,2026-06-01T15:0\d:\d\d\.000Z,\$[\d.]+,order /);
  const [id = '', , amount] = own.split(',');
  expect(await runPayments('refund', id)).toMatchObject({
    stdout: `${amount} back to the card. Tell the buyer.\n`,
  });
  expect(await listUnknown()).not.toContain(id);
  expect((await runPayments('refund', id)).stderr).toBe('This payment has been refunded already.\n');
  const refunds = await restored.context.provider.listRefunds(id);
  expect(refunds).toMatchObject([{ refundId: null, isOfUnknownPayment: true, status: 'succeeded' }]);
  const [refund] = refunds;
  if (!refund) return;
  for (const status of ['pending', 'succeeded', 'failed'] as const) {
    const event = { id: `evt_${status}`, type: 'refund.updated', isLive: false } as const;
    const reported = { ...event, kind: 'refund', refund: { ...refund, status } } as const;
    await applyEvent(restored.context, { event: reported, subjects: paymentSubjects });
  }
  const errors = restored.logged.filter(({ level }) => level === 'error');
  expect(errors.map(({ event }) => event)).toEqual(['refund of an unknown payment failed']);
  expect((await runPayments('refund', open.intent)).stderr).toContain(
    `is known (order ${open.order.reference})`,
  );
  expect((await runPayments('refund', 'pi_none')).stderr).toContain('has no payment with this id');
  const keys = readKeys(must(await restored.request('GET', '/api/keys')));
  for (const { id } of [earlier, open.order]) {
    const [{ barcode }] = (await read(id)).tickets;
    expect(checkTicket(barcode.payload, keys, restored.clock.now()).isValid).toBe(true);
  }
}

/** Sets what the card provider's answer to the creation of a payment sets. */
async function setReference({ order }: { order: { id: string } }, intent: string | null): Promise<void> {
  await office.database.store.query('update payments set provider_reference = $1 where order_id = $2', [
    intent,
    order.id,
  ]);
}

/** The card provider goes on when the database is lost. */
async function copyProvider({ store }: OpenDatabase): Promise<void> {
  for (const table of ['config', 'objects', 'deliveries', 'idempotency'].map((name) => `sandbox.${name}`)) {
    const [row] = await office.database.store.query<{ rows: string }>(
      `select coalesce(json_agg(t), '[]')::text as rows from ${table} t`,
    );
    await store.query(`delete from ${table}`);
    await store.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json)`,
      [row?.rows],
    );
  }
}

/** A push and a text message that wait. */
async function queueMessages(orderId: string): Promise<void> {
  const { db } = office.context;
  const now = office.clock.now();
  const row = { orderId, kind: 'sailing-late', status: 'queued', tryAt: now, insertedAt: now } as const;
  await db.insert(pushes).values({ ...row, id: newId('psh'), device: 'Safari on iPhone' });
  await db.insert(smsMessages).values({ ...row, id: newId('sms'), toNumber: '+12065550123' });
}

test('a database with content is only replaced if the operator says so, and waiting messages may count as sent', async () => {
  const { id } = await changesOf(office).buy();
  await queueMessages(id);
  const path = await backUp();
  await expect(restore({ ...RESTORE, path, isReplacing: false }, config)).rejects.toThrow('--replace');
  const messagesOf = async () =>
    (await openRestored()).store.query(
      'select status from mails union all select status from pushes union all select status from sms_messages',
    );
  expect(await restore({ ...RESTORE, path }, config)).toContain(
    '3 mails, pushes and text messages that waited',
  );
  const inAll = (status: string) => Array.from({ length: 3 }, () => ({ status }));
  expect(await messagesOf()).toEqual(inAll('queued'));
  if (place.url !== null) await expect(restore({ ...RESTORE, path }, config)).rejects.toThrow('in use by');
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
  expect(await restore({ ...RESTORE, path, areMailsSent: true }, config)).not.toContain(
    'that waited then will',
  );
  expect(await messagesOf()).toEqual(inAll('sent'));
});

onPostgres(
  'a damaged, incomplete or newer backup and another file are refused and change nothing',
  async () => {
    const path = await backUp();
    const text = gunzipSync(readFileSync(path)).toString('utf8');
    const lines = text.trimEnd().split('\n');
    const lastRow = lines.findLastIndex((line) => line.startsWith('['));
    const header = JSON.parse(lines[0] ?? '');
    const newer = [...header.migrations, { hash: 'newer', created_at: 9_999_999_999_999 }];
    const variants: [string, string][] = [
      [text.slice(0, -20), 'damaged or incomplete'],
      [lines.toSpliced(lastRow, 1).join('\n').concat('\n'), 'incomplete'],
      [text.replace(lines[0] ?? '', JSON.stringify({ ...header, migrations: newer })), 'newer release'],
      ['gtfs\n', 'not a backup'],
    ];
    for (const [content, message] of variants) {
      writeFileSync(path, gzipSync(content));
      await expect(restore({ ...RESTORE, path }, config)).rejects.toThrow(message);
    }
    writeFileSync(path, gzipSync(text));
    truncateSync(path, 2000);
    await expect(restore({ ...RESTORE, path }, config)).rejects.toThrow('damaged or incomplete');
  },
);

onPostgres('a backup of the first release is brought up to date', async () => {
  const [first] = readMigrations();
  const path = newFile();
  const lines = [
    {
      ...{ gangway_backup: 1, made_at: '2026-01-01T00:00:00Z', tables: ['public.settings'] },
      migrations: [{ hash: first?.hash, created_at: first?.folderMillis }],
    },
    { table: 'public.settings', columns: ['name', 'value', 'updated_at'] },
    ['web', '{"brand": null}', '2026-01-01 00:00:00+00'],
    { job: '__pgboss__send-it', data: { name: 'roll-timetable', options: {} } },
    { rows: 1 },
  ];
  writeFileSync(path, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  await restore({ ...RESTORE, path }, config);
  const { store } = await openRestored();
  expect(await store.query('select name, value from settings')).toEqual([
    { name: 'web', value: { brand: null } },
  ]);
  const [journal] = await store.query('select count(*)::int as count from drizzle.__drizzle_migrations');
  expect(journal).toEqual({ count: readMigrations().length });
});

onPostgres('a backup has no secret, and is restored only with the secret of its installation', async () => {
  const none = { appSecret: null, previousSecrets: [] };
  const { current: secret } = await loadSecrets(office.context.db, none);
  const path = newFile();
  const context = { ...office.context, config: { ...office.context.config, appSecret: null } };
  const { stdout } = await runCommandLine({ context }, backupCommand, path);
  expect(stdout).toContain(`The secret is in ${path}.secret`);
  expect(readFileSync(`${path}.secret`, 'utf8').trim()).toBe(secret);
  expect(gunzipSync(readFileSync(path)).toString('utf8')).not.toContain(secret);

  await expect(restore({ ...RESTORE, path }, config)).rejects.toThrow('APP_SECRET is');
  const unset = { ...config, appSecret: null };
  const apart = newFile();
  copyFileSync(path, apart);
  await expect(restore({ ...RESTORE, path: apart }, unset)).rejects.toThrow('set APP_SECRET, or put');
  await restore({ ...RESTORE, path }, unset);
  expect(await loadSecrets((await openRestored()).db, none)).toMatchObject({ current: secret });
});

test('a backup never overwrites a file, and leaves none that is incomplete', async () => {
  const path = await backUp();
  expect(await runCommandLine(office, backupCommand, path)).toMatchObject({ exitCode: 1 });
  const missing = join(folder, 'missing', 'backup.gz');
  const { stderr } = await runCommandLine(office, backupCommand, missing);
  expect(stderr).toContain('cannot be written (ENOENT)');
});
