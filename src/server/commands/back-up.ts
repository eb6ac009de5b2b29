import { existsSync } from 'node:fs';
import { rename, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BackupError } from '../backups/backup-file.ts';
import { recordBackup } from '../backups/last-backup.ts';
import { makeBackup } from '../backups/make-backup.ts';
import { readGeneratedSecret } from '../secrets.ts';
import { type Command, readArguments, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Makes a backup of the database while the server runs, or without it.

  npm run backup -- FILE
      Writes everything that is stored, as it is at one moment, to a new file: on the embedded database and on
      PostgreSQL. "npm run restore" reads it on both. The file has personal data, and no secret: keep APP_SECRET
      elsewhere.

  npm run backup -- --record
      Makes none, and notes that another tool such as pg_dump has just made one, for "npm run doctor" and the metrics.
`;

export const backupCommand: Command<{ path: string } | null> = {
  name: 'backup',
  usage,
  read(args) {
    const { values, positionals } = readArguments(args, { record: { type: 'boolean' } });
    const [path, ...more] = positionals;
    if (values.record && path === undefined) return null;
    if (path === undefined || more.length > 0 || values.record) throw new UsageError('Name one file.');
    return { path: resolve(path) };
  },
  async run(context, input) {
    if (input === null) {
      await recordBackup(context.db, context.clock.now());
      return 'Noted.';
    }
    const { path } = input;
    if (existsSync(path)) throw new BackupError(`${path} exists. Name a new file.`);
    const rows = await makeBackup(context, path);
    const { size } = await stat(path);
    const secret = context.config.appSecret === null ? await readGeneratedSecret(context.db) : null;
    const lines = [`${rows} rows in ${path} (${(size / 1_000_000).toFixed(1)} MB).`];
    if (secret !== null) lines.push(await writeSecret(`${path}.secret`, secret));
    return lines.join('\n');
  },
  refusals: [BackupError],
};

if (import.meta.main) await runCommand(backupCommand);

/** A secret that the operator did not set exists in the database only, and the backup is useless without it. */
async function writeSecret(path: string, secret: string): Promise<string> {
  await writeFile(`${path}.part`, `${secret}\n`, { mode: 0o600 });
  await rename(`${path}.part`, path);
  return `The secret is in ${path}. A restore needs it. With both files everything can be read, so keep them apart.`;
}
