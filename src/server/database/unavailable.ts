/** Network error codes for a connection that could not be made or was lost. */
const NO_CONNECTION =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(HOST|NET)UNREACH|EPIPE)$/;
/** The driver gives its own errors no code. */
const NO_CONNECTION_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (was closed|has encountered)|Cannot use a pool after|PGlite is clos)/;
/**
 * SQLSTATE: connection lost (08), shut down or starting (57P), transaction or session ended by a timeout of the
 * server's (25P03, 25P04).
 */
const DISCONNECTED = /^(08\w{3}|57P\w{2}|25P0[34])$/;
/**
 * SQLSTATE: no disk, memory or connection left (53), system error such as a failed write (58), a server that only
 * reads, as a standby after a failover does (25006).
 */
const OUT_OF_RESOURCES = /^(53\w{3}|58\w{3}|25006)$/;
/** SQLSTATE: serialization failure, deadlock. Seen here only when every repetition failed too. */
const GAVE_WAY = /^(40001|40P01)$/;

/**
 * Whether an error says that the database cannot serve now: nothing is wrong with the request, and the same one may
 * succeed later. What a lost connection was committing may have been done.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDisconnected(error) || isOutOfResources(error) || hasCode(error, GAVE_WAY);
}

/** Whether the database is there but cannot do its work: no disk, memory or connection left, or it only reads. */
export function isOutOfResources(error: unknown): boolean {
  return hasCode(error, OUT_OF_RESOURCES) || isEngineDead(error);
}

/** Whether another transaction made this one give way: the same statements may succeed at once. */
export function gaveWay(error: unknown): boolean {
  return hasCode(error, GAVE_WAY);
}

function isDisconnected(error: unknown): boolean {
  return (
    hasCode(error, NO_CONNECTION) ||
    hasCode(error, DISCONNECTED) ||
    someCause(error, ({ message }) => NO_CONNECTION_MESSAGE.test(message))
  );
}

/** The embedded engine ends by a trap when it cannot write its log; from then on every statement fails. */
function isEngineDead(error: unknown): boolean {
  return someCause(error, (each) => each.name === 'RuntimeError' || each.name === 'ExitStatus');
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  return someCause(error, ({ code }) => typeof code === 'string' && pattern.test(code));
}

/** The query builder wraps the driver's errors. */
function someCause(error: unknown, holds: (error: Error & { code?: unknown }) => boolean): boolean {
  return error instanceof Error && (holds(error) || someCause(error.cause, holds));
}
