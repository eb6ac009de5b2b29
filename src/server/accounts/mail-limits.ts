import type { Deps } from '../deps.ts';
import { networkOf } from '../http/client-address.ts';
import { HOUR_SECONDS, isWithinLimit, rateLimit } from '../http/rate-limit.ts';

type Parts = Pick<Deps, 'db' | 'vault' | 'clock'>;

const PER_NETWORK = 5;
/** Of a change of address the first mail and the five a day that repeat it. */
const PER_MAILBOX = { register: 3, reset: 3, change: 6 } as const;

/** What somebody signed out can have mailed to an address they only claim. */
type AskedMail = 'register' | 'reset';

/**
 * Counts a mail somebody asks for against their network.
 * @throws {ApiError} rate_limited
 */
export function limitNetwork(deps: Parts, mail: AskedMail, address: string): Promise<void> {
  return rateLimit(deps, {
    name: `${mail}-network`,
    who: networkOf(address),
    limit: PER_NETWORK,
    windowSeconds: HOUR_SECONDS,
  });
}

/**
 * Counts a mail against the mailbox it would go to, whether anybody known has it or not, and tells whether it may
 * go. The asker is never told: the answer would say that somebody else asked.
 */
export function mayMail(deps: Parts, mail: keyof typeof PER_MAILBOX, email: string): Promise<boolean> {
  return isWithinLimit(deps, {
    name: `${mail}-mailbox`,
    who: email,
    limit: PER_MAILBOX[mail],
    windowSeconds: HOUR_SECONDS,
  });
}
