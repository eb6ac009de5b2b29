import type { Database } from './database.ts';

/** Serialization failure and deadlock: the database chose this transaction to give way. */
const GAVE_WAY = new Set(['40001', '40P01']);
const TRIES = 4;
/** The network's and the database's ways to say that there is no connection, or no longer. */
const AWAY =
  /^(ECONN(REFUSED|RESET)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(HOST|NET)UNREACH|EPIPE|08[0-9A-Z]{3}|57P0[123]|53300)$/;
/** The driver gives its own no code. */
const AWAY_WORDS =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (was closed|has encountered))/;

/** The error says that a unique constraint was violated: its name; otherwise null. */
export function violatedUniqueConstraint(error: unknown): string | null {
  const cause = databaseError(error);
  return cause?.code === '23505' ? (cause.constraint ?? '') : null;
}

/** The error says that the database cannot be reached: not what was asked is wrong, and later it may be answered. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && AWAY.test(code)) return true;
  return AWAY_WORDS.test(error.message) || isDatabaseAway(error.cause);
}

/**
 * Runs work that either happens whole or not at all, again when the database made it give way to another
 * transaction, or when `isWorthRepeating` says so. The work must have no effect outside the database.
 */
export async function inTransaction<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
  isWorthRepeating: (error: unknown) => boolean = () => false,
): Promise<Result> {
  return repeatedly(() => db.transaction((tx) => work(tx)), isWorthRepeating);
}

/** Reads in several statements what belongs together as it was at one moment, whatever is written meanwhile. */
export async function inSnapshot<Result>(
  db: Database,
  read: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction((tx) => read(tx), { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

/** Repeats a single statement or a transaction that had to give way. */
export async function repeatedly<Result>(
  work: () => Promise<Result>,
  isWorthRepeating: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const gaveWay = GAVE_WAY.has(databaseError(error)?.code ?? '');
      if (attempt >= TRIES || !(gaveWay || isWorthRepeating(error))) throw error;
    }
  }
}

type DatabaseError = { code?: string; constraint?: string };

/** The query builder wraps the driver's error; both engines give SQLSTATE codes and constraint names. */
function databaseError(error: unknown): DatabaseError | null {
  if (!(error instanceof Error)) return null;
  const { code } = error as DatabaseError;
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return error as DatabaseError;
  return databaseError(error.cause);
}
