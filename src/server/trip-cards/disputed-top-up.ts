import { and, eq, like, ne } from 'drizzle-orm';
import type Stripe from 'stripe';
import { formatMoney } from '#domain/money.ts';
import { fromProviderMoney } from '../card-provider/provider-amounts.ts';
import { findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps, topUps, tripCardDebts, tripCardEntries } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import type { TopUpRow } from './apply-top-up.ts';
import { postEntry } from './post-entry.ts';
import { availableOn, lockLiveCard } from './queries.ts';

/** While a dispute is so, the bank has taken the money back; an inquiry takes nothing yet. */
const TAKEN_BACK: readonly Stripe.Dispute['status'][] = ['needs_response', 'under_review', 'lost'];

/**
 * Follows a dispute of a top-up: the value comes off the card as the money goes, and is back when the dispute is won.
 * What is spent already is owed, and paid by value that comes later. Each happens once, whatever is told how often.
 * @param tx a transaction; it locks the top-up, then the card
 * @returns false when the payment is of no top-up
 */
export async function applyTopUpDispute(
  tx: Database,
  deps: Deps,
  intent: string,
  dispute: Stripe.Dispute,
): Promise<boolean> {
  const [topUp] = await tx
    .select()
    .from(topUps)
    .where(eq(topUps.providerReference, intent))
    // Entries of it may be written meanwhile by who has the card, for whom this waits.
    .for('no key update');
  if (!topUp) return false;
  const isTakenBack = TAKEN_BACK.includes(dispute.status);
  if (isTakenBack && topUp.status === 'succeeded') await takeOff(tx, deps, topUp, dispute);
  else if (!isTakenBack && isTakenFor(topUp, dispute)) await giveBack(tx, deps, topUp, dispute);
  else {
    const facts = { top_up_id: topUp.id, status: topUp.status, dispute_status: dispute.status };
    deps.log.warn('top-up disputed, nothing to do', facts);
  }
  return true;
}

/** What one dispute took, the end of another does not bring back. */
function isTakenFor({ status, disputeId }: TopUpRow, { id }: Stripe.Dispute): boolean {
  return status === 'disputed' && (disputeId === null || disputeId === id);
}

async function takeOff(tx: Database, deps: Deps, topUp: TopUpRow, dispute: Stripe.Dispute): Promise<void> {
  const now = deps.clock.now();
  const card = await lockLiveCard(tx, topUp.tripCardId);
  // Or the payment card would be charged once more for what its holder does not want to have paid.
  await tx
    .update(autoTopUps)
    .set({ state: 'paused', tryAt: null, updatedAt: now })
    .where(
      and(
        eq(autoTopUps.tripCardId, card.id),
        eq(autoTopUps.customerId, topUp.byCustomerId),
        ne(autoTopUps.state, 'needs_card'),
      ),
    );
  const amount = Math.min(fromProviderMoney(dispute).amount, topUp.amount);
  const taken = Math.min(availableOn(card), amount);
  const owed = amount - taken;
  if (taken > 0) {
    await postEntry(tx, deps, card.id, {
      kind: 'adjustment',
      amount: -taken,
      topUpId: topUp.id,
      description: 'Top-up disputed with the bank',
      idempotencyKey: keyAfter(await listMoves(tx, topUp), dispute),
      actor: 'system',
    });
  }
  if (owed > 0) {
    await tx.insert(tripCardDebts).values({
      id: newId('dbt'),
      topUpId: topUp.id,
      tripCardId: card.id,
      reason: 'disputed',
      amount: owed,
      insertedAt: now,
      updatedAt: now,
    });
  }
  await tx
    .update(topUps)
    .set({ status: 'disputed', disputeId: dispute.id, updatedAt: now })
    .where(eq(topUps.id, topUp.id));
  deps.log.error('top-up disputed', {
    top_up_id: topUp.id,
    trip_card_id: card.id,
    dispute_status: dispute.status,
    taken,
    owed,
  });
  const owner = await findCustomer(tx, card.customerId);
  if (!owner) return;
  const money = (value: number) => formatMoney(value, topUp.currency);
  await queueAccountMail(tx, deps, {
    to: owner.email,
    kind: 'trip-card-disputed',
    facts: {
      name: card.name,
      lastFour: card.number.slice(-4),
      amount: money(amount),
      taken: money(taken),
      owed: owed > 0 ? money(owed) : null,
    },
  });
}

/** All that was taken for it, at once and from value that came later. */
async function giveBack(tx: Database, deps: Deps, topUp: TopUpRow, dispute: Stripe.Dispute): Promise<void> {
  const card = await lockLiveCard(tx, topUp.tripCardId);
  const moved = await listMoves(tx, topUp);
  const [debt] = await tx
    .delete(tripCardDebts)
    .where(eq(tripCardDebts.topUpId, topUp.id))
    .returning({ settled: tripCardDebts.settled });
  const amount = moved.reduce((sum, move) => sum - move.amount, debt?.settled ?? 0);
  if (amount > 0) {
    await postEntry(tx, deps, card.id, {
      kind: 'adjustment',
      amount,
      topUpId: topUp.id,
      description: 'Top-up no longer disputed',
      idempotencyKey: keyAfter(moved, dispute),
      actor: 'system',
    });
  }
  await tx
    .update(topUps)
    .set({ status: 'succeeded', disputeId: null, updatedAt: deps.clock.now() })
    .where(eq(topUps.id, topUp.id));
  deps.log.warn('top-up no longer disputed', { top_up_id: topUp.id, trip_card_id: card.id, amount });
}

/** What disputes took of the card at once, and what they gave back, so far. */
async function listMoves(tx: Database, { id }: TopUpRow): Promise<{ amount: number }[]> {
  return tx
    .select({ amount: tripCardEntries.amount })
    .from(tripCardEntries)
    .where(and(eq(tripCardEntries.topUpId, id), like(tripCardEntries.idempotencyKey, 'dispute:%')));
}

/** A dispute may take, give back and take again: each is an entry of its own, under the top-up's lock. */
function keyAfter(moves: readonly unknown[], { id }: Stripe.Dispute): string {
  return `dispute:${id}:${moves.length}`;
}
