import type { Context } from '../context.ts';
import type { CustomerRow } from '../customers/queries.ts';
import type { Client } from '../http/client.ts';
import { DAY_SECONDS, HOUR_SECONDS, rateLimit, rateLimitDistinct } from '../http/rate-limit.ts';
import { findKnownDevice } from '../security/known-device.ts';

/**
 * Counts a mailed code per mailbox and network, also for unknown addresses. A browser known to the owner has a separate
 * count, so that others cannot use up the owner's mails.
 * @throws {ApiError} rate_limited
 */
export async function limitCodeMails(
  context: Context,
  { client, customer, email }: { client: Client; customer: CustomerRow | null; email: string },
): Promise<void> {
  const mailbox = findKnownDevice(context, { client, customer }) ?? email;
  await rateLimitDistinct(
    context,
    { name: 'code-mail-network', who: client.network, limit: 20, windowSeconds: HOUR_SECONDS },
    email,
  );
  await rateLimit(context, { name: 'code-mail-hour', who: mailbox, limit: 5, windowSeconds: HOUR_SECONDS });
  await rateLimit(context, { name: 'code-mail-day', who: mailbox, limit: 10, windowSeconds: DAY_SECONDS });
}
