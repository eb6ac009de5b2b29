import { sql } from 'drizzle-orm';
import type { SignIn } from '#contract/sign-in.ts';
import { normaliseEmail } from '../accounts/email-address.ts';
import { joinGuestOrders } from '../accounts/guest-orders.ts';
import { customers } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { forgiveHits, type Limit, networkOf, rateLimit } from '../http/rate-limit.ts';
import { createSession } from '../http/session.ts';
import { verifyPassword } from './password-hash.ts';

/** Where a sign-in comes from. */
export type Caller = { address: string; device: string };

/**
 * Checks a password and starts a session. An unknown address, a wrong password and an account without one give
 * the same answer after the same work.
 * @returns the new session's token
 * @throws {ApiError} invalid_credentials, rate_limited
 */
export async function signInWithPassword(
  deps: Deps,
  { email, password = '' }: SignIn,
  { address, device }: Caller,
): Promise<string> {
  const wanted = normaliseEmail(email);
  const limits = limitsOf(wanted, networkOf(address));
  for (const limit of limits.all) await rateLimit(deps, limit);
  const [customer] = await deps.db.select().from(customers).where(sql`lower(${customers.email}) = ${wanted}`);
  const isRight = await verifyPassword(password, customer?.passwordHash ?? null);
  if (!customer || !isRight) throw new ApiError('invalid_credentials');
  await forgiveHits(deps, limits.account);
  for (const limit of limits.network) await forgiveHits(deps, limit, 1);
  return deps.db.transaction(async (tx) => {
    await joinGuestOrders(tx, customer);
    return createSession(tx, deps.clock, { customerId: customer.id, kind: 'password', device });
  });
}

/**
 * Nobody is locked out by strangers: the few tries on one account are counted per network, and a network's
 * tries over all accounts have a limit of their own.
 */
function limitsOf(email: string, network: string): { account: Limit; network: Limit[]; all: Limit[] } {
  const account: Limit = {
    name: 'sign-in-account',
    who: `${email} ${network}`,
    limit: 5,
    windowSeconds: 15 * 60,
  };
  const perNetwork: Limit[] = [
    { name: 'sign-in-minute', who: network, limit: 20, windowSeconds: 60 },
    { name: 'sign-in-hour', who: network, limit: 100, windowSeconds: 3600 },
  ];
  return { account, network: perNetwork, all: [...perNetwork, account] };
}
