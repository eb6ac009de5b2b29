/** Network error codes for a connection that failed or was lost. */
const NO_CONNECTION =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(HOST|NET)UNREACH|EPIPE)$/;
/** The driver's own errors have no code. */
const NO_CONNECTION_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (was closed|has encountered)|Cannot use a pool after|PGlite is clos)/;
/**
 * SQLSTATE: connection lost (08), shut down or starting (57P), transaction or session ended by a server timeout (25P03,
 * 25P04).
 */
const DISCONNECTED = /^(08\w{3}|57P\w{2}|25P0[34])$/;
/**
 * SQLSTATE: out of disk, memory or connections (53), system error such as a failed write (58), read-only server such as
 * a standby after a failover (25006).
 */
const OUT_OF_RESOURCES = /^(53\w{3}|58\w{3}|25006)$/;
/** SQLSTATE of a refused write of a file (42501) is also that of a missing right, so the system's message decides. */
const FILE_REFUSED = /: (Read-only file system|No space left on device|Disk quota exceeded|I\/O error)$/;
/** SQLSTATE: serialization failure, deadlock. Reaches this code only after every retry has failed. */
const CONFLICT = /^(40001|40P01)$/;

/** SQLSTATE: wrong user or password (28), no such database (3D000), missing right (42501). */
const REFUSED = /^(28\w{3}|3D000|42501)$/;

/** What the operator reads if a process or a command cannot start without the database. */
export const DATABASE_UNAVAILABLE =
  'The database cannot be reached, or takes no writes. Check DATABASE_URL, its server and its disk.';

/**
 * Whether the database cannot serve now although the request is valid, so that it may succeed later. A commit in
 * progress when a connection was lost may have taken effect.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDisconnected(error) || isOutOfResources(error) || hasCode(error, CONFLICT);
}

/** There is no database that this release can use as it is; the message is for the operator. */
export class DatabaseNotSetUp extends Error {
  override readonly name = 'DatabaseNotSetUp';
}

/** Why the database cannot be opened, for the operator; null for other errors. */
export function explainClosedDatabase(error: unknown): string | null {
  if (error instanceof DatabaseNotSetUp) return error.message;
  if (isDatabaseUnavailable(error)) return DATABASE_UNAVAILABLE;
  const reason = findRefusal(error);
  return reason && `The database refuses this: ${reason}. Check DATABASE_URL and the rights of its user.`;
}

function findRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, message, cause } = error as DriverError;
  return typeof code === 'string' && REFUSED.test(code) ? message : findRefusal(cause);
}

/** Whether the database is reachable but out of disk, memory or connections, or read-only. */
export function isOutOfResources(error: unknown): boolean {
  return (
    hasCode(error, OUT_OF_RESOURCES) ||
    someCause(error, ({ message }) => FILE_REFUSED.test(message)) ||
    isEngineLost(error)
  );
}

/**
 * Whether the embedded engine has aborted, as it does when it cannot write its log. From then on every statement fails,
 * and only another start of the process recovers what was committed.
 */
export function isEngineLost(error: unknown): boolean {
  return someCause(
    error,
    ({ name, severity }) => severity === 'PANIC' || name === 'RuntimeError' || name === 'ExitStatus',
  );
}

/**
 * Whether the transaction failed because of a concurrent one and may succeed if retried at once. An update that has waited
 * for places of a full boat is one of these: PostgreSQL checks constraints on the row as it was before the wait.
 */
export function isConflict(error: unknown): boolean {
  return (
    hasCode(error, CONFLICT) || someCause(error, ({ constraint }) => constraint === 'capacity_never_oversold')
  );
}

function isDisconnected(error: unknown): boolean {
  return (
    hasCode(error, NO_CONNECTION) ||
    hasCode(error, DISCONNECTED) ||
    someCause(error, ({ message }) => NO_CONNECTION_MESSAGE.test(message))
  );
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  return someCause(error, ({ code }) => typeof code === 'string' && pattern.test(code));
}

type DriverError = Error & { code?: unknown; severity?: unknown; constraint?: unknown };

function someCause(error: unknown, holds: (error: DriverError) => boolean): boolean {
  return error instanceof Error && (holds(error) || someCause(error.cause, holds));
}
