import { and, eq, isNull } from 'drizzle-orm';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { gateCharges } from '#server/database/schema/trip-cards.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { notFound } from '#server/http/api-error.ts';

/** `id`: of the gate's event. `note`: what was found out and done. */
type FareCase = { id: string; note: string; actor: AuditActor };

/**
 * Takes a fare off the list of what needs a person, once. What its card owes stays owed: later credits pay it.
 * @throws {ApiError} not_found, also if it is closed
 */
export function closeFare(
  context: Pick<Context, 'db' | 'clock'>,
  { id, note, actor }: FareCase,
): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const [fare] = await tx
      .update(gateCharges)
      .set({ closedAt: context.clock.now() })
      .where(and(eq(gateCharges.deviceId, id), eq(gateCharges.deviceSeq, 1), isNull(gateCharges.closedAt)))
      .returning({ tripCardId: gateCharges.tripCardId, amount: gateCharges.amount });
    if (!fare) throw notFound();
    await recordAudit(tx, context, {
      ...{ actor, action: 'fare_closed', objectKind: 'trip_card', objectId: fare.tripCardId ?? id },
      ...{ before: {}, after: { amount: fare.amount }, reason: note },
    });
  });
}
