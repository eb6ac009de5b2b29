import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { BackupError, readBackupFile } from './backups/backup-file.ts';
import { type Restored, restoreBackup } from './backups/restore-backup.ts';
import { readArguments, UsageError } from './commands/command.ts';
import { printResult } from './commands/run-command.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createLog } from './core/log.ts';
import { connectDatabase, type Database, type OpenDatabase } from './database/database.ts';
import { createJobs, isJobName } from './jobs/jobs.ts';
import { hasUsedSecret, openVault, storeGeneratedSecret } from './secrets.ts';

const usage = `Writes a backup into an empty database: a new DATA_DIR, or the PostgreSQL database of DATABASE_URL.

  npm run restore -- FILE [--replace] [--mails-sent]
      Stop all server processes first. The backup may come from either database, and from an older release. All or
      nothing. APP_SECRET has to be that of the installation; without it the secret is read from FILE.secret.
      --replace deletes what the database contains.
      --mails-sent counts mails, pushes and text messages that waited at the time of the backup as sent;
      otherwise they are sent.
`;

if (import.meta.main) {
  await printResult({ usage, refusals: [BackupError] }, async () => {
    const input = readInput(process.argv.slice(2));
    const stdout = `${await restore(input, readConfig())}\n`;
    return { stdout, stderr: '', exitCode: 0 };
  });
}

export type RestoreInput = { path: string; isReplacing: boolean; areMailsSent: boolean };

function readInput(args: readonly string[]): RestoreInput {
  const { values, positionals } = readArguments(args, {
    replace: { type: 'boolean' },
    'mails-sent': { type: 'boolean' },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('Name one file.');
  return { path, isReplacing: values.replace ?? false, areMailsSent: values['mails-sent'] ?? false };
}

/**
 * Restores a backup into the configured database.
 * @returns the text to print
 * @throws {BackupError}
 * @throws {ConfigError} if the secret is missing or another one
 * @throws {FolderInUseError} if a server uses the data folder
 */
export async function restore(input: RestoreInput, config: Config): Promise<string> {
  const backup = await readBackupFile(input.path);
  const secret = config.appSecret === null ? await readSecretFile(`${input.path}.secret`) : null;
  const database = await connectDatabase({ url: config.databaseUrl, folder: config.dataDir });
  try {
    const restored = await restoreBackup(database, backup, {
      ...input,
      createSandboxTables,
      async finish(tx) {
        if (secret !== null) await storeGeneratedSecret(tx, secret);
        if (secret === null && config.appSecret === null && (await hasUsedSecret(tx)))
          throw new ConfigError(
            `The secret of the installation is needed: set APP_SECRET, or put ${input.path}.secret beside the backup.`,
          );
        await openVault(tx, config);
      },
    });
    await sendJobs(database, restored);
    return describe(restored, backup.header.made_at);
  } finally {
    await database.close();
  }
}

async function readSecretFile(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  return text?.trim() || null;
}

async function createSandboxTables(tx: Database): Promise<void> {
  const sandbox = await import('#sandbox/sandbox-tables.ts');
  await sandbox.createSandboxTables({
    async query(text) {
      await tx.execute(sql.raw(text));
      return [];
    },
  });
}

/** The queue is created again and has these jobs only; recurring jobs are scheduled when a server starts. */
async function sendJobs({ store }: OpenDatabase, { jobs }: Restored): Promise<void> {
  if (jobs.length === 0) return;
  const queue = createJobs(
    store,
    createLog((line) => process.stderr.write(`${line}\n`)),
  );
  await queue.start();
  for (const { job, data } of jobs) if (isJobName(job)) await queue.send(job, data);
  await queue.stop();
}

function describe({ rows, jobs, messagesQueued }: Restored, madeAt: string): string {
  return [
    `Restored ${rows} rows as of ${madeAt}.`,
    ...(jobs.length > 0 ? [`${jobs.length} unfinished jobs will run.`] : []),
    ...(messagesQueued > 0
      ? [
          `${messagesQueued} mails, pushes and text messages that waited then will be sent, unless they have become too old.`,
        ]
      : []),
    'Start the server. Payments and refunds that were open then are looked up at the card provider within a minute.',
    'Payments that began later are unknown here. List them, and refund them, while the server runs:',
    `  npm run payments -- unknown --since ${madeAt}`,
  ].join('\n');
}
