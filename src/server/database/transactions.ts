import { backOff } from '../core/backoff.ts';
import type { Database } from './database.ts';
import { isConflict } from './unavailable.ts';

/** How often a transaction is tried in total after serialization failures. */
const TRIES = 5;
/** The other transaction ends within a few milliseconds. */
const PAUSE = { first: 10, longest: 200 };

/*
 * The order in which transactions lock rows, to avoid deadlocks. A transaction may skip any of them. Rows of one table
 * are locked in the order of their ids.
 *
 * timetable (an advisory lock) · customer · card holder · order or top-up · payment or refund · hold · voyage capacity ·
 * promo code · trip card · reservation, debt and automatic top-up of the trip card · audit log (an
 * advisory lock)
 *
 * Every lock is `for no key update`. The stronger `for update` also conflicts with foreign key checks: the entry that a
 * settled payment writes on a trip card checks the card's customer, and would wait for that customer's next payment,
 * which waits for the card. Only a deletion of the row itself needs `for update`, as the last lock of its transaction.
 *
 * Mails, idempotency keys and shares of tickets and trip cards follow what they belong to. Two erasures of persons who
 * invited each other may still meet in a deadlock; it is repeated.
 */

/** The name of the violated unique constraint; null for other errors. */
export function violatedUniqueConstraint(error: unknown): string | null {
  const cause = databaseError(error);
  return cause?.code === '23505' ? (cause.constraint ?? '') : null;
}

/**
 * Runs work in a transaction and retries it after a serialization failure or deadlock, or if `isWorthRepeating` says
 * so. The work must have no effect outside the database.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
  isWorthRepeating: (error: unknown) => boolean = () => false,
): Promise<Result> {
  return withRetry(() => db.transaction((tx) => work(tx)), isWorthRepeating);
}

/** Runs work in a transaction that is taken back, to tell what it would do. */
export async function inPreview<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  let outcome: { result: Result } | undefined;
  try {
    await db.transaction(async (tx) => {
      outcome = { result: await work(tx) };
      throw new PreviewEnded();
    });
  } catch (error) {
    if (!(error instanceof PreviewEnded)) throw error;
  }
  if (outcome === undefined) throw new Error('A preview has no outcome.');
  return outcome.result;
}

class PreviewEnded extends Error {}

/** Runs several reads on one snapshot. */
export async function inSnapshot<Result>(
  db: Database,
  read: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction((tx) => read(tx), { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

/**
 * Retries a single statement or a transaction after a serialization failure or deadlock: after a short random pause, or
 * at once if `isWorthRepeating` says so.
 */
export async function withRetry<Result>(
  work: () => Promise<Result>,
  isWorthRepeating: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const hasConflict = isConflict(error);
      if (tries >= TRIES || !(hasConflict || isWorthRepeating(error))) throw error;
      if (hasConflict) await backOff(tries, PAUSE);
    }
  }
}

type DatabaseError = { code?: string; constraint?: string };

/** The query builder wraps the driver's error; both engines provide SQLSTATE codes and constraint names. */
function databaseError(error: unknown): DatabaseError | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as DatabaseError;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return error as DatabaseError;
  return databaseError(error.cause);
}
