import { eq, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { cardHolders } from '../database/schema/cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { findLockedCustomer } from '../identity/customers.ts';

export type CardHolder = typeof cardHolders.$inferSelect;

/**
 * The provider's id of a customer (`cus_…`), created there the first time. The provider gets our id and no personal
 * data.
 * @throws {ApiError} payment_unavailable; session_expired if the account is deleted in the meantime
 */
export async function ensureProviderCustomer(context: Context, customerId: string): Promise<string> {
  const existing = await findHolder(context.db, customerId);
  if (existing) return existing.providerReference;
  const providerReference = await context.provider.createCustomer(customerId);
  const holder = await inTransaction(context.db, async (tx) => {
    if (!(await findLockedCustomer(tx, customerId))) return null;
    await tx
      .insert(cardHolders)
      .values({ customerId, providerReference, insertedAt: context.clock.now() })
      .onConflictDoNothing();
    return findHolder(tx, customerId);
  });
  if (holder) return holder.providerReference;
  await context.jobs.send('delete-card-holder', { customer: providerReference });
  throw new ApiError('session_expired');
}

/** null if the customer never tried to save a card. */
export async function findHolder(db: Database, customerId: string): Promise<CardHolder | null> {
  const [holder] = await db.select().from(cardHolders).where(eq(cardHolders.customerId, customerId));
  return holder ?? null;
}

/** Locked, so that changes to one customer's cards are serialized. */
export function lockHolder(tx: Database, customerId: string): Promise<CardHolder | null> {
  return lockWhere(tx, eq(cardHolders.customerId, customerId));
}

/** By the provider's id of the customer, locked; null if unknown to us. */
export function lockHolderAtProvider(tx: Database, reference: string): Promise<CardHolder | null> {
  return lockWhere(tx, eq(cardHolders.providerReference, reference));
}

async function lockWhere(tx: Database, condition: SQL): Promise<CardHolder | null> {
  const [holder] = await tx.select().from(cardHolders).where(condition).for('no key update');
  return holder ?? null;
}
