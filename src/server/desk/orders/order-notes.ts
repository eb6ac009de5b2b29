import { desc, eq } from 'drizzle-orm';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { orderNotes } from '#server/database/schema/desk.ts';
import { staffMembers } from '#server/database/schema/staff.ts';
import { inTransaction } from '#server/database/transactions.ts';

/** Writes a note about an order for other staff. The log has that it was written, and not its text. */
export async function addOrderNote(
  context: Pick<Context, 'db' | 'clock'>,
  { orderId, text, actor }: { orderId: string; text: string; actor: StaffActor },
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const insertedAt = context.clock.now();
    await tx
      .insert(orderNotes)
      .values({ id: newId('ntc'), orderId, text, staffId: actor.staffId, insertedAt });
    await recordAudit(tx, context, {
      ...{ actor, action: 'order_noted', objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: {} },
    });
  });
}

/** The latest first. */
export async function listOrderNotes(db: Database, orderId: string): Promise<StaffOrder['notes']> {
  const rows = await db
    .select({ note: orderNotes, staffName: staffMembers.name })
    .from(orderNotes)
    .leftJoin(staffMembers, eq(staffMembers.id, orderNotes.staffId))
    .where(eq(orderNotes.orderId, orderId))
    .orderBy(desc(orderNotes.insertedAt), desc(orderNotes.id));
  return rows.map(({ note: { id, text, insertedAt }, staffName }) => ({
    ...{ id, text },
    ...{ at: insertedAt.toISOString(), staff_name: staffName },
  }));
}
