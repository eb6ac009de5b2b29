import type { Context } from '../context.ts';
import type { HttpContext } from '../http/api.ts';
import { networkOf } from '../http/client-address.ts';
import { DAY_SECONDS, HOUR_SECONDS, rateLimit, rateLimitDistinct } from '../http/rate-limit.ts';

/**
 * Counts a mailed code per mailbox and network, also for unknown addresses. A browser known to the owner has a separate
 * count, so that others cannot use up the owner's mails.
 * @throws {ApiError} rate_limited
 */
export async function limitCodeMails(
  c: HttpContext,
  context: Context,
  { email, knownDevice }: { email: string; knownDevice: string | null },
): Promise<void> {
  const network = networkOf(c.var.remoteAddress);
  const mailbox = knownDevice ?? email;
  await rateLimitDistinct(
    context,
    { name: 'code-mail-network', who: network, limit: 20, windowSeconds: HOUR_SECONDS },
    email,
  );
  await rateLimit(context, { name: 'code-mail-hour', who: mailbox, limit: 5, windowSeconds: HOUR_SECONDS });
  await rateLimit(context, { name: 'code-mail-day', who: mailbox, limit: 10, windowSeconds: DAY_SECONDS });
}
