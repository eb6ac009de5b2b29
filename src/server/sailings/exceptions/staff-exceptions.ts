import type { ExceptionKind } from '#contract/sailings/exceptions.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { lockTimetable } from '../lock-timetable.ts';
import { appliesToVoyage, type ExceptionRow } from './match-exception.ts';
import {
  addException,
  listExceptions,
  type NewException,
  removeExceptions,
  spanDays,
} from './store-exceptions.ts';
import { listVoyages } from './voyages-of-days.ts';

/**
 * Stores what staff says. It replaces what staff said before about the same voyage on the same subject, so that a
 * voyage has one current delay, boat, notice and so on. A delay of 0 minutes is stored only where another source says
 * that the voyage is late.
 * @returns what was stored and what it replaced; `applyExceptions` for their days puts both into effect
 */
export async function stateExceptions(
  tx: Database,
  context: Pick<Context, 'clock'>,
  exceptions: readonly NewException[],
): Promise<{ added: ExceptionRow[]; replaced: ExceptionRow[] }> {
  await lockTimetable(tx);
  const rivals = await listRivals(tx, exceptions);
  const replaced = await removeExceptions(tx, idsOf(rivals.flatMap((each) => each.replaced)));
  const added: ExceptionRow[] = [];
  for (const { exception, others } of rivals) {
    const isOnTime = exception.kind === 'delayed' && exception.minutes === 0;
    if (!isOnTime || others.length > 0) added.push(await addException(tx, context, exception));
  }
  return { added, replaced };
}

/**
 * Ends exceptions, and with each of staff the older ones that it replaced.
 * @returns those that ended, and those that still apply to the same voyages on the same subjects
 */
export async function endExceptions(
  tx: Database,
  ids: readonly string[],
): Promise<{ ended: ExceptionRow[]; remaining: ExceptionRow[] }> {
  const named = await removeExceptions(tx, ids);
  const rivals = await listRivals(tx, named);
  const older = rivals.flatMap(({ exception, replaced }) =>
    replaced.filter(({ insertedAt }) => insertedAt <= exception.insertedAt),
  );
  const ended = [...named, ...(await removeExceptions(tx, idsOf(older)))];
  const gone = new Set(ended.map(({ id }) => id));
  const left = rivals.flatMap(({ replaced, others }) => [...replaced, ...others]);
  return { ended, remaining: [...new Set(left)].filter(({ id }) => !gone.has(id)) };
}

type Rivals<Exception> = {
  exception: Exception;
  /** Of staff, about the same voyage, or about the same port and days. */
  replaced: ExceptionRow[];
  /** Those that also apply to the voyage. */
  others: ExceptionRow[];
};

/** The stored exceptions on the subject of each of some that staff made. */
async function listRivals<Exception extends NewException>(
  tx: Database,
  exceptions: readonly Exception[],
): Promise<Rivals<Exception>[]> {
  const days = spanDays(exceptions);
  if (days === null) return [];
  const stored = await listExceptions(tx, days);
  const voyages = await listVoyages(tx, days);
  const ids = new Set(voyages.map(({ id }) => id));
  return exceptions.map((exception) => {
    if (exception.kind === 'port_closed') {
      return { exception, replaced: stored.filter((row) => isSameClosure(exception, row)), others: [] };
    }
    const voyage = voyages.find((each) => appliesToVoyage(exception, each, ids));
    if (!isAboutVoyage(exception) || !voyage) return { exception, replaced: [], others: [] };
    const about = stored.filter(
      (row) => subjectOf(row.kind) === subjectOf(exception.kind) && appliesToVoyage(row, voyage, ids),
    );
    return {
      exception,
      replaced: about.filter(isAboutVoyage),
      others: about.filter((row) => !isAboutVoyage(row)),
    };
  });
}

/** Whether staff named the voyage. */
function isAboutVoyage({ source, kind, voyageId }: NewException): boolean {
  return source === 'staff' && kind !== 'extra' && voyageId != null;
}

function isSameClosure(exception: NewException, row: ExceptionRow): boolean {
  const { source, kind, portId, fromDay, untilDay } = row;
  return (
    source === exception.source &&
    kind === exception.kind &&
    portId === exception.portId &&
    fromDay === exception.fromDay &&
    untilDay === exception.untilDay
  );
}

/** Of kinds with the same subject, one decides. */
function subjectOf(kind: ExceptionKind): string {
  if (kind === 'sales_open') return 'sales_closed';
  return kind === 'port_closed' ? 'canceled' : kind;
}

function idsOf(rows: readonly ExceptionRow[]): string[] {
  return [...new Set(rows.map(({ id }) => id))];
}
