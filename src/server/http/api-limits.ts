import { sql } from 'drizzle-orm';
import type { Context, MiddlewareHandler } from 'hono';
import { calls } from '#contract/api.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { rowsOf } from '../database/database.ts';
import type { Deps } from '../deps.ts';
import { hashToken } from '../vault.ts';
import type { ApiEnv } from './api.ts';
import { ApiError } from './api-error.ts';
import { readBearer } from './bearer.ts';
import { isLoopback, networkOf } from './client-address.ts';
import { pathPattern } from './path-pattern.ts';

type Parts = Pick<Deps, 'db' | 'vault' | 'clock'>;

const WINDOW_MS = 60_000;
const BATCH = 15;
/** How long a token that was good is known as such, without being looked up: between one and two of these. */
const KNOWN_MS = 3_600_000;

const ACCOUNTS = '/api/customers';
/** Calls whose contract names another limit than their path implies. */
const exceptions = calls.flatMap(({ path, limit }) => (limit ? [{ pattern: pathPattern(path), limit }] : []));

/** Requests a minute. */
export const API_LIMITS = {
  session: 300,
  /** From one network without a session, to the calls about accounts: these are what strangers try doors with. */
  accounts: 60,
  /**
   * From one network without a session, to all else. Generous, because the Wi-Fi of a terminal puts a whole boat
   * behind one address.
   */
  network: 600,
} as const;

/**
 * Refuses callers who ask more than anybody needs to, whatever they ask: 429 with the seconds until the minute ends.
 *
 * A request whose token was good before is counted for its session, every other for its network; a token that turns
 * out to be good takes its request back from the network. Requests are counted in memory and added to the database
 * by the fifteen, in the background, so that the limits hold over all processes without costing a statement each:
 * a caller can get through fifteen more per process than allowed, and those of one answer's time. When the database
 * is away, each process counts for itself.
 *
 * Never counted: what machines ask again and again (pings, settings, the provider's webhooks). Without a trusted proxy
 * callers on this machine are not counted either: they are the operator, or a proxy that hides all addresses behind its
 * own. Behind a trusted proxy every address counts, whatever it is.
 */
export function apiLimits(deps: Parts & Pick<Deps, 'config'>): MiddlewareHandler<ApiEnv> {
  const hit = createCounters(deps);
  const known = createMemory(deps);
  return async (c, next) => {
    const kind = kindOf(c.req.path);
    if (kind === null) return next();
    const bearer = readBearer(c);
    const session = bearer === null ? null : hashToken(bearer);
    if (session !== null && known.has(session)) {
      hit('session', session);
      return next();
    }
    const address = c.get('remoteAddress');
    const isExempt = deps.config.proxyHops === 0 && (address === '' || isLoopback(address));
    const takeBack = isExempt ? () => {} : hit(kind, networkOf(address));
    await next();
    if (session === null || !wasSignedIn(c)) return;
    known.add(session);
    takeBack();
  };
}

type Kind = keyof typeof API_LIMITS;
/** `own`: since the last batch. `total`: of all processes, as far as known, own included. */
type Counter = { own: number; total: number };

/**
 * Counts one request and answers how to take it back. All processes' minutes begin with the clock's, so what was
 * counted in one is forgotten at once when it is over.
 */
function createCounters(deps: Parts): (kind: Kind, who: string) => () => void {
  let windowEnd = 0;
  let counters = new Map<string, Counter>();
  return (kind, who) => {
    const now = deps.clock.now().getTime();
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
    if (counter.own >= BATCH) void addBatch(deps, key, counter, new Date(windowEnd));
    return () => {
      counter.own -= 1;
      counter.total -= 1;
    };
  };
}

async function addBatch({ db, vault }: Parts, key: string, counter: Counter, windowEnd: Date): Promise<void> {
  const batch = counter.own;
  counter.own = 0;
  try {
    const [added] = await rowsOf<{ hits: number }>(
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
    // What was counted here still counts here.
  }
}

/** Remembers what was used in the last hour or two, and no more. */
function createMemory({ clock }: Pick<Deps, 'clock'>) {
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

/** Which limit counts a request without a session; null if none does. */
function kindOf(path: string): Exclude<Kind, 'session'> | null {
  const exception = exceptions.find(({ pattern }) => pattern.test(path));
  if (exception) return exception.limit === 'none' ? null : exception.limit;
  return path === ACCOUNTS || path.startsWith(`${ACCOUNTS}/`) ? 'accounts' : 'network';
}

function wasSignedIn(c: Context<ApiEnv>): boolean {
  return c.get('signedIn') !== undefined;
}
