import { and, eq } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { holds } from '../database/schema/holds.ts';
import { orderChanges, orders } from '../database/schema/sales.ts';
import type { TravelDocument, TravelLeg } from '../documents/travel-document.ts';
import { listLegs, readSailings } from '../documents/travel-legs.ts';
import type { Mail } from './outbox.ts';

/** A change of an order that waits for payment, or has ended without it. `legs`: of the new boats, while it waits. */
export type UnpaidChange = { difference: number; legs: TravelLeg[]; isExpired: boolean };

/** What the buyer pays by a mailed link. `payUntil`: null once the places are not held any more. */
export type Payable = { payUntil: Date | null; change: UnpaidChange | null };

const NOTHING: Payable = { payUntil: null, change: null };

/** What a mail asks its reader to pay, or says that has ended. */
export async function readPayable(
  db: Database,
  { kind, orderId, changeId }: Mail,
  document: TravelDocument | null,
): Promise<Payable> {
  const isAboutChange = kind === 'order-change-link' || kind === 'order-change-ended';
  if (!document || (kind !== 'order-payment-link' && !isAboutChange)) return NOTHING;
  const [row] = await db
    .select({ change: orderChanges, hold: holds })
    .from(orders)
    .leftJoin(orderChanges, and(eq(orderChanges.orderId, orders.id), eq(orderChanges.id, changeId ?? '')))
    .innerJoin(holds, isAboutChange ? eq(holds.id, orderChanges.holdId) : eq(holds.id, orders.holdId))
    .where(eq(orders.id, orderId ?? ''));
  if (!row) return NOTHING;
  const { change, hold } = row;
  return {
    payUntil: hold.status === 'active' ? hold.expiresAt : null,
    change: change && {
      difference: change.difference,
      legs: await readLegs(db, document, change),
      // The status of the change may have changed since.
      isExpired: hold.status === 'expired',
    },
  };
}

async function readLegs(
  db: Database,
  { order }: TravelDocument,
  { lines }: Pick<typeof orderChanges.$inferSelect, 'lines'>,
): Promise<TravelLeg[]> {
  const boats = await readSailings(
    db,
    lines.map(({ sailingId }) => sailingId),
  );
  return listLegs(order, lines, boats);
}
