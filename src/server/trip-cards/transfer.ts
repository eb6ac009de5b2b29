import { eq } from 'drizzle-orm';
import { type TripCardTransfer, TripCardTransferSchema } from '#contract/trip-cards/schemas.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { present } from '../core/present.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { tripCardTransfers } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { postEntry } from './post-entry.ts';
import { lockCard, requireActive, type TripCardRow } from './queries.ts';

type TransferRow = typeof tripCardTransfers.$inferSelect;
type CardEnd = Pick<TripCardRow, 'id' | 'number' | 'currency'>;
type TransferRequest = Record<'customerId' | 'fromId' | 'toId' | 'key', string> & { amount: number };

/**
 * Moves value between two cards of one customer: both entries or none, once per key.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, insufficient_balance, invalid_input for
 * the same card, another currency and passes, whose trips are bound to the conditions of their purchase
 */
export async function transfer(context: Context, input: TransferRequest): Promise<TripCardTransfer> {
  const { customerId, fromId, toId, amount, key } = input;
  if (fromId === toId) throw new ApiError('invalid_input', { field: 'to_card_id' });
  return inTransaction(context.db, async (tx) => {
    const locked = new Map<string, TripCardRow>();
    // Always in the same order, so that opposite transfers do not deadlock.
    for (const id of [fromId, toId].toSorted()) locked.set(id, await lockCard(tx, id));
    const from = locked.get(fromId);
    const to = locked.get(toId);
    if (from?.customerId !== customerId || to?.customerId !== customerId) throw notFound();
    const [earlier] = await tx
      .select()
      .from(tripCardTransfers)
      .where(eq(tripCardTransfers.idempotencyKey, key));
    if (earlier) return presentTransfer(earlier);
    requireActive(from);
    requireActive(to);
    const isPass = from.unit === 'trips' || to.unit === 'trips';
    if (isPass || from.currency !== to.currency) throw new ApiError('invalid_input', { field: 'to_card_id' });
    return presentTransfer(await moveValue(tx, context, { from, to, amount, key, byCustomerId: customerId }));
  });
}

/** Writes the transfer and its two entries. The caller has locked both cards. */
export async function moveValue(
  tx: Database,
  context: Context,
  input: { from: CardEnd; to: CardEnd; amount: number; key: string; byCustomerId: string | null },
): Promise<TransferRow> {
  const { from, to, amount, key, byCustomerId } = input;
  const transfer = {
    id: newId('trf'),
    fromCardId: from.id,
    toCardId: to.id,
    amount,
    currency: from.currency,
    idempotencyKey: key,
    insertedAt: context.clock.now(),
  };
  const moved = writtenRow(await tx.insert(tripCardTransfers).values(transfer).returning());
  const actor = byCustomerId === null ? 'staff' : 'customer';
  const common = { transferId: moved.id, actor, byCustomerId } as const;
  await postEntry(tx, context, {
    tripCardId: from.id,
    ...common,
    kind: 'transfer_out',
    amount: -amount,
    cause: { code: 'transfer_to', digits: to.number.slice(-4) },
    idempotencyKey: `transfer:${moved.id}:out`,
  });
  await postEntry(tx, context, {
    tripCardId: to.id,
    ...common,
    kind: 'transfer_in',
    amount,
    cause: { code: 'transfer_from', digits: from.number.slice(-4) },
    idempotencyKey: `transfer:${moved.id}:in`,
  });
  return moved;
}

function presentTransfer(row: TransferRow): TripCardTransfer {
  return present(TripCardTransferSchema, row);
}
