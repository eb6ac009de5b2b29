import { randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { Secret } from 'otpauth';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { addVersion, splitVersion } from '#server/core/vault.ts';
import { verifyPassword } from '#server/credentials/password-hash.ts';
import type { Database } from '#server/database/database.ts';
import { recoveryCodes } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { HOUR_SECONDS, rateLimit } from '#server/http/rate-limit.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import type { CustomerRow, OwnerOnDevice } from '../customers.ts';
import { countFactors } from './factors.ts';
import { changeAccount, reportSecurityEvent } from './security-events.ts';

const CODES = 10;
/** 80 bits: sixteen characters of base 32. */
const CODE_BYTES = 10;
const PREFIX = 4;
const PURPOSE = 'recovery-code';

/** New codes as shown to their owner once, and the rows to store. */
type NewRecoveryCodes = { codes: string[]; stored: { prefix: string; codeHash: string }[] };

const RENEWALS = { name: 'recovery-codes', limit: 10, windowSeconds: HOUR_SECONDS };
/** The form of hashes of codes created by earlier versions, which stay valid until they are replaced. */
const ARGON2 = /^\$argon2id\$/;

/**
 * Creates ten codes for a customer. They are stored as signatures under the application's key rather than as slow
 * hashes: a code has 80 random bits, too many to guess even with the key, and ten slow hashes per request would delay
 * other sign-ins.
 */
export function createRecoveryCodes({ vault }: Pick<Context, 'vault'>, customerId: string): NewRecoveryCodes {
  const plain = Array.from(
    { length: CODES },
    () => new Secret({ buffer: Uint8Array.from(randomBytes(CODE_BYTES)).buffer }).base32,
  );
  const stored = plain.map((code) => ({
    prefix: code.slice(0, PREFIX),
    codeHash: addVersion(vault.version, vault.sign(PURPOSE, signedText(customerId, code))),
  }));
  return { codes: plain.map((code) => code.match(/.{4}/g)?.join('-') ?? code), stored };
}

/** Replaces all codes of the customer. */
export async function storeRecoveryCodes(
  db: Database,
  customerId: string,
  { stored }: NewRecoveryCodes,
): Promise<void> {
  await deleteRecoveryCodes(db, customerId);
  await db.insert(recoveryCodes).values(stored.map((code) => ({ id: newId('rcv'), customerId, ...code })));
}

async function deleteRecoveryCodes(db: Database, customerId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.customerId, customerId));
}

/**
 * Creates ten new codes and invalidates the old ones.
 * @throws {ApiError} second_factor_missing if there is no factor they could replace; rate_limited
 */
export async function renewRecoveryCodes(context: Context, owner: OwnerOnDevice): Promise<string[]> {
  const { customerId } = owner;
  await rateLimit(context, { ...RENEWALS, who: customerId });
  const made = createRecoveryCodes(context, customerId);
  await changeAccount(context, owner, async (tx) => {
    if ((await countFactors(tx, customerId)).all === 0) throw new ApiError('second_factor_missing');
    await storeRecoveryCodes(tx, customerId, made);
    return 'recovery_codes_made';
  });
  return made.codes;
}

/**
 * Uses up a recovery code (sixteen characters, normalized) and mails its owner.
 * @returns whether the code was valid; of several concurrent uses one succeeds
 */
export async function consumeRecoveryCode(
  context: Context,
  { customerId, code, device }: { customerId: string; code: string; device: string },
): Promise<boolean> {
  const codeId = await findRecoveryCode(context, { customerId, code });
  if (codeId === null) return false;
  const mailId = await inTransaction(context.db, async (tx) => {
    const used = await tx
      .update(recoveryCodes)
      .set({ usedAt: context.clock.now() })
      .where(and(eq(recoveryCodes.id, codeId), isNull(recoveryCodes.usedAt)))
      .returning({ id: recoveryCodes.id });
    if (used.length === 0) return null;
    return reportSecurityEvent(tx, context, { customerId, kind: 'recovery_code_used', device });
  });
  if (mailId === null) return false;
  sendSoon(context.jobs, mailId);
  return true;
}

async function findRecoveryCode(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  { customerId, code }: { customerId: string; code: string },
): Promise<string | null> {
  const candidates = await db
    .select({ id: recoveryCodes.id, codeHash: recoveryCodes.codeHash })
    .from(recoveryCodes)
    .where(
      and(
        eq(recoveryCodes.customerId, customerId),
        eq(recoveryCodes.prefix, code.slice(0, PREFIX)),
        isNull(recoveryCodes.usedAt),
      ),
    );
  for (const { id, codeHash } of candidates) {
    const { version, value } = splitVersion(codeHash);
    const isRight = ARGON2.test(codeHash)
      ? await verifyPassword(code, codeHash, { key: customerId })
      : vault.verify(PURPOSE, signedText(customerId, code), value, version);
    if (isRight) return id;
  }
  return null;
}

/** Bound to the customer, so that a row copied to another account is invalid there. */
function signedText(customerId: string, code: string): string {
  return `${customerId} ${code}`;
}

/**
 * Runs after the removal of a factor, in the same transaction: prevents that two-step sign-in has no factor left, and
 * deletes recovery codes that replace no factor.
 * @throws {ApiError} last_second_factor, which rolls back the removal
 */
export async function settleFactors(
  tx: Database,
  customer: Pick<CustomerRow, 'id' | 'mfaRequired'>,
): Promise<void> {
  if ((await countFactors(tx, customer.id)).all > 0) return;
  if (customer.mfaRequired) throw new ApiError('last_second_factor');
  await deleteRecoveryCodes(tx, customer.id);
}
