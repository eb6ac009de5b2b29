import type { Context } from '#server/context.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Client } from '#server/http/client.ts';
import { type Limit, rateLimit, subtractHits } from '#server/http/rate-limit.ts';
import type { Caller } from '#server/http/work-queue.ts';
import { verifyPassword } from './password-hash.ts';

/** The client for whom a password is hashed or its strength is estimated. */
export type PasswordCaller = Caller & {
  /** The subject that is counted: a customer's id, or for a visitor the typed address and their network. */
  account: string;
  /** Null for a browser known to the account, which other callers in its network cannot block. */
  network: string | null;
};

type Dependencies = Pick<Context, 'db' | 'vault' | 'clock'>;

const WINDOW_SECONDS = 15 * 60;
const PER_ACCOUNT = 30;
/** Generous, because a terminal's Wi-Fi gives all passengers one address. */
const PER_NETWORK = 300;

/** The caller for a customer, known by session or by mailed link. */
export function getAccountCaller(customerId: string, { network, signal }: Client): PasswordCaller {
  return { key: customerId, account: customerId, network, signal };
}

/** The caller for a signed-out visitor who entered an e-mail address. */
export function getVisitorCaller(email: string, { network, signal }: Client): PasswordCaller {
  return { key: network, account: `${email} ${network}`, network, signal };
}

/**
 * Counts password work per account and network. Unlike the limits on guesses, correct passwords count too, because this
 * limit bounds the work.
 * @throws {ApiError} rate_limited
 */
export async function limitPasswordWork(
  context: Dependencies,
  { account, network }: Pick<PasswordCaller, 'account' | 'network'>,
): Promise<void> {
  const window = { windowSeconds: WINDOW_SECONDS };
  if (network !== null) {
    await rateLimit(context, { name: 'password-work-network', who: network, limit: PER_NETWORK, ...window });
  }
  await rateLimit(context, { name: 'password-work-account', who: account, limit: PER_ACCOUNT, ...window });
}

/**
 * Compares a password, or another short secret, with its hash. All limits are checked before the hash is computed; a
 * guess that was not checked because the server was busy is not counted.
 * @param guess guesses: the limits on wrong secrets, counted first
 * @throws {ApiError} rate_limited, server_busy
 */
export async function verifyGuess(
  context: Dependencies,
  {
    caller,
    secret,
    stored,
    guesses,
  }: { caller: PasswordCaller; secret: string; stored: string | null; guesses: readonly Limit[] },
): Promise<boolean> {
  for (const limit of guesses) await rateLimit(context, limit);
  await limitPasswordWork(context, caller);
  try {
    return await verifyPassword(secret, stored, caller);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'server_busy') {
      for (const limit of guesses) await subtractHits(context, limit, 1);
    }
    throw error;
  }
}
