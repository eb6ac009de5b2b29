import { randomBytes } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { Secret } from 'otpauth';
import { lockOwner, type Owner } from '../customers/lock-owner.ts';
import type { Database } from '../database/database.ts';
import { recoveryCodes } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { newId } from '../ids.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { countFactors } from './factors.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { noteSecurityEvent } from './security-events.ts';

const CODES = 10;
/** 80 bits: sixteen characters of base 32. */
const CODE_BYTES = 10;
const PREFIX = 4;

/** Codes as their owner sees them once, and what is kept of them. */
export type NewRecoveryCodes = { codes: string[]; kept: { prefix: string; codeHash: string }[] };

/** Ten codes. Hashing them takes a moment, so make them before the transaction that stores them. */
export async function makeRecoveryCodes(): Promise<NewRecoveryCodes> {
  const plain = Array.from(
    { length: CODES },
    () => new Secret({ buffer: Uint8Array.from(randomBytes(CODE_BYTES)).buffer }).base32,
  );
  const kept = await Promise.all(
    plain.map(async (code) => ({ prefix: code.slice(0, PREFIX), codeHash: await hashPassword(code) })),
  );
  return { codes: plain.map((code) => code.match(/.{4}/g)?.join('-') ?? code), kept };
}

/** Stores new codes in place of all the customer had. */
export async function storeRecoveryCodes(
  db: Database,
  customerId: string,
  { kept }: NewRecoveryCodes,
): Promise<void> {
  await dropRecoveryCodes(db, customerId);
  await db.insert(recoveryCodes).values(kept.map((code) => ({ id: newId('rcv'), customerId, ...code })));
}

export async function dropRecoveryCodes(db: Database, customerId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.customerId, customerId));
}

/**
 * Gives the customer ten other codes; the old ones are void.
 * @throws {ApiError} second_factor_missing when there is nothing they could stand in for
 */
export async function renewRecoveryCodes(deps: Deps, owner: Owner & { device: string }): Promise<string[]> {
  const { customerId, device } = owner;
  const made = await makeRecoveryCodes();
  const mailId = await inTransaction(deps.db, async (tx) => {
    await lockOwner(tx, deps, owner);
    if ((await countFactors(tx, customerId)).all === 0) throw new ApiError('second_factor_missing');
    await storeRecoveryCodes(tx, customerId, made);
    return noteSecurityEvent(tx, deps, { customerId, kind: 'recovery_codes_made', device });
  });
  sendSoon(deps.jobs, mailId);
  return made.codes;
}

/**
 * Uses up a recovery code (sixteen characters, as read) and mails its owner.
 * @returns whether it was one that was left; of several at once only one is
 */
export async function spendRecoveryCode(
  deps: Deps,
  { customerId, code, device }: { customerId: string; code: string; device: string },
): Promise<boolean> {
  const found = await findRecoveryCode(deps.db, customerId, code);
  if (found === null) return false;
  const mailId = await inTransaction(deps.db, async (tx) => {
    const used = await tx
      .update(recoveryCodes)
      .set({ usedAt: deps.clock.now() })
      .where(and(eq(recoveryCodes.id, found), isNull(recoveryCodes.usedAt)))
      .returning({ id: recoveryCodes.id });
    if (used.length === 0) return null;
    return noteSecurityEvent(tx, deps, { customerId, kind: 'recovery_code_used', device });
  });
  if (mailId === null) return false;
  sendSoon(deps.jobs, mailId);
  return true;
}

async function findRecoveryCode(db: Database, customerId: string, code: string): Promise<string | null> {
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
  // The same work when no code begins like this, so that the time tells nothing about beginnings.
  if (candidates.length === 0) await verifyPassword(code, null);
  for (const { id, codeHash } of candidates) {
    if (await verifyPassword(code, codeHash)) return id;
  }
  return null;
}
