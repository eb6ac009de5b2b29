import type { Database } from '#server/database/database.ts';
import { applyExceptions } from '#server/sailings/exceptions/apply-exceptions.ts';
import { addException, type NewException } from '#server/sailings/exceptions/store-exceptions.ts';

export type Exception = Partial<NewException> & Pick<NewException, 'kind' | 'fromDay'>;

/** Stores what staff say about sailings, and puts it into effect. @returns the ids of the exceptions */
export async function sayOfSailings(db: Database, now: Date, ...said: Exception[]): Promise<string[]> {
  const context = { config: { sms: null }, clock: { now: () => now } };
  const ids: string[] = [];
  for (const { fromDay, untilDay = fromDay, ...fields } of said) {
    const { id } = await addException(db, context, { source: 'staff', ...fields, fromDay, untilDay });
    ids.push(id);
    await applyExceptions(db, context, { from: fromDay, until: untilDay });
  }
  return ids;
}
