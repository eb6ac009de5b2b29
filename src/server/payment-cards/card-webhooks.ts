import { and, eq } from 'drizzle-orm';
import { UNKNOWN_DEVICE } from '#domain/device.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { paymentCards } from '../database/schema/cards.ts';
import { violatedUniqueConstraint } from '../database/transactions.ts';
import { isWithinLimit } from '../http/rate-limit.ts';
import { sendSoon } from '../mail/account-mails.ts';
import type { ProviderEvent, ProviderSetup } from '../payments/provider/payment-provider.ts';
import type { EventSubject, EventWork } from '../payments/subjects.ts';
import { operatorDay } from '../sailings/operator.ts';
import { leavePaymentCard } from './automatic-top-ups.ts';
import { lockHolder } from './provider-customer.ts';
import { applyMethod, dropMethods, isSaved, type MethodToSave, settlePrimary } from './save-card.ts';
import { declineLimits } from './start-setup.ts';

/** Setups, and changes of saved cards at the provider. */
export const savedCardSubject: EventSubject = {
  prepare,
  isWorthRepeating: (error) => (violatedUniqueConstraint(error) ?? '').startsWith('payment_cards_'),
};

/** Events arrive in any order, so the provider is asked how the card is now. */
async function prepare(context: Context, event: ProviderEvent): Promise<EventWork | null> {
  switch (event.kind) {
    case 'card_saved': {
      const card = await context.provider.findCard(event.cardId);
      return card && saveWork(context, { card, device: event.device ?? UNKNOWN_DEVICE });
    }
    case 'card_changed': {
      const card = await context.provider.findCard(event.cardId);
      // A change does not make a method one of our saved cards.
      return card && saveWork(context, { card, device: UNKNOWN_DEVICE }, (tx) => isSaved(tx, card.id));
    }
    case 'card_detached':
      return async (tx) => {
        await removeMethod(tx, context, event.cardId);
        return async () => context.jobs.trigger('sync-payment-cards');
      };
    case 'setup_declined':
      return async () => () => countDecline(context, event.setup);
    default:
      return null;
  }
}

function saveWork(
  context: Context,
  method: MethodToSave,
  isRelevant: (tx: Database) => Promise<boolean> = async () => true,
): EventWork {
  return async (tx) => {
    const saved = (await isRelevant(tx)) ? await applyMethod(tx, context, method) : null;
    return async () => {
      if (saved?.mailId) sendSoon(context.jobs, saved.mailId);
      context.jobs.trigger('sync-payment-cards');
    };
  };
}

/** A detached method can never be charged again, so its card is removed. */
async function removeMethod(tx: Database, context: Context, reference: string): Promise<void> {
  const now = context.clock.now();
  const isMethod = and(eq(paymentCards.providerReference, reference), eq(paymentCards.status, 'active'));
  const [card] = await tx
    .select({ id: paymentCards.id, customerId: paymentCards.customerId })
    .from(paymentCards)
    .where(isMethod);
  if (card) {
    await lockHolder(tx, card.customerId);
    await tx
      .update(paymentCards)
      .set({ status: 'removed', isPrimary: false, updatedAt: now })
      .where(isMethod);
    await leavePaymentCard(tx, context, card.id);
    const today = await operatorDay({ db: tx, clock: context.clock });
    await settlePrimary(tx, { customerId: card.customerId, today, now });
  }
  await dropMethods(tx, [reference], now);
}

/** Cancels the setup after too many declines: a customer with their own cards needs few. */
async function countDecline(context: Context, setup: Pick<ProviderSetup, 'id' | 'metadata'>): Promise<void> {
  for (const limit of declineLimits(setup)) {
    if (!(await isWithinLimit(context, limit))) return context.provider.tryToCancelSetup(setup.id);
  }
}
