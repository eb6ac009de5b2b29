import { and, eq, isNull, not, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { cardHolders, droppedMethods, paymentCards } from '../database/schema/cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { describeError } from '../log.ts';
import { operatorDay } from '../sailings/operator.ts';
import { keepMethod } from './keep-method.ts';
import { lockHolder } from './provider-customer.ts';
import { isUnexpired } from './queries.ts';
import { settlePrimary } from './settle-primary.ts';

const BATCH = 200;

/** Registers the jobs that keep the provider's side of saved cards as ours is. */
export async function registerCardJobs(deps: Deps): Promise<void> {
  await deps.jobs.work('keep-card', ({ payment_method: method, device, only }) =>
    keepMethod(deps, method ?? '', { device, only }),
  );
  await deps.jobs.work('forget-card-holder', ({ customer }) => forgetHolder(deps, customer ?? ''));
  await deps.jobs.work('tend-payment-cards', () => tendPaymentCards(deps));
  await deps.jobs.schedule('tend-payment-cards', '*/10 * * * *');
}

/**
 * Moves the choice on where the primary card has expired, detaches what was let go, and tells the provider what to
 * charge first. Whatever failed or died before is done now; one failure does not stop the rest.
 */
async function tendPaymentCards(deps: Deps): Promise<void> {
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
      await orGone(() => deps.stripe.paymentMethods.detach(reference));
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
      await deps.stripe.customers.update(reference, {
        invoice_settings: { default_payment_method: method ?? '' },
      });
      await deps.db
        .update(cardHolders)
        .set({ mirroredMethod: method })
        .where(eq(cardHolders.customerId, customerId));
    });
  }
}

/** The owner's account is gone: so are they and their cards at the provider. */
async function forgetHolder(deps: Deps, reference: string): Promise<void> {
  await orGone(() => deps.stripe.customers.del(reference));
}

/** What is gone already need not go. */
async function orGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

async function withoutStopping(deps: Deps, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    deps.log.error('saved cards not as at the provider', describeError(error));
  }
}
