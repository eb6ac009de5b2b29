import type { auditCalls } from '#contract/staff/audit/schemas.ts';
import { exportAuditLog } from '../audit/export-audit.ts';
import { readAuditPage } from '../audit/read-audit.ts';
import type { Context } from '../context.ts';
import { readClient } from '../http/client.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { answer } from '../http/respond.ts';
import { describeStaffActor } from './actor.ts';
import { withStaffStepUp } from './step-up.ts';

/** Handlers for reading the audit log. */
export function createAuditHandlers(context: Context): Handlers<typeof auditCalls> {
  return {
    listAuditEntries: async ({ list }) => {
      const { entries, meta } = await readAuditPage(context.db, list);
      return new Reply(entries, { meta });
    },
    exportAuditLog: withStaffStepUp(context, async ({ session, list: { filters } }, c) => {
      const actor = describeStaffActor(session, readClient(c));
      const day = context.clock.now().toISOString().slice(0, 10);
      return answer(c, await exportAuditLog(context, { filters, actor }), 200, {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit-log-${day}.csv"`,
        'Cache-Control': 'no-store',
      });
    }),
  };
}
