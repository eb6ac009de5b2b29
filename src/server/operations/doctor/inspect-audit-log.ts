import { readAnchors } from '#server/audit/anchors.ts';
import { verifyAuditLog } from '#server/audit/verify-audit.ts';
import type { Context } from '#server/context.ts';
import { type Finding, findingIf } from './finding.ts';

/** Whether an entry of the audit log was changed or removed. */
export async function inspectAuditLog({ config, db }: Pick<Context, 'config' | 'db'>): Promise<Finding[]> {
  const { problem, seq } = await verifyAuditLog(db, await readAnchors(config));
  return findingIf(problem !== null, {
    severity: 'error',
    problem: `Entry ${seq} of the audit log is ${problem}, so someone with access to the database may have altered it.`,
    remedy: 'Compare it with a backup and the process log, see docs/operating.md.',
  });
}
