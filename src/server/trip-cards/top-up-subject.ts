import { randomInt } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { formatMoney } from '#domain/money.ts';
import { createReference } from '#domain/reference.ts';
import { findCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { queueAccountMail } from '../mail/account-mails.ts';
import type { AfterCommit } from '../payments/after-commit.ts';
import { MAX_DECLINES } from '../payments/payment-status.ts';
import type { ProviderIntent } from '../payments/provider/payment-provider.ts';
import type { LockedPayment, PaymentSubject } from '../payments/subjects.ts';
import { noteDeclined, noteToppedUp } from './auto-top-up.ts';
import { postEntry } from './post-entry.ts';
import { lockCard, lockLiveCard, type TopUpRow } from './queries.ts';
import { applyTopUpDispute } from './top-up-dispute.ts';

/** Top-ups of trip cards. The value is on the card in the transaction that learns of the success. */
export const topUpSubject: PaymentSubject = {
  name: 'top-up',
  idKey: 'top_up_id',
  canOthersPay: false,
  notesCard: false,
  lock: lockTopUp,
  isWorthRepeating: isReceiptNumberTaken,
  applyDispute: applyTopUpDispute,
};

function isReceiptNumberTaken(error: unknown): boolean {
  return violatedUniqueConstraint(error)?.includes('receipt_number') ?? false;
}

/** Also finds the top-up by our id in the metadata: the event may come before the reference was stored. */
async function lockTopUp(tx: Database, deps: Deps, intent: ProviderIntent): Promise<LockedPayment | null> {
  const [topUp] = await tx
    .select()
    .from(topUps)
    .where(
      sql`${topUps.providerReference} = ${intent.id}
        or (${topUps.providerReference} is null and ${topUps.id} = ${intent.metadata.top_up_id ?? ''})`,
    )
    .for('no key update');
  if (!topUp) return null;
  const receiptNumber = createReference((below) => randomInt(below));
  return {
    payment: topUp,
    isNamedIn: (metadata) => metadata.top_up_id === topUp.id && metadata.trip_card_id === topUp.tripCardId,
    async write(change) {
      const now = deps.clock.now();
      const receipt = change.status === 'succeeded' ? { receiptNumber, completedAt: now } : {};
      await tx
        .update(topUps)
        .set({ ...change, ...receipt, updatedAt: now })
        .where(eq(topUps.id, topUp.id));
    },
    // A saved card is charged once; in the form another card can be tried, a few times.
    isBlocked: async (newDecline) =>
      newDecline !== null &&
      (topUp.paymentCardId !== null || topUp.declinedCharges.length + 1 >= MAX_DECLINES),
    applySuccess: (after) => applySuccess(tx, deps, { ...topUp, receiptNumber }, after),
    async applyUnpaid({ status, decline }) {
      if (status !== 'failed' || decline === null || topUp.trigger !== 'auto') return;
      await noteDeclined(tx, deps, await lockLiveCard(tx, topUp.tripCardId), decline.code);
    },
  };
}

async function applySuccess(
  tx: Database,
  deps: Deps,
  topUp: TopUpRow & { receiptNumber: string },
  after: AfterCommit,
): Promise<void> {
  const card = await lockLiveCard(tx, topUp.tripCardId);
  await noteToppedUp(tx, deps, card.id);
  const isAutomatic = topUp.trigger === 'auto';
  await postEntry(tx, deps, card.id, {
    kind: 'top_up',
    amount: topUp.amount,
    topUpId: topUp.id,
    description: isAutomatic ? 'Automatic top-up' : 'Top-up',
    idempotencyKey: `top_up:${topUp.id}`,
    actor: isAutomatic ? 'system' : 'customer',
    byCustomerId: topUp.byCustomerId,
  });
  const buyer = await findCustomer(tx, topUp.byCustomerId);
  if (!buyer) return;
  const { balance } = await lockCard(tx, card.id);
  await queueAccountMail(tx, deps, {
    to: buyer.email,
    kind: 'trip-card-topped-up',
    facts: {
      name: card.name,
      lastFour: card.number.slice(-4),
      amount: formatMoney(topUp.amount, topUp.currency),
      balance: formatMoney(balance, topUp.currency),
      receiptNumber: topUp.receiptNumber,
    },
  });
  after.hasMail = true;
}
