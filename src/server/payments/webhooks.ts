import type Stripe from 'stripe';
import { type AfterCommit, nothingAfterCommit, runAfterCommit } from '../card-provider/after-commit.ts';
import { intentOf } from '../card-provider/intent-of.ts';
import type { Database } from '../database/database.ts';
import { providerEvents } from '../database/schema/sales.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { isBoardingCodeTaken } from '../orders/confirm-order.ts';
import { applyCardNews, followCardNews, readCardNews } from '../payment-cards/card-news.ts';
import { isReceiptNumberTaken } from '../trip-cards/apply-top-up.ts';
import { applyIntent } from './any-intent.ts';
import { followDispute } from './disputes.ts';
import { checkEvent } from './event-shape.ts';
import { findPayingCard, type PayingCard } from './paying-card.ts';
import { applyRefund, findOpenRefunds } from './refunds.ts';

/** How far the provider's clock and ours may differ, either way; an older message may be a replay. */
const TOLERANCE_SECONDS = 300;

/**
 * Reads a message and makes sure that the provider sent these very bytes, now, and that they are an event.
 * @throws {ApiError} webhook_rejected, malformed_request
 */
export async function readEvent(
  deps: Pick<Deps, 'stripe' | 'provider' | 'clock' | 'log'>,
  body: string,
  signature: string | undefined,
): Promise<Stripe.Event> {
  const message = await openSigned(deps, body, signature);
  try {
    return checkEvent(message);
  } catch (error) {
    deps.log.error('signed message is no event of the provider');
    throw error;
  }
}

async function openSigned(
  deps: Pick<Deps, 'stripe' | 'provider' | 'clock'>,
  body: string,
  signature: string | undefined,
): Promise<unknown> {
  const now = deps.clock.now().getTime();
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature ?? '')?.[1]);
  if (!signature || !(signedAt * 1000 <= now + TOLERANCE_SECONDS * 1000)) {
    throw new ApiError('webhook_rejected');
  }
  try {
    return await deps.stripe.webhooks.constructEventAsync(
      body,
      signature,
      deps.provider.webhookSecret,
      TOLERANCE_SECONDS,
      undefined,
      now,
    );
  } catch {
    throw new ApiError('webhook_rejected');
  }
}

/**
 * Works an event through: remembered and acted on in one transaction, so that it counts once however often
 * and in whatever order it arrives. Returns when that is committed; a failure makes the provider send again.
 */
export async function applyEvent(deps: Deps, event: Stripe.Event): Promise<void> {
  if (event.livemode === deps.provider.isTest) {
    deps.log.error('event of the other mode ignored', { event_id: event.id, livemode: event.livemode });
    return;
  }
  const cardNews = await readCardNews(deps, event);
  const payingCard =
    event.type === 'payment_intent.succeeded' ? await findPayingCard(deps, event.data.object) : null;
  const after = await inTransaction(
    deps.db,
    async (tx) => {
      const [isNew] = await tx
        .insert(providerEvents)
        .values({ id: event.id, type: event.type, receivedAt: deps.clock.now() })
        .onConflictDoNothing()
        .returning({ id: providerEvents.id });
      if (!isNew) return null;
      return {
        payments: await applyNews(tx, deps, event, payingCard),
        cards: cardNews && (await applyCardNews(tx, deps, cardNews)),
      };
    },
    isWorthRepeating,
  );
  if (after) await runAfterCommit(deps, after.payments);
  if (after?.cards) await followCardNews(deps, after.cards);
  // Of one that was remembered before too: the process may have died here.
  await followDispute(deps, event);
}

async function applyNews(
  tx: Database,
  deps: Deps,
  event: Stripe.Event,
  payingCard: PayingCard | null,
): Promise<AfterCommit> {
  const nothing = nothingAfterCommit();
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
    case 'payment_intent.canceled':
      return applyIntent(tx, deps, event.data.object, payingCard);
    case 'refund.updated':
    case 'refund.failed':
      await applyRefund(tx, deps, event.data.object);
      return nothing;
    case 'charge.refunded':
      return { ...nothing, refunds: await findOpenRefunds(tx, intentOf(event.data.object)) };
    default:
      return nothing;
  }
}

/** Somebody else took the number, or kept the same card, in the same moment. */
function isWorthRepeating(error: unknown): boolean {
  const isCardTaken = (violatedUniqueConstraint(error) ?? '').startsWith('payment_cards_');
  return isCardTaken || isBoardingCodeTaken(error) || isReceiptNumberTaken(error);
}
