import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { normaliseEmail } from '../customers/email-address.ts';
import type { CustomerRow } from '../customers/queries.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { customers } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import type { HttpContext } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { networkOf } from '../http/client-address.ts';
import { deviceOf } from '../http/device-name.ts';
import { type Limit, subtractHits } from '../http/rate-limit.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { findKnownDevice } from '../security/known-device.ts';
import { callerWithEmail, originOf, type PasswordCaller, verifyGuess } from '../security/password-limits.ts';
import { PASSWORD_LOCKED_AFTER } from '../security/password-rules.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import type { SessionWork } from './start-session.ts';

/**
 * Verifies a password. An unknown address, a wrong password, an account without one and a locked password give the same
 * response after the same work.
 * @returns a check to repeat when the session is written, because a reset may happen in between
 * @throws {ApiError} invalid_credentials, rate_limited, server_busy
 */
export async function checkPassword(
  c: HttpContext,
  context: Context,
  customer: CustomerRow | null,
  { email, password }: { email: string; password: string },
): Promise<SessionWork> {
  const limits = limitsOf(c, context, customer, normaliseEmail(email));
  const stored = customer?.passwordHash ?? null;
  const isRight = await verifyGuess(context, limits.caller, {
    secret: password,
    stored,
    guesses: limits.all,
  });
  if (!customer || !isRight || customer.passwordFailures >= PASSWORD_LOCKED_AFTER) {
    await countWrongPassword(c, context, customer);
    throw new ApiError('invalid_credentials');
  }
  await subtractHits(context, limits.account);
  for (const limit of limits.network) await subtractHits(context, limit, 1);
  return async (tx, now) => {
    if (now.passwordHash !== stored) throw new ApiError('invalid_credentials');
    if (now.passwordFailures === 0) return;
    await tx.update(customers).set({ passwordFailures: 0 }).where(eq(customers.id, now.id));
  };
}

/**
 * Attempts per account are counted per network, so that others cannot lock out the owner; a network's attempts over all
 * accounts have a separate limit. A browser known to the account has its own count.
 */
function limitsOf(
  c: HttpContext,
  context: Context,
  customer: CustomerRow | null,
  email: string,
): { account: Limit; network: Limit[]; all: Limit[]; caller: PasswordCaller } {
  const few = { limit: 5, windowSeconds: 15 * 60 };
  const knownDevice = findKnownDevice(c, context, customer);
  if (knownDevice !== null) {
    const account: Limit = { name: 'sign-in-device', who: knownDevice, ...few };
    const { signal } = originOf(c);
    const caller = { key: knownDevice, account: knownDevice, network: null, signal };
    return { account, network: [], all: [account], caller };
  }
  const network = networkOf(c.var.remoteAddress);
  const account: Limit = { name: 'sign-in-account', who: `${email} ${network}`, ...few };
  const perNetwork: Limit[] = [
    { name: 'sign-in-minute', who: network, limit: 20, windowSeconds: 60 },
    { name: 'sign-in-hour', who: network, limit: 100, windowSeconds: 3600 },
  ];
  const caller = callerWithEmail(email, originOf(c));
  return { account, network: perNetwork, all: [...perNetwork, account], caller };
}

/**
 * Counts a wrong password against the account; for an unknown address the same statement changes no row. Neither waits
 * for the disk, because only a written count would, and timing would reveal the account.
 */
async function countWrongPassword(
  c: HttpContext,
  context: Context,
  customer: CustomerRow | null,
): Promise<void> {
  const mailId = await inTransaction(context.db, async (tx) => {
    await tx.execute(ASYNC_COMMIT);
    const [counted] = await tx
      .update(customers)
      .set({ passwordFailures: sql`${customers.passwordFailures} + 1` })
      .where(
        and(
          eq(customers.id, customer?.id ?? ''),
          isNotNull(customers.passwordHash),
          lt(customers.passwordFailures, PASSWORD_LOCKED_AFTER),
        ),
      )
      .returning({ id: customers.id, failures: customers.passwordFailures });
    if (counted?.failures !== PASSWORD_LOCKED_AFTER) return null;
    return reportSecurityEvent(tx, context, {
      customerId: counted.id,
      kind: 'password_switched_off',
      device: deviceOf(c),
    });
  });
  if (mailId !== null) sendSoon(context.jobs, mailId);
}
