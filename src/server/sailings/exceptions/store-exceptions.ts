import { and, eq, gte, inArray, lte } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { lockTimetable } from '../lock-timetable.ts';
import type { ExceptionRow } from './match-exception.ts';

export type NewException = Omit<typeof sailingExceptions.$inferInsert, 'id' | 'insertedAt'>;
/** After every exception. */
export const LAST_DAY = '2999-12-31';

type Days = { from: string; until: string };

/** Exceptions that apply on some service days, both inclusive. */
export async function listExceptions(db: Database, { from, until }: Days): Promise<ExceptionRow[]> {
  return db
    .select()
    .from(sailingExceptions)
    .where(and(lte(sailingExceptions.fromDay, until), gte(sailingExceptions.untilDay, from)))
    .orderBy(sailingExceptions.fromDay, sailingExceptions.insertedAt);
}

/** Stores an exception. `applyExceptions` puts it into effect. */
export async function addException(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  exception: NewException,
): Promise<ExceptionRow> {
  await lockTimetable(tx);
  const [row] = await tx
    .insert(sailingExceptions)
    .values({ id: newId('exc'), ...exception, insertedAt: clock.now() })
    .returning();
  if (!row) throw new Error('The exception was not stored.');
  return row;
}

/** Removes exceptions. @returns the removed ones; `applyExceptions` for their days undoes them */
export async function removeExceptions(tx: Database, ids: readonly string[]): Promise<ExceptionRow[]> {
  if (ids.length === 0) return [];
  await lockTimetable(tx);
  return tx
    .delete(sailingExceptions)
    .where(inArray(sailingExceptions.id, [...ids]))
    .returning();
}

/**
 * Replaces the exceptions of a source. Equal ones stay, so that their age stays too.
 * @returns the service days that changed; null if nothing did
 */
export async function replaceExceptions(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { source, exceptions }: { source: ExceptionRow['source']; exceptions: readonly NewException[] },
): Promise<Days | null> {
  await lockTimetable(tx);
  const stored = await tx.select().from(sailingExceptions).where(eq(sailingExceptions.source, source));
  const added = new Map(exceptions.map((each) => [fingerprint(each), each]));
  const gone = stored.filter((row) => !added.has(fingerprint(row)));
  for (const row of stored) added.delete(fingerprint(row));
  const changed: Pick<ExceptionRow, 'fromDay' | 'untilDay'>[] = await removeExceptions(
    tx,
    gone.map(({ id }) => id),
  );
  for (const each of added.values()) changed.push(await addException(tx, context, each));
  return spanDays(changed);
}

/** The first and the last day of some exceptions. */
export function spanDays(exceptions: readonly Pick<ExceptionRow, 'fromDay' | 'untilDay'>[]): Days | null {
  const from = exceptions.map(({ fromDay }) => fromDay).toSorted()[0];
  const until = exceptions
    .map(({ untilDay }) => untilDay)
    .toSorted()
    .at(-1);
  return from === undefined || until === undefined ? null : { from, until };
}

function fingerprint(exception: NewException): string {
  const { kind, fromDay, untilDay, minutes = 0, text = '', translations = {} } = exception;
  const { line, tripKey, portId, departsLocal, voyageId, vesselId, reason, likeLocal, likeDay } = exception;
  const conditions = [
    ...[line, tripKey, portId, departsLocal, voyageId],
    ...[vesselId, reason, likeLocal, likeDay],
  ].map((each) => each ?? null);
  const texts = Object.entries(translations).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([kind, fromDay, untilDay, minutes, text, texts, ...conditions]);
}
