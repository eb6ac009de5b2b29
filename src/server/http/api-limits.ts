import { sql } from 'drizzle-orm';
import { calls } from '#contract/api.ts';
import type { SessionKind } from '#contract/hosts.ts';
import type { Context } from '../context.ts';
import { hashToken } from '../core/vault.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { queryRows } from '../database/database.ts';
import type { HttpContext, RouteHandler } from './api.ts';
import { ApiError } from './api-error.ts';
import { readToken } from './client.ts';
import { getNetwork, isLoopback } from './client-address.ts';
import { pathPattern } from './match-calls.ts';

type Dependencies = Pick<Context, 'db' | 'vault' | 'clock'>;

const WINDOW_MS = 60_000;
const BATCH = 15;
/** A verified token is remembered for one to two of these periods. */
const KNOWN_MS = 3_600_000;

const ACCOUNTS = ['/api/customers', '/api/staff'];
/** Calls whose contract names another limit than their path implies. */
const exceptions = calls.flatMap(({ path, limit }) => (limit ? [{ pattern: pathPattern(path), limit }] : []));

/** Requests per minute. */
export const API_LIMITS = {
  session: 300,
  /** Without a session, per network, for calls about accounts, which attackers target. */
  accounts: 60,
  /**
   * Without a session, per network, for all other calls. Generous, because a terminal's Wi-Fi gives all passengers one
   * address.
   */
  network: 600,
} as const;

/**
 * Limits the rate of requests: 429 with the seconds until the minute ends.
 *
 * A request whose token was verified before is counted for its session, any other for its network; if its token proves
 * valid, the count is moved from the network. Requests are counted in memory and added to the database in batches of
 * fifteen in the background, so that the limits hold over all processes without a statement per request. A caller can
 * exceed the limit by fifteen per process and by the requests of one response time. Without the database each process
 * counts for itself.
 *
 * Never counted: requests that machines repeat (pings, settings, the provider's webhooks). Without a trusted proxy,
 * callers on this machine are not counted either: they are the operator, or a proxy that hides all addresses behind its
 * own. Behind a trusted proxy every address counts.
 */
export function createApiLimits(
  context: Dependencies & Pick<Context, 'config'>,
): (c: HttpContext, handler: RouteHandler, sessionKind: SessionKind) => Promise<Response> {
  const hit = createCounters(context);
  const validSessions = createMemory(context);
  return async (c, handler, sessionKind) => {
    const kind = findLimit(c.req.path);
    if (kind === null) return handler(c);
    const token = readToken(c, context.config, sessionKind);
    const session = token === null ? null : hashToken(token);
    if (session !== null && validSessions.has(session)) {
      hit('session', session);
      return handler(c);
    }
    const address = c.get('readRemoteAddress')();
    const isExempt = context.config.proxyHops === 0 && (address === '' || isLoopback(address));
    const takeBack = isExempt ? () => {} : hit(kind, getNetwork(address));
    try {
      return await handler(c);
    } finally {
      // Set for a valid token.
      if (session !== null && c.get('signedInId') !== undefined) {
        validSessions.add(session);
        takeBack();
      }
    }
  };
}

type Kind = keyof typeof API_LIMITS;
/** `own`: since the last batch. `total`: of all processes, as far as known, own included. */
type Counter = { own: number; total: number };

/**
 * Counts one request and returns a function that takes it back. Minutes begin with the clock's in all processes, so the
 * counts of a minute can be dropped when it ends.
 */
function createCounters(context: Dependencies): (kind: Kind, who: string) => () => void {
  let windowEnd = 0;
  let counters = new Map<string, Counter>();
  return (kind, who) => {
    const now = context.clock.now().getTime();
    if (now >= windowEnd) {
      windowEnd = (Math.floor(now / WINDOW_MS) + 1) * WINDOW_MS;
      counters = new Map();
    }
    const key = `${kind}\0${who}`;
    const counter = counters.get(key) ?? { own: 0, total: 0 };
    counters.set(key, counter);
    if (counter.total >= API_LIMITS[kind]) {
      throw new ApiError('rate_limited', { retryAfter: Math.ceil((windowEnd - now) / 1000) });
    }
    counter.own += 1;
    counter.total += 1;
    if (counter.own >= BATCH) void addBatch(context, key, counter, new Date(windowEnd));
    return () => {
      counter.own -= 1;
      counter.total -= 1;
    };
  };
}

async function addBatch(
  { db, vault }: Dependencies,
  key: string,
  counter: Counter,
  windowEnd: Date,
): Promise<void> {
  const batch = counter.own;
  counter.own = 0;
  try {
    const [added] = await queryRows<{ hits: number }>(
      db,
      sql`
        with async_commit as materialized (${ASYNC_COMMIT})
        insert into rate_limits as r (key, hits, window_ends_at)
        select ${`api:${vault.fingerprint('api-limit', key)}`}, ${batch}::int, ${windowEnd.toISOString()}::timestamptz
        from async_commit
        on conflict (key) do update set
          hits = case when r.window_ends_at < excluded.window_ends_at then excluded.hits
                      else r.hits + excluded.hits end,
          window_ends_at = greatest(r.window_ends_at, excluded.window_ends_at)
        returning hits
      `,
    );
    if (added) counter.total = Math.max(counter.total, added.hits + counter.own);
  } catch {
    // The local count remains.
  }
}

/** Remembers entries for one to two hours. */
function createMemory({ clock }: Pick<Context, 'clock'>) {
  let [recent, older] = [new Set<string>(), new Set<string>()];
  let turnsAt = 0;
  const turn = () => {
    const now = clock.now().getTime();
    if (now < turnsAt) return;
    [recent, older] = [new Set(), recent];
    turnsAt = now + KNOWN_MS;
  };
  return {
    add(key: string): void {
      turn();
      recent.add(key);
    },
    has(key: string): boolean {
      turn();
      if (!recent.has(key) && !older.has(key)) return false;
      recent.add(key);
      return true;
    },
  };
}

/** The limit that counts a request without a session; null if none does. */
function findLimit(path: string): Exclude<Kind, 'session'> | null {
  const exception = exceptions.find(({ pattern }) => pattern.test(path));
  if (exception) return exception.limit === 'none' ? null : exception.limit;
  const isOfAccounts = ACCOUNTS.some((root) => path === root || path.startsWith(`${root}/`));
  return isOfAccounts ? 'accounts' : 'network';
}
