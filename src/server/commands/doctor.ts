import { resolveTxt } from 'node:dns/promises';
import { sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { systemClock } from '#server/core/clock.ts';
import { queryRows } from '#server/database/database.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { describeFinding, type Finding, type Outside, sortFindings } from '../operations/doctor/finding.ts';
import { inspectEnvironment, inspectInstallation } from '../operations/doctor/inspect-installation.ts';
import { inspectMachines, inspectOutside } from '../operations/doctor/inspect-outside.ts';
import { type Command, readArguments, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Says what is missing or wrong in this installation before customers notice. Changes nothing.

  npm run doctor [-- --offline]
      Checks configuration, database, timetable, settings and disk; also the public names, the mail server and its DNS
      records, the published settings and the clock. With --offline: without asking other machines.
      Exits with 1 if there is an error.
`;

/** How long another machine may take to answer. */
const TIMEOUT_MS = 10_000;

/** Findings of which at least one is an error. */
class InstallationUnfit extends Error {}

export const doctorCommand: Command<{ isOffline: boolean }> = {
  name: 'doctor',
  usage,
  isReadOnly: true,
  read(args) {
    const { values, positionals } = readArguments(args, { offline: { type: 'boolean' } });
    if (positionals.length > 0) throw new UsageError('Name no file.');
    return { isOffline: values.offline ?? false };
  },
  async run(context, { isOffline }) {
    return report([
      ...(await inspectInstallation(context)),
      ...(isOffline ? [] : await inspectOutside(context, createOutside(context))),
    ]);
  },
  async runWithoutDatabase(config, { isOffline }, problem) {
    const context = { config, clock: systemClock };
    return report([
      { severity: 'error', problem, remedy: 'Then run this again, for what is stored in it.' },
      ...(await inspectEnvironment(config)),
      ...(isOffline ? [] : await inspectMachines(context, createOutside({ config }))),
    ]);
  },
  refusals: [InstallationUnfit],
};

/** @throws {InstallationUnfit} if there is an error */
function report(unsorted: readonly Finding[]): string {
  const findings = sortFindings(unsorted);
  if (findings.length === 0) return 'Nothing is missing.';
  const text = findings.map(describeFinding).join('\n');
  if (findings.some(({ severity }) => severity === 'error')) throw new InstallationUnfit(text);
  return text;
}

if (import.meta.main) await runCommand(doctorCommand);

function createOutside({ config, db }: Pick<Context, 'config'> & Partial<Pick<Context, 'db'>>): Outside {
  const { mailFrom, parentDomain } = config;
  return {
    async resolveTxt(name) {
      const records = await resolveTxt(name).catch(() => []);
      return records.map((parts) => parts.join(''));
    },
    fetch: (url) => fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' }),
    async verifyMailServer(smtpUrl) {
      const mailer = createMailer({ smtpUrl, from: mailFrom, domain: parentDomain });
      await mailer.verify().finally(() => mailer.close());
    },
    async readDatabaseTime() {
      if (!db) throw new Error('The database is not open.');
      const [row] = await queryRows<{ now: string }>(db, sql`select now()::text as now`);
      return new Date(row?.now ?? '');
    },
  };
}
