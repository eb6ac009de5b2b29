import { eq, sql } from 'drizzle-orm';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { findEndAfterPurchase, findEndAfterUse, getLastDay } from '#domain/passes/validity.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { queueCardMail } from './card-mails.ts';
import { postEntry } from './post-entry.ts';
import { lockCard, type TopUpRow, type TripCardRow } from './queries.ts';

type PaidPass = { card: TripCardRow; topUp: TopUpRow; pass: PassTerms; receiptNumber: string };

/**
 * Adds the trips of a paid purchase to a pass, extends it, and mails the receipt. The caller has locked the card.
 * @returns whether there is a mail
 */
export async function addTrips(
  tx: Database,
  context: Context,
  { card, topUp, pass, receiptNumber }: PaidPass,
): Promise<boolean> {
  const { timeZone: zone } = await getOperator(tx);
  const before = card.expiresAt?.getTime() ?? null;
  const end = findEndAfterPurchase(pass, { before, now: context.clock.now().getTime(), zone });
  // Before the entry: the trips of a debt are paid by a pass that is valid.
  await tx
    .update(tripCards)
    .set({ pass, expiresAt: end === null ? null : new Date(end), noticeDays: null })
    .where(eq(tripCards.id, card.id));
  await postEntry(tx, context, {
    tripCardId: card.id,
    kind: 'top_up',
    amount: pass.trips,
    topUpId: topUp.id,
    cause: { code: card.entryCount === 0 ? 'pass_bought' : 'pass_renewed' },
    idempotencyKey: `top_up:${topUp.id}`,
    actor: topUp.saleId === null ? 'customer' : 'staff',
    byCustomerId: topUp.byCustomerId,
  });
  const { balance } = await lockCard(tx, card.id);
  const mail = await queueCardMail(tx, context, {
    card,
    customerId: topUp.byCustomerId,
    kind: 'trip-card-pass-bought',
    data: {
      trips: balance,
      validUntil: end === null ? null : getLastDay(end, zone),
      paid: topUp.amount,
      receiptNumber,
    },
  });
  return mail !== null;
}

/** Begins the validity of a pass that counts from its first use. Does nothing for other cards. */
export async function beginValidity(
  tx: Database,
  { pass, expiresAt, id }: TripCardRow,
  usedAt: Date,
): Promise<void> {
  if (pass?.valid_from !== 'first_use' || expiresAt !== null) return;
  const { timeZone: zone } = await getOperator(tx);
  const end = findEndAfterUse(pass, { before: null, now: usedAt.getTime(), zone });
  if (end === null) return;
  await tx
    .update(tripCards)
    .set({ expiresAt: new Date(end), version: sql`${tripCards.version} + 1` })
    .where(eq(tripCards.id, id));
}
