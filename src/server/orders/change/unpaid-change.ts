import { and, eq, gt, inArray } from 'drizzle-orm';
import type { UnpaidChange } from '#contract/orders/change/schemas.ts';
import type { Leg } from '#contract/orders/schemas.ts';
import { compareLegs } from '#domain/orders/legs.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { type OrderChangeRow, orderChanges } from '#server/database/schema/sales.ts';
import { findTimetable } from '#server/sailings/queries.ts';
import { presentLeg } from '../presenter.ts';
import type { OrderRecord } from '../queries.ts';
import { presentChange } from './abandon-change.ts';
import { OPEN_CHANGE } from './end-change.ts';

/** A change that staff made for the buyer, who has to pay its difference until then. */
export type ChangeToPay = { change: OrderChangeRow; payUntil: Date };

/** The change that the buyer of an order has to pay; null if there is none, or if its time is over. */
export async function findChangeToPay(
  { db, clock }: Pick<Context, 'clock'> & { db: Database },
  orderId: string,
): Promise<ChangeToPay | null> {
  const [found] = await db
    .select({ change: orderChanges, payUntil: holds.expiresAt })
    .from(orderChanges)
    .innerJoin(holds, eq(holds.id, orderChanges.holdId))
    .where(
      and(
        eq(orderChanges.orderId, orderId),
        eq(orderChanges.actor, 'operator'),
        inArray(orderChanges.status, [...OPEN_CHANGE]),
        eq(holds.status, 'active'),
        gt(holds.expiresAt, clock.now()),
      ),
    );
  return found ?? null;
}

/** The change that the buyer of an order has to pay, as they see it. */
export async function readUnpaidChange(
  context: Context,
  record: OrderRecord,
  language: string,
): Promise<UnpaidChange | null> {
  const found = await findChangeToPay(context, record.order.id);
  if (!found) return null;
  const legs = await presentLegsOfChange(context, record, { change: found.change, language });
  return { ...(await presentChange(context, found.change)), legs };
}

/** The crossings of the journeys that a change changes, after it. */
export async function presentLegsOfChange(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  record: OrderRecord,
  { change: { lines }, language }: { change: OrderChangeRow; language: string },
): Promise<Leg[]> {
  const boats = new Map(lines.map(({ leg, sailingId }) => [leg, sailingId]));
  const sailings = await findTimetable(db, [...new Set(boats.values())]);
  return [...boats]
    .toSorted(([one], [other]) => compareLegs(one, other))
    .flatMap(([leg, sailingId]) => {
      const sailing = sailings.find(({ id }) => id === sailingId);
      return sailing ? [presentLeg({ leg, sailing }, record, { now: clock.now(), language })] : [];
    });
}
