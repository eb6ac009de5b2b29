import { eq } from 'drizzle-orm';
import type { StartedTopUp, StartTopUp } from '#contract/trip-cards/schemas.ts';
import { isTopUpAmount, topUpLimits } from '#domain/trip-cards/card-charges.ts';
import type { Context } from '../context.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { HOUR_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { ensureProviderCustomer } from '../payment-cards/provider-customer.ts';
import { findSavedCard, type SavedCard } from '../payment-cards/queries.ts';
import { refuseCardTesting } from '../payments/card-testing.ts';
import { isOpen } from '../payments/payment-status.ts';
import { settleIntent } from '../payments/settle-intent.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { insertTopUp, type Payer, topUpIntent } from './open-top-up.ts';
import { lockCard, requireActive, requireHeldCard, type TopUpRow } from './queries.ts';
import { presentTopUp, requireTopUp } from './read-top-ups.ts';
import { topUpSubject } from './top-up-subject.ts';

const TOP_UPS_PER_HOUR = 30;

/** `key` is the request's idempotency key, `from` the caller's address, `device` a readable name. */
export type TopUpRequest = { customerId: string; cardId: string; key: string; from: string; device: string };

/**
 * Starts a top-up. A saved payment card is charged at once, and the browser is needed only if its bank asks for
 * authentication; a new card is entered in the browser with the secret returned here.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, top_up_amount, payment_unavailable, rate_limited,
 * invalid_input for a payment card that cannot be charged
 */
export async function startTopUp(
  context: Context,
  request: TopUpRequest,
  input: StartTopUp,
): Promise<StartedTopUp> {
  const { customerId, cardId } = request;
  const { card } = await requireHeldCard(context.db, customerId, cardId, 'top_up');
  await requireAmount(context, input.amount, card.currency);
  const startedFrom = await requireWithinLimits(context, request);
  const saved =
    input.payment_card_id === undefined
      ? null
      : await requireSaved(context, customerId, input.payment_card_id);
  const topUp = await openTopUp(context, request, {
    amount: input.amount,
    savedId: saved?.id ?? null,
    startedFrom,
  });
  // A repeated request whose top-up has ended charges nothing.
  if (!isOpen(topUp)) return { ...presentTopUp(topUp), client_secret: null };
  const payer: Payer = saved
    ? { kind: 'saved', card: saved, isPresent: true }
    : { kind: 'new', saveFor: input.save_card ? await ensureProviderCustomer(context, customerId) : null };
  const intent = await topUpIntent(context, topUp, payer, request.device);
  await settleIntent(context, topUpSubject, intent);
  const settled = await requireTopUp(context.db, topUp.id);
  const canContinue = isOpen(settled) && settled.status !== 'processing';
  return { ...presentTopUp(settled), client_secret: canContinue ? intent.clientSecret : null };
}

async function requireAmount(context: Context, amount: number, currency: string): Promise<void> {
  const { min, max, step } = topUpLimits((await loadWebSettings(context)).top_up, currency);
  if (isTopUpAmount(amount, { min, max, step })) return;
  throw new ApiError('top_up_amount', { field: 'amount', details: { min, max, step } });
}

/** @returns the keyed hash of the caller's network */
async function requireWithinLimits(context: Context, { customerId, from }: TopUpRequest): Promise<string> {
  const startedFrom = await refuseCardTesting(context, from);
  await rateLimit(context, {
    name: 'top-up',
    who: customerId,
    limit: TOP_UPS_PER_HOUR,
    windowSeconds: HOUR_SECONDS,
  });
  return startedFrom;
}

async function requireSaved(context: Context, customerId: string, paymentCardId: string): Promise<SavedCard> {
  const saved = await findSavedCard(context, customerId, paymentCardId);
  if (!saved || saved.isExpired) throw new ApiError('invalid_input', { field: 'payment_card_id' });
  return saved;
}

/** The request's top-up; a repeated request finds the one it opened. */
async function openTopUp(
  context: Context,
  { customerId, cardId, key }: TopUpRequest,
  { amount, savedId, startedFrom }: { amount: number; savedId: string | null; startedFrom: string },
): Promise<TopUpRow> {
  return inTransaction(context.db, async (tx) => {
    const card = await lockCard(tx, cardId);
    const [known] = await tx.select().from(topUps).where(eq(topUps.idempotencyKey, key));
    if (known) return known;
    requireActive(card);
    return insertTopUp(tx, context, card, {
      byCustomerId: customerId,
      amount,
      trigger: 'manual',
      paymentCardId: savedId,
      startedFrom,
      idempotencyKey: key,
    });
  });
}
