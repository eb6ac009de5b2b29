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
/** SQLSTATE: serialization failure, deadlock. Reaches this code only after every retry has failed. */
const CONFLICT = /^(40001|40P01)$/;

/**
 * Whether the database cannot serve now although the request is valid, so that it may succeed later. A commit in
 * progress when a connection was lost may have taken effect.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isDisconnected(error) || isOutOfResources(error) || hasCode(error, CONFLICT);
}

/** Whether the database is reachable but out of disk, memory or connections, or read-only. */
export function isOutOfResources(error: unknown): boolean {
  return hasCode(error, OUT_OF_RESOURCES) || isEngineDead(error);
}

/** Whether the transaction failed because of a concurrent one and may succeed if retried at once. */
export function isConflict(error: unknown): boolean {
  return hasCode(error, CONFLICT);
}

function isDisconnected(error: unknown): boolean {
  return (
    hasCode(error, NO_CONNECTION) ||
    hasCode(error, DISCONNECTED) ||
    someCause(error, ({ message }) => NO_CONNECTION_MESSAGE.test(message))
  );
}

/** The embedded engine aborts when it cannot write its log; from then on every statement fails. */
function isEngineDead(error: unknown): boolean {
  return someCause(error, (each) => each.name === 'RuntimeError' || each.name === 'ExitStatus');
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  return someCause(error, ({ code }) => typeof code === 'string' && pattern.test(code));
}

function someCause(error: unknown, holds: (error: Error & { code?: unknown }) => boolean): boolean {
  return error instanceof Error && (holds(error) || someCause(error.cause, holds));
}
