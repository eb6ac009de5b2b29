import { eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { countWrongPassword, PASSWORD_LOCKED_AFTER } from '#server/credentials/failures.ts';
import { getVisitorCaller, type PasswordCaller, verifyGuess } from '#server/credentials/password-limits.ts';
import { ASYNC_COMMIT } from '#server/database/async-commit.ts';
import { customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { type Limit, subtractHits } from '#server/http/rate-limit.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import { type CustomerRow, normalizeEmail } from '../customers.ts';
import { findKnownDevice } from '../security/known-device.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import type { SessionWork } from './start-session.ts';

/**
 * Verifies a password. An unknown address, a wrong password, an account without one and a locked password give the same
 * response after the same work.
 * @returns a check to repeat when the session is written, because a reset may happen in between
 * @throws {ApiError} invalid_credentials, rate_limited, server_busy
 */
export async function checkPassword(
  context: Context,
  input: { client: Client; customer: CustomerRow | null; email: string; password: string },
): Promise<SessionWork> {
  const { client, customer, password } = input;
  const { caller, account, network } = createLimits(context, input);
  const stored = customer?.passwordHash ?? null;
  const guesses = [...network, account];
  const isRight = await verifyGuess(context, { caller, secret: password, stored, guesses });
  if (!customer || !isRight || customer.passwordFailures >= PASSWORD_LOCKED_AFTER) {
    await noteWrongPassword(context, { customerId: customer?.id ?? '', device: client.device });
    throw new ApiError('invalid_credentials');
  }
  await subtractHits(context, account);
  for (const limit of network) await subtractHits(context, limit, 1);
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
function createLimits(
  context: Context,
  { client, customer, ...input }: { client: Client; customer: CustomerRow | null; email: string },
): { caller: PasswordCaller; account: Limit; network: Limit[] } {
  const few = { limit: 5, windowSeconds: 15 * 60 };
  const knownDevice = findKnownDevice(context, { client, customer });
  if (knownDevice !== null) {
    const { signal } = client;
    return {
      caller: { key: knownDevice, account: knownDevice, network: null, signal },
      account: { name: 'sign-in-device', who: knownDevice, ...few },
      network: [],
    };
  }
  const { network } = client;
  const email = normalizeEmail(input.email);
  return {
    caller: getVisitorCaller(email, client),
    account: { name: 'sign-in-account', who: `${email} ${network}`, ...few },
    network: [
      { name: 'sign-in-minute', who: network, limit: 20, windowSeconds: 60 },
      { name: 'sign-in-hour', who: network, limit: 100, windowSeconds: 3600 },
    ],
  };
}

/**
 * Counts a wrong password against the account; for an unknown address the same statement changes no row. Neither waits
 * for the disk, because only a written count would, and timing would reveal the account.
 */
async function noteWrongPassword(
  context: Context,
  { customerId, device }: { customerId: string; device: string },
): Promise<void> {
  const mailId = await inTransaction(context.db, async (tx) => {
    await tx.execute(ASYNC_COMMIT);
    if (!(await countWrongPassword(tx, { table: customers, id: customerId }))) return null;
    return reportSecurityEvent(tx, context, { customerId, kind: 'password_switched_off', device });
  });
  sendSoon(context.jobs, mailId);
}
