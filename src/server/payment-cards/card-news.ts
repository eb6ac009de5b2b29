import { and, eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Database } from '../database/database.ts';
import { paymentCards } from '../database/schema/cards.ts';
import type { Deps } from '../deps.ts';
import { isWithinLimit } from '../http/rate-limit.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { operatorDay } from '../sailings/operator.ts';
import { leavePaymentCard } from './automatic-top-ups.ts';
import { applyMethod, dropMethods, isKept } from './keep-card.ts';
import { findMethod, UNKNOWN_DEVICE } from './keep-method.ts';
import { lockHolder } from './provider-customer.ts';
import { settlePrimary } from './settle-primary.ts';
import { declineLimits } from './start-setup.ts';

/** What an event says of saved cards, once the provider has been asked how things stand now. */
export type CardNews =
  | { kind: 'saved'; method: Stripe.PaymentMethod; device: string }
  | { kind: 'changed'; method: Stripe.PaymentMethod }
  | { kind: 'gone'; reference: string }
  | { kind: 'declined'; setup: Stripe.SetupIntent };

/** What follows from news once they are committed. */
export type AfterCardNews = { mailId: string | null; declined: Stripe.SetupIntent | null };

/**
 * Reads what an event says of saved cards; null when it says nothing of them. Events come in any order, so of a card
 * that is there the provider is asked anew: call it outside of a transaction.
 * @throws {ApiError} payment_unavailable; the provider sends the event again
 */
export async function readCardNews(deps: Deps, event: Stripe.Event): Promise<CardNews | null> {
  switch (event.type) {
    case 'setup_intent.succeeded': {
      const { payment_method: given, metadata } = event.data.object;
      if (given === null) return null;
      const method = await findMethod(deps, typeof given === 'string' ? given : given.id);
      return method && { kind: 'saved', method, device: metadata?.device ?? UNKNOWN_DEVICE };
    }
    case 'payment_method.updated':
    case 'payment_method.automatically_updated': {
      const method = await findMethod(deps, event.data.object.id);
      return method && { kind: 'changed', method };
    }
    case 'payment_method.detached':
      return { kind: 'gone', reference: event.data.object.id };
    case 'setup_intent.setup_failed':
      return { kind: 'declined', setup: event.data.object };
    default:
      return null;
  }
}

/** Takes news over, in the transaction that remembers their event. */
export async function applyCardNews(tx: Database, deps: Deps, news: CardNews): Promise<AfterCardNews> {
  const nothing: AfterCardNews = { mailId: null, declined: null };
  switch (news.kind) {
    case 'saved':
      return { ...nothing, mailId: (await applyMethod(tx, deps, news))?.mailId ?? null };
    case 'changed': {
      // A method that is no card of ours does not become one because something about it changed.
      if (!(await isKept(tx, news.method.id))) return nothing;
      const kept = await applyMethod(tx, deps, { ...news, device: UNKNOWN_DEVICE });
      return { ...nothing, mailId: kept?.mailId ?? null };
    }
    case 'gone':
      await forgetMethod(tx, deps, news.reference);
      return nothing;
    case 'declined':
      return { ...nothing, declined: news.setup };
  }
}

/** Asks for the mail and the calls that committed news decided, and counts what was declined. */
export async function followCardNews(deps: Deps, { mailId, declined }: AfterCardNews): Promise<void> {
  if (mailId) sendSoon(deps.jobs, mailId);
  deps.jobs.trigger('tend-payment-cards');
  if (!declined || (await isOwnCards(deps, declined))) return;
  await deps.stripe.setupIntents.cancel(declined.id).catch(() => {
    // Finished meanwhile, or the provider does not answer: the next decline asks again.
  });
}

/** Detached at the provider, by us or by hand: it can never be charged again, so it is no card any more. */
async function forgetMethod(tx: Database, deps: Deps, reference: string): Promise<void> {
  const now = deps.clock.now();
  const isIt = and(eq(paymentCards.providerReference, reference), eq(paymentCards.status, 'active'));
  const [known] = await tx
    .select({ id: paymentCards.id, customerId: paymentCards.customerId })
    .from(paymentCards)
    .where(isIt);
  if (known) {
    await lockHolder(tx, known.customerId);
    await tx.update(paymentCards).set({ status: 'removed', isPrimary: false, updatedAt: now }).where(isIt);
    await leavePaymentCard(tx, deps, known.id);
    const today = await operatorDay({ db: tx, clock: deps.clock });
    await settlePrimary(tx, known.customerId, { today, now });
  }
  await dropMethods(tx, [reference], now);
}

/** Counts a decline; false when there were too many for them to be somebody's own cards. */
async function isOwnCards(deps: Deps, setup: Stripe.SetupIntent): Promise<boolean> {
  for (const limit of declineLimits(setup)) {
    if (!(await isWithinLimit(deps, limit))) return false;
  }
  return true;
}
