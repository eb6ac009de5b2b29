import type { ExceptionKind } from '#contract/sailings/exceptions.ts';
import type { AuditAction } from '#contract/staff/audit/kinds.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { AuditedFields } from '../database/schema/audit.ts';
import { ports, vessels } from '../database/schema/timetable.ts';
import type { ExceptionRow } from '../sailings/exceptions/match-exception.ts';

type Dependencies = Pick<Context, 'clock'>;

const ACTIONS = {
  canceled: 'sailing_canceled',
  suspended: 'sailing_suspended',
  delayed: 'sailing_delayed',
  vessel: 'sailing_vessel_changed',
  notice: 'sailing_notice_given',
  sales_closed: 'sailing_sales_closed',
  sales_open: 'sailing_sales_opened',
  port_closed: 'port_closed',
  extra: 'sailing_added',
} as const satisfies Record<ExceptionKind, AuditAction>;

/** Records exceptions that staff made, each with the one about the same voyage that it replaced. */
export async function recordStatedExceptions(
  tx: Database,
  context: Dependencies,
  { actor, added, replaced }: { actor: AuditActor; added: ExceptionRow[]; replaced: ExceptionRow[] },
): Promise<void> {
  const describe = await createDescription(tx);
  for (const row of added) {
    const last = replaced.find(
      ({ kind, voyageId }) => kind === row.kind && voyageId !== null && voyageId === row.voyageId,
    );
    await recordAudit(tx, context, {
      ...{ actor, ...objectOf(row), action: ACTIONS[row.kind], reason: null },
      before: last === undefined ? {} : describe(last),
      after: describe(row),
    });
  }
}

/** Records that exceptions ended. */
export async function recordEndedExceptions(
  tx: Database,
  context: Dependencies,
  { actor, ended }: { actor: AuditActor; ended: readonly ExceptionRow[] },
): Promise<void> {
  const describe = await createDescription(tx);
  for (const row of ended) {
    await recordAudit(tx, context, {
      ...{ actor, ...objectOf(row), action: 'sailing_change_undone', reason: null },
      before: { ...describe(row), change: ACTIONS[row.kind] },
      after: {},
    });
  }
}

/** The voyage, which has the changes of a boat's whole day together; without one, the exception itself. */
function objectOf({ id, voyageId }: ExceptionRow) {
  return voyageId === null
    ? ({ objectKind: 'exception', objectId: id } as const)
    : ({ objectKind: 'voyage', objectId: voyageId } as const);
}

async function createDescription(tx: Database): Promise<(row: ExceptionRow) => AuditedFields> {
  const portCodes = new Map((await tx.select().from(ports)).map(({ id, code }) => [id, code]));
  const boatCodes = new Map((await tx.select().from(vessels)).map(({ id, code }) => [id, code]));
  return (row) => {
    const fields = {
      from_day: row.fromDay,
      until_day: row.untilDay === row.fromDay ? null : row.untilDay,
      port: portCodes.get(row.portId ?? '') ?? null,
      departure: row.departsLocal,
      minutes: row.kind === 'delayed' ? row.minutes : null,
      boat: boatCodes.get(row.vesselId ?? '') ?? null,
      cause: row.reason,
      text: row.text || null,
    };
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  };
}
