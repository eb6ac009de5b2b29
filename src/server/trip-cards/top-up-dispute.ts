import { and, eq, like, ne } from 'drizzle-orm';
import { formatMoney } from '#domain/money.ts';
import { findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { autoTopUps, topUps, tripCardDebts, tripCardEntries } from '../database/schema/trip-cards.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import type { ProviderDispute } from '../payments/provider/payment-provider.ts';
import { fromProviderMoney } from '../payments/provider/provider-amounts.ts';
import { postEntry } from './post-entry.ts';
import { availableOn, lockLiveCard, type TopUpRow } from './queries.ts';

/**
 * Takes the value off the card while the bank holds the money, and puts it back when the dispute is won. What was
 * spent already is owed, and paid by later top-ups. Repeating it has no further effect.
 * @param tx a transaction; it locks the top-up, then the card
 * @returns false if no top-up was paid with it
 */
export async function applyTopUpDispute(
  tx: Database,
  deps: Deps,
  dispute: ProviderDispute,
): Promise<boolean> {
  const [topUp] = await tx
    .select()
    .from(topUps)
    .where(eq(topUps.providerReference, dispute.intentId))
    .for('no key update');
  if (!topUp) return false;
  const isTakenBack = dispute.status === 'open' || dispute.status === 'lost';
  if (isTakenBack && topUp.status === 'succeeded') await takeOff(tx, deps, topUp, dispute);
  else if (!isTakenBack && isTakenFor(topUp, dispute)) await putBack(tx, deps, topUp, dispute);
  else {
    const facts = { top_up_id: topUp.id, status: topUp.status, dispute_status: dispute.status };
    deps.log.warn('top-up disputed, nothing to do', facts);
  }
  return true;
}

/** The end of one dispute does not return what another took. */
function isTakenFor({ status, disputeId }: TopUpRow, { id }: ProviderDispute): boolean {
  return status === 'disputed' && (disputeId === null || disputeId === id);
}

async function takeOff(tx: Database, deps: Deps, topUp: TopUpRow, dispute: ProviderDispute): Promise<void> {
  const now = deps.clock.now();
  const card = await lockLiveCard(tx, topUp.tripCardId);
  // Otherwise the payment card would be charged again for what its holder disputes.
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
  const amount = Math.min(fromProviderMoney(dispute.money).amount, topUp.amount);
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

/** Returns all that was taken for it, at once and from later top-ups. */
async function putBack(tx: Database, deps: Deps, topUp: TopUpRow, dispute: ProviderDispute): Promise<void> {
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

/** What disputes took from the card at once, and what they returned, so far. */
async function listMoves(tx: Database, { id }: TopUpRow): Promise<{ amount: number }[]> {
  return tx
    .select({ amount: tripCardEntries.amount })
    .from(tripCardEntries)
    .where(and(eq(tripCardEntries.topUpId, id), like(tripCardEntries.idempotencyKey, 'dispute:%')));
}

/** A dispute may take, return and take again: each is a separate ledger entry. */
function keyAfter(moves: readonly unknown[], { id }: ProviderDispute): string {
  return `dispute:${id}:${moves.length}`;
}
