import type { Context } from '#server/context.ts';
import type { Client } from '#server/http/client.ts';
import { HOUR_SECONDS, isWithinLimit, rateLimit } from '#server/http/rate-limit.ts';

type Dependencies = Pick<Context, 'db' | 'vault' | 'clock'>;

const PER_NETWORK = { limit: 5, windowSeconds: HOUR_SECONDS };
/** For a change of address: the first mail and five repetitions a day. */
const PER_MAILBOX = { register: 3, reset: 3, change: 6 } as const;

/**
 * Counts a mail that an anonymous caller requests for an address, against the caller's network.
 * @throws {ApiError} rate_limited
 */
export function limitNetwork(
  context: Dependencies,
  { mail, client }: { mail: 'register' | 'reset'; client: Client },
): Promise<void> {
  return rateLimit(context, { ...PER_NETWORK, name: `${mail}-network`, who: client.network });
}

/**
 * Counts a mail against its mailbox, whether or not a customer has it, and returns whether it may be sent. The caller
 * is not told, because the response would reveal requests by others.
 */
export function isMailAllowed(
  context: Dependencies,
  { mail, email }: { mail: keyof typeof PER_MAILBOX; email: string },
): Promise<boolean> {
  return isWithinLimit(context, {
    name: `${mail}-mailbox`,
    who: email,
    limit: PER_MAILBOX[mail],
    windowSeconds: HOUR_SECONDS,
  });
}
