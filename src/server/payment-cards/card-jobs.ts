import { and, eq, isNull, not, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { cardHolders, droppedMethods, paymentCards } from '../database/schema/cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { operatorDay } from '../sailings/operator.ts';
import { lockHolder } from './provider-customer.ts';
import { isUnexpired } from './queries.ts';
import { settlePrimary, syncPaymentMethod } from './save-card.ts';

const BATCH = 200;

/** Registers the jobs that save cards and synchronize them with the provider. */
export async function registerCardJobs(context: Context): Promise<void> {
  await context.jobs.work('save-card', ({ payment_method: method, device, only }) =>
    syncPaymentMethod(context, { reference: method ?? '', device, only }),
  );
  await context.jobs.work('delete-card-holder', ({ customer }) =>
    context.provider.deleteCustomer(customer ?? ''),
  );
  await context.jobs.work('sync-payment-cards', () => syncPaymentCards(context));
  await context.jobs.schedule('sync-payment-cards', '*/10 * * * *');
}

/**
 * Replaces expired primary cards, detaches dropped methods, and sets the default cards at the provider. It also makes
 * up for what failed before; a failure does not stop the rest.
 */
async function syncPaymentCards(context: Context): Promise<void> {
  await settleExpired(context);
  await detachDropped(context);
  await mirrorPrimaries(context);
}

async function settleExpired(context: Context): Promise<void> {
  const today = await operatorDay(context);
  const expired = await context.db
    .select({ customerId: paymentCards.customerId })
    .from(paymentCards)
    .where(and(eq(paymentCards.isPrimary, true), eq(paymentCards.status, 'active'), not(isUnexpired(today))))
    .limit(BATCH);
  for (const { customerId } of expired) {
    await inTransaction(context.db, async (tx) => {
      await lockHolder(tx, customerId);
      await settlePrimary(tx, { customerId, today, now: context.clock.now() });
    });
  }
}

async function detachDropped(context: Context): Promise<void> {
  const dropped = await context.db
    .select({ reference: droppedMethods.providerReference })
    .from(droppedMethods)
    .where(isNull(droppedMethods.detachedAt))
    .orderBy(droppedMethods.insertedAt)
    .limit(BATCH);
  for (const { reference } of dropped) {
    await withoutStopping(context, async () => {
      await context.provider.detachCard(reference);
      await context.db
        .update(droppedMethods)
        .set({ detachedAt: context.clock.now() })
        .where(eq(droppedMethods.providerReference, reference));
    });
  }
}

/**
 * The primary card is joined, not selected by a correlated subquery: in the field list of a query over one table,
 * Drizzle renders columns without their table, and the subquery would match the cards of every customer.
 */
async function mirrorPrimaries(context: Context): Promise<void> {
  const isPrimary = and(
    eq(paymentCards.customerId, cardHolders.customerId),
    eq(paymentCards.isPrimary, true),
    eq(paymentCards.status, 'active'),
  );
  const outdated = await context.db
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
    await withoutStopping(context, async () => {
      await context.provider.setDefaultCard(reference, method);
      await context.db
        .update(cardHolders)
        .set({ mirroredMethod: method })
        .where(eq(cardHolders.customerId, customerId));
    });
  }
}

async function withoutStopping(context: Context, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error('saved cards not as at the provider', describeError(error));
  }
}
