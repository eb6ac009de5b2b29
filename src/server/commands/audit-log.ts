import { readAnchors } from '../audit/anchors.ts';
import { listAuditEntries } from '../audit/export-audit.ts';
import { verifyAuditLog } from '../audit/verify-audit.ts';
import type { CommandContext } from '../context.ts';
import { formatCsv, formatTable } from '../csv/format-table.ts';
import { type Command, readArguments, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Shows the audit log of the configured database: who did what to which order or trip card, when and
why.

  npm run audit-log -- list [--csv]
      Lists all entries, newest first.

  npm run audit-log -- verify
      Checks that no entry was changed or removed. Exits with 1 if one was.
`;

type AuditLogInput = { kind: 'list'; asCsv: boolean } | { kind: 'verify' };

/** An entry was changed or removed. */
class AuditLogBroken extends Error {}

export const auditLogCommand: Command<AuditLogInput> = {
  name: 'audit-log',
  usage,
  isReadOnly: true,
  refusals: [AuditLogBroken],
  read(args) {
    const { values, positionals } = readArguments(args, { csv: { type: 'boolean' } });
    const [kind, ...rest] = positionals;
    if (rest.length === 0 && kind === 'list') return { kind, asCsv: values.csv === true };
    if (rest.length === 0 && kind === 'verify' && values.csv === undefined) return { kind };
    throw new UsageError('Name what to do: list or verify.');
  },
  async run(context, input) {
    if (input.kind === 'verify') return verify(context);
    const entries = await listAuditEntries(context.db);
    return input.asCsv ? formatCsv(entries) : formatTable(entries);
  },
};

/** @throws {AuditLogBroken} */
async function verify({ config, db }: CommandContext): Promise<string> {
  const { problem, seq, last } = await verifyAuditLog(db, await readAnchors(config));
  if (problem !== null) throw new AuditLogBroken(`Entry ${seq} of the audit log is ${problem}.`);
  return last === null ? 'The audit log has no entries yet.' : `All ${last.seq} entries are as recorded.`;
}

if (import.meta.main) await runCommand(auditLogCommand);
