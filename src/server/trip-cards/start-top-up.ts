import { eq } from 'drizzle-orm';
import type { StartedTopUp, StartTopUp } from '#contract/trip-cards/schemas.ts';
import { isTopUpAmount, topUpLimits } from '#domain/card-charges.ts';
import { refuseCardTesting } from '../card-provider/card-testing.ts';
import { isOpen } from '../card-provider/intent-state.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { HOUR_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { ensureProviderCustomer } from '../payment-cards/provider-customer.ts';
import { findSavedCard, type SavedCard } from '../payment-cards/queries.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { settleTopUp, type TopUpRow } from './apply-top-up.ts';
import { insertTopUp } from './open-top-up.ts';
import { lockCard, requireActive, requireHeldCard } from './queries.ts';
import { presentTopUp, requireTopUp } from './read-top-ups.ts';
import { type Payer, topUpIntent } from './top-up-intent.ts';

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
  const { card } = await requireHeldCard(deps.db, customerId, cardId, 'top_up');
  await requireAmount(deps, wish.amount, card.currency);
  const startedFrom = await limitTries(deps, asking);
  const saved =
    wish.payment_card_id === undefined ? null : await requireSaved(deps, customerId, wish.payment_card_id);
  const topUp = await openTopUp(deps, asking, {
    amount: wish.amount,
    savedId: saved?.id ?? null,
    startedFrom,
  });
  // Asked again after it came to an end, or was given up: what is over is charged no more.
  if (!isOpen(topUp)) return { ...presentTopUp(topUp), client_secret: null };
  const payer: Payer = saved
    ? { kind: 'saved', card: saved, isPresent: true }
    : { kind: 'new', saveFor: wish.save_card ? await ensureProviderCustomer(deps, customerId) : null };
  const intent = await topUpIntent(deps, topUp, payer, asking.device);
  await settleTopUp(deps, intent);
  const settled = await requireTopUp(deps.db, topUp.id);
  const isToGoOn = isOpen(settled) && settled.status !== 'processing';
  return { ...presentTopUp(settled), client_secret: isToGoOn ? intent.client_secret : null };
}

async function requireAmount(deps: Deps, amount: number, currency: string): Promise<void> {
  const { min, max, step } = topUpLimits((await loadWebSettings(deps)).top_up, currency);
  if (isTopUpAmount(amount, { min, max, step })) return;
  throw new ApiError('top_up_amount', { field: 'amount', details: { min, max, step } });
}

/** @returns the keyed hash of the network, as attempts keep it */
async function limitTries(deps: Deps, { customerId, from }: TopUpAsking): Promise<string> {
  const startedFrom = await refuseCardTesting(deps, from);
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
    return insertTopUp(tx, deps, card, {
      byCustomerId: customerId,
      amount,
      trigger: 'manual',
      paymentCardId: savedId,
      startedFrom,
      idempotencyKey: key,
    });
  });
}
