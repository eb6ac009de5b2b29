import { and, eq, isNull, not, sql } from 'drizzle-orm';
import { cardHolders, droppedMethods, paymentCards } from '../database/schema/cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../log.ts';
import { operatorDay } from '../sailings/operator.ts';
import { lockHolder } from './provider-customer.ts';
import { isUnexpired } from './queries.ts';
import { settlePrimary } from './settle-primary.ts';
import { syncPaymentMethod } from './sync-payment-method.ts';

const BATCH = 200;

/** Registers the jobs that save cards and synchronize them with the provider. */
export async function registerCardJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('save-card', ({ payment_method: method, device, only }) =>
    syncPaymentMethod(deps, method ?? '', { device, only }),
  );
  await deps.jobs.work('delete-card-holder', ({ customer }) => deps.provider.deleteCustomer(customer ?? ''));
  await deps.jobs.work('sync-payment-cards', () => syncPaymentCards(deps));
  await deps.jobs.schedule('sync-payment-cards', '*/10 * * * *');
}

/**
 * Replaces expired primary cards, detaches dropped methods, and sets the default cards at the provider. It also makes
 * up for what failed before; a failure does not stop the rest.
 */
async function syncPaymentCards(deps: Deps): Promise<void> {
  await settleExpired(deps);
  await detachDropped(deps);
  await mirrorPrimaries(deps);
}

async function settleExpired(deps: Deps): Promise<void> {
  const today = await operatorDay(deps);
  const expired = await deps.db
    .select({ customerId: paymentCards.customerId })
    .from(paymentCards)
    .where(and(eq(paymentCards.isPrimary, true), eq(paymentCards.status, 'active'), not(isUnexpired(today))))
    .limit(BATCH);
  for (const { customerId } of expired) {
    await inTransaction(deps.db, async (tx) => {
      await lockHolder(tx, customerId);
      await settlePrimary(tx, customerId, { today, now: deps.clock.now() });
    });
  }
}

async function detachDropped(deps: Deps): Promise<void> {
  const dropped = await deps.db
    .select({ reference: droppedMethods.providerReference })
    .from(droppedMethods)
    .where(isNull(droppedMethods.detachedAt))
    .orderBy(droppedMethods.insertedAt)
    .limit(BATCH);
  for (const { reference } of dropped) {
    await withoutStopping(deps, async () => {
      await deps.provider.detachCard(reference);
      await deps.db
        .update(droppedMethods)
        .set({ detachedAt: deps.clock.now() })
        .where(eq(droppedMethods.providerReference, reference));
    });
  }
}

/**
 * The primary card is joined, not selected by a correlated subquery: in the field list of a query over one table,
 * Drizzle renders columns without their table, and the subquery would match the cards of every customer.
 */
async function mirrorPrimaries(deps: Deps): Promise<void> {
  const isPrimary = and(
    eq(paymentCards.customerId, cardHolders.customerId),
    eq(paymentCards.isPrimary, true),
    eq(paymentCards.status, 'active'),
  );
  const outdated = await deps.db
    .select({
      customerId: cardHolders.customerId,
      reference: cardHolders.providerReference,
      method: paymentCards.providerReference,
    })
    .from(cardHolders)
    .leftJoin(paymentCards, isPrimary)
    .where(sql`${cardHolders.mirroredMethod} is distinct from ${paymentCards.providerReference}`)
    .limit(BATCH);
  for (const { customerId, reference, method } of outdated) {
    await withoutStopping(deps, async () => {
      await deps.provider.setDefaultCard(reference, method);
      await deps.db
        .update(cardHolders)
        .set({ mirroredMethod: method })
        .where(eq(cardHolders.customerId, customerId));
    });
  }
}

async function withoutStopping(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.error('saved cards not as at the provider', describeError(error));
  }
}
