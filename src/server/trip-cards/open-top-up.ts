import { eq, max } from 'drizzle-orm';
import { portalPages } from '#contract/paths.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { findHolder } from '../payment-cards/provider-customer.ts';
import type { SavedCard } from '../payment-cards/queries.ts';
import type { IntentInput, ProviderIntent } from '../payments/provider/payment-provider.ts';
import type { TopUpRow, TripCardRow } from './queries.ts';

/** `idempotencyKey` null: the caller makes sure that it is opened once. */
export type NewTopUp = Pick<
  TopUpRow,
  'byCustomerId' | 'amount' | 'trigger' | 'paymentCardId' | 'startedFrom'
> & { idempotencyKey: string | null };

/** Writes a top-up with the card's next number. The caller has locked the card. */
export async function insertTopUp(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  card: TripCardRow,
  { idempotencyKey, ...topUp }: NewTopUp,
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

/** Who pays: a saved card with its owner present or not, or a new card, to be saved for a customer or not. */
export type Payer =
  | { kind: 'saved'; card: SavedCard; isPresent: boolean }
  | { kind: 'new'; saveFor: string | null };

/**
 * The top-up's intent, created if there is none. A saved card is charged with it; the intent reports a decline.
 * @param device where it was requested, as the customer would call it
 * @throws {ApiError} payment_unavailable
 */
export async function topUpIntent(
  { provider, config }: Pick<Context, 'provider' | 'config'>,
  topUp: TopUpRow,
  payer: Payer,
  device: string,
): Promise<ProviderIntent> {
  if (topUp.providerReference !== null) return provider.fetchIntent(topUp.providerReference);
  return provider.createIntent({
    money: topUp,
    description: 'Trip card top-up',
    metadata: { top_up_id: topUp.id, trip_card_id: topUp.tripCardId, device },
    idempotencyKey: `top_up:${topUp.id}`,
    ...chargeOf(payer, config.origins.portal + portalPages.tripCards),
  });
}

/**
 * Finds the intent of a top-up by saved card whose response was lost: the card may have been charged. Does not create
 * one, because the customer may have left.
 * @throws {ApiError} payment_unavailable
 */
export async function findLostIntent(context: Context, topUp: TopUpRow): Promise<ProviderIntent | null> {
  const holder = await findHolder(context.db, topUp.byCustomerId);
  if (holder === null) return null;
  const since = new Date(topUp.insertedAt.getTime() - CLOCK_TOLERANCE_MS);
  return context.provider.findIntentOf(holder.providerReference, since, 'top_up_id', topUp.id);
}

const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** If the owner is present, the bank's question is shown over the page they are on. */
function chargeOf(payer: Payer, returnUrl: string): Partial<IntentInput> {
  if (payer.kind === 'new') return { customerId: payer.saveFor, savesCard: payer.saveFor !== null };
  const { providerCustomerId, providerReference } = payer.card;
  const charge = { cardId: providerReference, returnUrl: payer.isPresent ? returnUrl : null };
  return { customerId: providerCustomerId, charge };
}
