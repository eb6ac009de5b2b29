import { eq } from 'drizzle-orm';
import { askProvider } from '../card-provider/provider.ts';
import type { Database } from '../database/database.ts';
import { cardHolders } from '../database/schema/cards.ts';
import type { Deps } from '../deps.ts';

export type CardHolder = typeof cardHolders.$inferSelect;

/**
 * Who the customer is at the card provider; made there the first time, under a key of its own so that two tries at
 * once make one. The provider is told our id and nothing else of the person.
 * @returns the provider's name for the customer, `cus_…`
 * @throws {ApiError} payment_unavailable
 */
export async function ensureProviderCustomer(deps: Deps, customerId: string): Promise<string> {
  const known = await findHolder(deps.db, customerId);
  if (known) return known.providerReference;
  const made = await askProvider(deps, () =>
    deps.stripe.customers.create(
      { metadata: { customer_id: customerId } },
      { idempotencyKey: `cus:${customerId}` },
    ),
  );
  await deps.db
    .insert(cardHolders)
    .values({ customerId, providerReference: made.id, insertedAt: deps.clock.now() })
    .onConflictDoNothing();
  return (await findHolder(deps.db, customerId))?.providerReference ?? made.id;
}

/** The customer's row of the provider, if they ever saved a card or tried to. */
export async function findHolder(db: Database, customerId: string): Promise<CardHolder | null> {
  const [holder] = await db.select().from(cardHolders).where(eq(cardHolders.customerId, customerId));
  return holder ?? null;
}

/** The same, locked: two changes to one customer's cards wait for each other. */
export async function lockHolder(tx: Database, customerId: string): Promise<CardHolder | null> {
  const [holder] = await tx
    .select()
    .from(cardHolders)
    .where(eq(cardHolders.customerId, customerId))
    .for('no key update');
  return holder ?? null;
}

/** Whose customer the provider means, locked; null when it is nobody of ours. */
export async function lockHolderAtProvider(tx: Database, reference: string): Promise<CardHolder | null> {
  const [holder] = await tx
    .select()
    .from(cardHolders)
    .where(eq(cardHolders.providerReference, reference))
    .for('no key update');
  return holder ?? null;
}
