import { and, eq, ne } from 'drizzle-orm';
import type { ShareTripCard } from '#contract/trip-cards/schemas.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { tripCardShares } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { DAY_SECONDS, isWithinLimit, rateLimit } from '../http/rate-limit.ts';
import { normalizeEmail, requireCustomer } from '../identity/customers.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import {
  type CardRequest,
  listShares,
  lockCard,
  lockOwnCard,
  requireNotLost,
  type ShareRow,
} from './queries.ts';

const MAX_SHARES = 10;
/** Each may send a mail. */
const SHARINGS = { name: 'trip-card-share', limit: 20, windowSeconds: DAY_SECONDS };
/** Per recipient, over all senders. Beyond it the card is shared without a mail. */
const MAILS = { name: 'trip-card-share-mailbox', limit: 3, windowSeconds: DAY_SECONDS };

/**
 * Shares a card with an e-mail address, or changes the share. The answer does not reveal whether the address has an
 * account; if it has, the card is listed there.
 * @throws {ApiError} not_found, trip_card_lost, too_many_shares, rate_limited, invalid_input for the owner's address
 */
export async function shareCard(context: Context, input: CardRequest & ShareTripCard): Promise<ShareRow> {
  const { customerId, cardId, role, daily_limit: dailyLimit = null } = input;
  const email = normalizeEmail(input.email);
  const owner = await requireCustomer(context.db, customerId);
  if (normalizeEmail(owner.email) === email) throw new ApiError('invalid_input', { field: 'email' });
  await rateLimit(context, { ...SHARINGS, who: customerId });
  const isNotifiable = await isWithinLimit(context, { ...MAILS, who: email });
  const { share, mailId } = await inTransaction(context.db, async (tx) => {
    const card = await lockOwnCard(tx, input);
    requireNotLost(card);
    const shares = await listShares(tx, [cardId]);
    const existing = shares.find((each) => each.email === email);
    const now = context.clock.now();
    if (existing)
      return { share: await changeShare(tx, existing, { role, dailyLimit, updatedAt: now }), mailId: null };
    if (shares.length >= MAX_SHARES) throw new ApiError('too_many_shares');
    const added = await tx
      .insert(tripCardShares)
      .values({
        id: newId('shr'),
        tripCardId: cardId,
        email,
        role,
        dailyLimit,
        status: 'invited',
        insertedAt: now,
        updatedAt: now,
      })
      .returning();
    const mail = { to: email, language: owner.language, kind: 'trip-card-shared', data: {} } as const;
    return {
      share: writtenRow(added),
      mailId: isNotifiable ? await queueAccountMail(tx, context, mail) : null,
    };
  });
  if (mailId) sendSoon(context.jobs, mailId);
  return share;
}

/**
 * Ends a share at once. Both the owner and the person the card is shared with may do it.
 * @throws {ApiError} not_found
 */
export async function revokeShare(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { customerId, cardId, shareId }: CardRequest & { shareId: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const card = await lockCard(tx, cardId);
    const share = (await listShares(tx, [cardId])).find((each) => each.id === shareId);
    if (!share || (card.customerId !== customerId && share.customerId !== customerId)) throw notFound();
    await tx
      .update(tripCardShares)
      .set({ status: 'revoked', updatedAt: clock.now() })
      .where(eq(tripCardShares.id, shareId));
  });
}

/** Accepts pending shares with the account's address, when its cards or what they can pay are listed. */
export async function acceptShares(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<void> {
  const { email } = await requireCustomer(db, customerId);
  const isWaiting = and(
    eq(tripCardShares.email, normalizeEmail(email)),
    eq(tripCardShares.status, 'invited'),
  );
  if ((await db.$count(tripCardShares, isWaiting)) === 0) return;
  await inTransaction(db, async (tx) => {
    const now = clock.now();
    const accepted = await tx
      .update(tripCardShares)
      .set({ customerId, status: 'active', updatedAt: now })
      .where(isWaiting)
      .returning({ id: tripCardShares.id, cardId: tripCardShares.tripCardId });
    // Already shared with an earlier address of the customer: the latest share applies.
    for (const { id, cardId } of accepted) {
      await tx
        .update(tripCardShares)
        .set({ status: 'revoked', updatedAt: now })
        .where(
          and(
            eq(tripCardShares.tripCardId, cardId),
            eq(tripCardShares.customerId, customerId),
            eq(tripCardShares.status, 'active'),
            ne(tripCardShares.id, id),
          ),
        );
    }
  });
}

async function changeShare(
  tx: Database,
  { id }: ShareRow,
  change: Pick<ShareRow, 'role' | 'dailyLimit' | 'updatedAt'>,
): Promise<ShareRow> {
  const [changed] = await tx
    .update(tripCardShares)
    .set(change)
    .where(and(eq(tripCardShares.id, id), ne(tripCardShares.status, 'revoked')))
    .returning();
  if (!changed) throw notFound();
  return changed;
}
