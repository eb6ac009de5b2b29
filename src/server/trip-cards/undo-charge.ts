import { and, eq } from 'drizzle-orm';
import { FARE_UNDO_MS } from '#contract/gate/limits.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { gateCharges, tripCardDebts } from '../database/schema/trip-cards.ts';
import { findEntry, postEntry } from './post-entry.ts';
import { lockLiveCard } from './queries.ts';

/** What a device took back, when and which. */
type Undo = { device: string; occurredAt: Date };
type Undone = { deviceId: string; deviceSeq: number; undo: Undo; actor: AuditActor };

/** Whether a charge may be undone so: by the device that took it, and as soon after it as at the gate. */
export function isUndoneInTime(
  charge: Pick<typeof gateCharges.$inferSelect, 'place' | 'occurredAt'>,
  { device, occurredAt }: Undo,
): boolean {
  return device === charge.place && occurredAt.getTime() - charge.occurredAt.getTime() <= FARE_UNDO_MS;
}

/**
 * Takes back a gate's charge, once: the card gets what it paid, also later as a debt, and owes nothing more for it. Does
 * nothing without such a charge, and for an undo that is not in time.
 */
export async function undoCharge(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  { deviceId, deviceSeq, undo, actor }: Undone,
): Promise<void> {
  const [charge] = await tx
    .select()
    .from(gateCharges)
    .where(and(eq(gateCharges.deviceId, deviceId), eq(gateCharges.deviceSeq, deviceSeq)));
  const idempotencyKey = `gate-undo:${deviceId}:${deviceSeq}`;
  if (!charge || !isUndoneInTime(charge, undo) || (await findEntry(tx, idempotencyKey))) return;
  const card = charge.tripCardId === null ? null : await lockLiveCard(tx, charge.tripCardId);
  const isOfCharge = and(eq(tripCardDebts.deviceId, deviceId), eq(tripCardDebts.deviceSeq, deviceSeq));
  const [debt] = await tx.select().from(tripCardDebts).where(isOfCharge);
  const settled = debt?.settled ?? 0;
  if (settled === 0) await tx.delete(tripCardDebts).where(isOfCharge);
  else await tx.update(tripCardDebts).set({ amount: settled }).where(isOfCharge);
  const entry = await findEntry(tx, `gate:${deviceId}:${deviceSeq}`);
  const amount = settled - (entry?.amount ?? 0);
  if (amount === 0 || card === null) return;
  const { balanceAfter } = await postEntry(tx, context, {
    ...{ tripCardId: card.id, kind: 'refund_in', amount, cause: { code: 'gate_undone' }, idempotencyKey },
    ...{ place: charge.place, actor: 'device' },
  });
  await recordAudit(tx, context, {
    ...{ actor, action: 'trip_card_charge_undone', objectKind: 'trip_card', objectId: card.id },
    ...{ before: { balance: card.balance, charge: `${deviceId} ${deviceSeq}` }, reason: null },
    after: { balance: balanceAfter, charge: null },
  });
}
