import { and, desc, eq, inArray, isNotNull, lt, max } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import { portalPages } from '#contract/paths.ts';
import type { StartedTopUp, StartTopUp, TopUp, TopUpList } from '#contract/trip-cards/schemas.ts';
import { getTopUpLimits } from '#domain/trip-cards/card-charges.ts';
import { isTripCardActionAllowed } from '#domain/trip-cards/trip-card-rights.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { pageMeta } from '../http/list-query.ts';
import { HOUR_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { ensureProviderCustomer, findHolder } from '../payment-cards/provider-customer.ts';
import { findSavedCard, type SavedCard } from '../payment-cards/queries.ts';
import { refuseCardTesting } from '../payments/card-testing.ts';
import { isOpen } from '../payments/payment-status.ts';
import type { IntentInput, ProviderIntent } from '../payments/provider/payment-provider.ts';
import { refreshPayment, settleIntent } from '../payments/settle-intent.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { requireChargeable, requireMoney, requireTopUpAmount } from './auto-top-up.ts';
import { presentTopUp } from './presenter.ts';
import {
  type CardRequest,
  lockCard,
  requireActive,
  requireHeldCard,
  type TopUpRow,
  type TripCardRow,
} from './queries.ts';
import { firstBefore, type HistoryRequest, nextBefore } from './read-cards.ts';
import { topUpSubject } from './top-up-subject.ts';

const TOP_UPS = { name: 'top-up', limit: 30, windowSeconds: HOUR_SECONDS };
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** `claim` identifies the request. */
type TopUpRequest = CardRequest &
  StartTopUp & { claim: string; client: Pick<Client, 'device' | 'network' | 'language'> };

/**
 * Starts a top-up. A saved payment card is charged at once, and the browser is needed only if its bank asks for
 * authentication; a new card is entered in the browser with the secret returned here.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, holds_trips, top_up_amount; as `chargeCustomer`
 */
export async function startTopUp(context: Context, input: TopUpRequest): Promise<StartedTopUp> {
  const { card } = await requireHeldCard(context.db, input, 'top_up');
  requireMoney(card);
  const { top_up: settings } = await loadWebSettings(context);
  requireTopUpAmount(input.amount, getTopUpLimits(settings, card.currency));
  return chargeCustomer(context, input, (payer) => openTopUp(context, input, payer));
}

type Charge = Pick<TopUpRequest, 'customerId' | 'client' | 'payment_card_id' | 'save_card'>;
export type PayerOfTopUp = Pick<NewTopUp, 'startedFrom' | 'paymentCardId'>;

/**
 * Opens a top-up or the purchase of a pass, and charges the saved card or starts the payment by a new one.
 * @param open writes it, or finds that of a repeated request
 * @throws {ApiError} payment_unavailable, rate_limited, invalid_input for a payment card that cannot be charged;
 * already_paid, payment_in_progress: an earlier payment that was given up was made after all
 */
export async function chargeCustomer(
  context: Context,
  input: Charge,
  open: (payer: PayerOfTopUp) => Promise<TopUpRow>,
): Promise<StartedTopUp> {
  const { customerId, payment_card_id: paymentCardId } = input;
  const startedFrom = await refuseCardTesting(context, input.client.network);
  await rateLimit(context, { ...TOP_UPS, who: customerId });
  const saved =
    paymentCardId === undefined ? null : await findSavedCard(context, { customerId, cardId: paymentCardId });
  if (paymentCardId !== undefined) requireChargeable(saved);
  const topUp = await open({ startedFrom, paymentCardId: saved?.id ?? null });
  // A repeated request whose top-up has ended charges nothing.
  if (!isOpen(topUp)) return { ...presentTopUp(topUp, input.client.language), client_secret: null };
  await closeEarlierPayments(context, topUp);
  const payer: Payer = saved
    ? { kind: 'saved', card: saved, isPresent: true }
    : { kind: 'new', saveFor: input.save_card ? await ensureProviderCustomer(context, customerId) : null };
  const intent = await ensureIntent(context, { topUp, payer, device: input.client.device });
  await settleIntent(context, { subject: topUpSubject, intent });
  const settled = await requireTopUp(context.db, topUp.id);
  const canContinue = isOpen(settled) && settled.status !== 'processing';
  return {
    ...presentTopUp(settled, input.client.language),
    client_secret: canContinue ? intent.clientSecret : null,
  };
}

/**
 * Closes the payments of a card that its customer has given up: their bank could still confirm one, and both would be
 * charged. Without an intent there is nothing to confirm.
 */
async function closeEarlierPayments(
  context: Context,
  { tripCardId, byCustomerId, seq }: TopUpRow,
): Promise<void> {
  const earlier = await context.db
    .select({ intentId: topUps.providerReference })
    .from(topUps)
    .where(
      and(
        eq(topUps.tripCardId, tripCardId),
        eq(topUps.byCustomerId, byCustomerId ?? ''),
        eq(topUps.trigger, 'manual'),
        lt(topUps.seq, seq),
        inArray(topUps.status, ['created', 'requires_action']),
        isNotNull(topUps.providerReference),
      ),
    );
  for (const { intentId } of earlier) {
    const intent = await context.provider.cancelIntent(intentId ?? '');
    await settleIntent(context, { subject: topUpSubject, intent });
    if (intent.status === 'succeeded') {
      throw new ApiError('already_paid', { reason: 'top_up_paid' });
    }
    if (intent.status === 'processing') {
      throw new ApiError('payment_in_progress', { reason: 'top_up_processing' });
    }
  }
}

/** The request's top-up; a repeated request finds the one it opened. */
async function openTopUp(
  context: Context,
  { customerId, cardId, claim, amount }: TopUpRequest,
  payer: PayerOfTopUp,
): Promise<TopUpRow> {
  return inTransaction(context.db, async (tx) => {
    const card = await lockCard(tx, cardId);
    const [earlier] = await tx.select().from(topUps).where(eq(topUps.idempotencyKey, claim));
    if (earlier) return earlier;
    requireActive(card);
    return insertTopUp(tx, context, {
      card,
      ...payer,
      byCustomerId: customerId,
      amount,
      trigger: 'manual',
      idempotencyKey: claim,
    });
  });
}

/** `idempotencyKey` null: the caller makes sure that it is opened once. */
type NewTopUp = Pick<TopUpRow, 'byCustomerId' | 'amount' | 'trigger' | 'paymentCardId' | 'startedFrom'> &
  Partial<Pick<TopUpRow, 'pass' | 'saleId' | 'status' | 'receiptNumber' | 'completedAt'>> & {
    idempotencyKey: string | null;
  };

/** Writes a top-up with the card's next number. The caller has locked the card. */
export async function insertTopUp(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { card, idempotencyKey, ...topUp }: NewTopUp & { card: TripCardRow },
): Promise<TopUpRow> {
  const [last] = await tx
    .select({ seq: max(topUps.seq) })
    .from(topUps)
    .where(eq(topUps.tripCardId, card.id));
  const now = clock.now();
  const id = newId('top');
  const opened = await tx
    .insert(topUps)
    .values({
      id,
      tripCardId: card.id,
      seq: (last?.seq ?? 0) + 1,
      currency: card.currency,
      status: 'created',
      ...topUp,
      idempotencyKey: idempotencyKey ?? id,
      insertedAt: now,
      updatedAt: now,
    })
    .returning();
  return writtenRow(opened);
}

/** The payer: a saved card, with or without its owner present, or a new card, which may be saved for a customer. */
type Payer = { kind: 'saved'; card: SavedCard; isPresent: boolean } | { kind: 'new'; saveFor: string | null };

/**
 * The top-up's intent, created if there is none. A saved card is charged with it; the intent reports a decline.
 * @param input device: where it was requested, as the customer would call it
 * @throws {ApiError} payment_unavailable
 */
export async function ensureIntent(
  { provider, config }: Pick<Context, 'provider' | 'config'>,
  { topUp, payer, device }: { topUp: TopUpRow; payer: Payer; device: string },
): Promise<ProviderIntent> {
  if (topUp.providerReference !== null) return provider.fetchIntent(topUp.providerReference);
  return provider.createIntent({
    money: topUp,
    description: topUp.pass ? topUp.pass.name : 'Trip card top-up',
    metadata: { [topUpSubject.idKey]: topUp.id, trip_card_id: topUp.tripCardId, device },
    idempotencyKey: `top_up:${topUp.id}`,
    ...describeCharge(payer, config.origins.portal + portalPages.tripCards),
  });
}

/**
 * Finds the intent of a top-up by saved card whose response was lost: the card may have been charged. Does not create
 * one, because the customer may have left.
 * @throws {ApiError} payment_unavailable
 */
export async function findLostIntent(context: Context, topUp: TopUpRow): Promise<ProviderIntent | null> {
  const holder = topUp.byCustomerId === null ? null : await findHolder(context.db, topUp.byCustomerId);
  if (holder === null) return null;
  const since = new Date(topUp.insertedAt.getTime() - CLOCK_TOLERANCE_MS);
  return context.provider.findCustomerIntent(holder.providerReference, {
    since,
    key: topUpSubject.idKey,
    value: topUp.id,
  });
}

/** If the owner is present, the bank's question is shown over the page they are on. */
function describeCharge(payer: Payer, returnUrl: string): Partial<IntentInput> {
  if (payer.kind === 'new') return { customerId: payer.saveFor, savesCard: payer.saveFor !== null };
  const { providerCustomerId, providerReference } = payer.card;
  const charge = { cardId: providerReference, returnUrl: payer.isPresent ? returnUrl : null };
  return { customerId: providerCustomerId, charge };
}

/**
 * A card's top-ups, newest first, paged by their numbers as its entries are.
 * @throws {ApiError} not_found
 */
export async function listTopUps(
  { db }: Pick<Context, 'db'>,
  { beforeSeq, list, language, ...input }: HistoryRequest,
): Promise<{ topUps: TopUpList; meta: PageMeta }> {
  const { cardId } = input;
  await requireHeldCard(db, input, 'view_history');
  const [last] = await db
    .select({ seq: max(topUps.seq) })
    .from(topUps)
    .where(eq(topUps.tripCardId, cardId));
  const total = last?.seq ?? 0;
  const rows = await db
    .select()
    .from(topUps)
    .where(and(eq(topUps.tripCardId, cardId), lt(topUps.seq, beforeSeq ?? firstBefore(total, list))))
    .orderBy(desc(topUps.seq))
    .limit(list.pageSize);
  return {
    topUps: { top_ups: rows.map((row) => presentTopUp(row, language)), next_before_seq: nextBefore(rows) },
    meta: pageMeta(list, total),
  };
}

/**
 * A top-up; while its end is unknown the provider is asked.
 * @throws {ApiError} not_found
 */
export async function readTopUp(
  context: Context,
  { customerId, cardId, topUpId, language }: CardRequest & { topUpId: string; language: string },
): Promise<TopUp> {
  const { role } = await requireHeldCard(context.db, { customerId, cardId }, 'see');
  const topUp = await requireTopUp(context.db, topUpId);
  const maySee = isTripCardActionAllowed(role, 'view_history') || topUp.byCustomerId === customerId;
  if (topUp.tripCardId !== cardId || !maySee) throw notFound();
  return presentTopUp(await refreshTopUp(context, topUp), language);
}

/** The top-up, after the provider was asked if its end is unknown. */
export async function refreshTopUp(context: Context, topUp: TopUpRow): Promise<TopUpRow> {
  const isRefreshed = await refreshPayment(context, { subject: topUpSubject, payment: topUp });
  return isRefreshed ? requireTopUp(context.db, topUp.id) : topUp;
}

/** @throws {ApiError} not_found */
export async function requireTopUp(db: Database, topUpId: string): Promise<TopUpRow> {
  const [topUp] = await db.select().from(topUps).where(eq(topUps.id, topUpId));
  if (!topUp) throw notFound();
  return topUp;
}
