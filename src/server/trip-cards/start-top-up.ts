import { eq, max } from 'drizzle-orm';
import Stripe from 'stripe';
import { portalPages } from '#contract/paths.ts';
import type { StartedTopUp, StartTopUp } from '#contract/trip-cards.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { networkOf, rateLimit } from '../http/rate-limit.ts';
import { newId } from '../ids.ts';
import { ensureProviderCustomer } from '../payment-cards/provider-customer.ts';
import { findSavedCard, type SavedCard } from '../payment-cards/queries.ts';
import { settlePaymentIntent } from '../payments/apply-payment-intent.ts';
import { LOOK_BACK_MS, looksLikeCardTesting } from '../payments/card-testing.ts';
import { askProvider } from '../payments/provider.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import type { TopUpRow } from './apply-top-up.ts';
import { lockCard, requireActive, requireHeldCard } from './queries.ts';
import { presentTopUp, requireTopUp } from './read-top-ups.ts';

const HOUR_SECONDS = 3600;
const TOP_UPS_PER_HOUR = 30;

/** Who asks: `key` names the request, the same for each repetition; `from` and `device` are where it came from. */
export type TopUpAsking = { customerId: string; cardId: string; key: string; from: string; device: string };

/**
 * Begins to put value on a card. With a saved payment card it is charged at once, and only a bank that wants to see
 * its customer leaves something to do; a new one is entered in the browser with the secret answered here.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, top_up_amount, payment_unavailable, rate_limited,
 * invalid_input for a payment card that cannot be charged
 */
export async function startTopUp(deps: Deps, asking: TopUpAsking, wish: StartTopUp): Promise<StartedTopUp> {
  const { customerId, cardId } = asking;
  await requireHeldCard(deps.db, customerId, cardId, 'top_up');
  await requireAmount(deps, wish.amount);
  const startedFrom = await limitTries(deps, asking);
  const saved =
    wish.payment_card_id === undefined ? null : await requireSaved(deps, customerId, wish.payment_card_id);
  const topUp = await openTopUp(deps, asking, {
    amount: wish.amount,
    savedId: saved?.id ?? null,
    startedFrom,
  });
  const payer = saved ?? (wish.save_card ? await ensureProviderCustomer(deps, customerId) : null);
  const intent = await intentOf(deps, topUp, payer, asking.device);
  await settlePaymentIntent(deps, intent);
  const settled = await requireTopUp(deps.db, topUp.id);
  const isOpen = settled.status === 'created' || settled.status === 'requires_action';
  return { ...presentTopUp(settled), client_secret: isOpen ? intent.client_secret : null };
}

async function requireAmount(deps: Deps, amount: number): Promise<void> {
  const { top_up: limits } = await loadWebSettings(deps);
  if (amount >= limits.min && amount <= limits.max) return;
  throw new ApiError('top_up_amount', { field: 'amount', details: { min: limits.min, max: limits.max } });
}

/** @returns the keyed hash of the network, as attempts keep it */
async function limitTries(deps: Deps, { customerId, from }: TopUpAsking): Promise<string> {
  const startedFrom = deps.vault.fingerprint('payment-origin', networkOf(from));
  if (await looksLikeCardTesting(deps.db, startedFrom, deps.clock.now())) {
    throw new ApiError('rate_limited', { retryAfter: LOOK_BACK_MS / 1000 });
  }
  await rateLimit(deps, {
    name: 'top-up',
    who: customerId,
    limit: TOP_UPS_PER_HOUR,
    windowSeconds: HOUR_SECONDS,
  });
  return startedFrom;
}

async function requireSaved(deps: Deps, customerId: string, paymentCardId: string): Promise<SavedCard> {
  const saved = await findSavedCard(deps, customerId, paymentCardId);
  if (!saved || saved.isExpired) throw new ApiError('invalid_input', { field: 'payment_card_id' });
  return saved;
}

/** The request's top-up: a repetition finds the one it made. Numbers are given under the card's lock. */
async function openTopUp(
  deps: Deps,
  { customerId, cardId, key }: TopUpAsking,
  { amount, savedId, startedFrom }: { amount: number; savedId: string | null; startedFrom: string },
): Promise<TopUpRow> {
  return inTransaction(deps.db, async (tx) => {
    const card = await lockCard(tx, cardId);
    const [known] = await tx.select().from(topUps).where(eq(topUps.idempotencyKey, key));
    if (known) return known;
    requireActive(card);
    const [last] = await tx
      .select({ seq: max(topUps.seq) })
      .from(topUps)
      .where(eq(topUps.tripCardId, cardId));
    const now = deps.clock.now();
    const [opened] = await tx
      .insert(topUps)
      .values({
        id: newId('top'),
        tripCardId: cardId,
        seq: (last?.seq ?? 0) + 1,
        byCustomerId: customerId,
        amount,
        currency: card.currency,
        trigger: 'manual',
        paymentCardId: savedId,
        status: 'created',
        startedFrom,
        idempotencyKey: key,
        insertedAt: now,
        updatedAt: now,
      })
      .returning();
    if (!opened) throw new Error('A top-up was not written.');
    return opened;
  });
}

/**
 * The top-up's intent at the provider, made under a key of its own. A saved card that is declined is an answer too:
 * the intent says so.
 * @param payer a saved card to charge now; the provider's customer a new card is saved for; or nobody
 */
async function intentOf(
  deps: Deps,
  topUp: TopUpRow,
  payer: SavedCard | string | null,
  device: string,
): Promise<Stripe.PaymentIntent> {
  const { providerReference: reference } = topUp;
  return askProvider(deps, async () => {
    if (reference !== null) return deps.stripe.paymentIntents.retrieve(reference);
    try {
      return await deps.stripe.paymentIntents.create(
        {
          amount: topUp.amount,
          currency: topUp.currency.toLowerCase(),
          allowed_payment_method_types: ['card'],
          description: 'Trip card top-up',
          metadata: { top_up_id: topUp.id, trip_card_id: topUp.tripCardId, device },
          ...payerParameters(deps, payer),
        },
        { idempotencyKey: `top_up:${topUp.id}` },
      );
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeCardError) || !error.payment_intent) throw error;
      return deps.stripe.paymentIntents.retrieve(error.payment_intent.id);
    }
  });
}

function payerParameters(
  { config }: Pick<Deps, 'config'>,
  payer: SavedCard | string | null,
): Partial<Stripe.PaymentIntentCreateParams> {
  if (payer === null) return {};
  if (typeof payer === 'string') return { customer: payer, setup_future_usage: 'off_session' };
  return {
    customer: payer.providerCustomerId,
    payment_method: payer.providerReference,
    confirm: true,
    // The bank's question is shown over the page the customer is on.
    use_stripe_sdk: true,
    return_url: config.origins.portal + portalPages.tripCards,
  };
}
