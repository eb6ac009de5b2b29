import { and, asc, eq } from 'drizzle-orm';
import type { Passkey } from '#contract/security/schemas.ts';
import type { Context } from '../context.ts';
import { lockOwner, type OwnerOnDevice } from '../customers/lock-owner.ts';
import type { Database } from '../database/database.ts';
import { passkeys } from '../database/schema/people.ts';
import { inTransaction } from '../database/transactions.ts';
import { notFound } from '../http/api-error.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { reportSecurityEvent } from './security-events.ts';
import { settleFactors } from './settle-factors.ts';

type PasskeyRow = typeof passkeys.$inferSelect;

export function presentPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    inserted_at: row.insertedAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    backed_up: row.backedUp,
    credential_id: row.credentialId,
  };
}

/** A customer's passkeys, oldest first. */
export async function listPasskeys(db: Database, customerId: string): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.customerId, customerId))
    .orderBy(asc(passkeys.insertedAt), asc(passkeys.id));
  return rows.map(presentPasskey);
}

/**
 * Renames a passkey.
 * @throws {ApiError} not_found
 */
export async function renamePasskey(
  db: Database,
  { customerId, id, name }: { customerId: string; id: string; name: string },
): Promise<Passkey> {
  const [renamed] = await db.update(passkeys).set({ name }).where(isOwn(customerId, id)).returning();
  if (!renamed) throw notFound();
  return presentPasskey(renamed);
}

/**
 * Removes a passkey, which can no longer sign in.
 * @throws {ApiError} not_found, last_second_factor
 */
export async function removePasskey(
  context: Context,
  { id, ...owner }: OwnerOnDevice & { id: string },
): Promise<void> {
  const { customerId, device } = owner;
  const mailId = await inTransaction(context.db, async (tx) => {
    const customer = await lockOwner(tx, context, owner);
    const removed = await tx.delete(passkeys).where(isOwn(customerId, id)).returning({ id: passkeys.id });
    if (removed.length === 0) throw notFound();
    await settleFactors(tx, customer);
    return reportSecurityEvent(tx, context, { customerId, kind: 'passkey_removed', device });
  });
  sendSoon(context.jobs, mailId);
}

function isOwn(customerId: string, id: string) {
  return and(eq(passkeys.id, id), eq(passkeys.customerId, customerId));
}
