import { eq, sql } from 'drizzle-orm';
import type { ChangeOrder } from '#contract/checkout/schemas.ts';
import { listTravelers } from '#domain/orders/travelers.ts';
import type { Context } from '../context.ts';
import { orders } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { presentSailingTimes } from '../sailings/presenter.ts';
import { lockOrder } from './confirm-order.ts';
import { requireOrder } from './queries.ts';
import { requireTravelers } from './traveler-names.ts';
import { UNPAID } from './unpaid.ts';

/**
 * Changes contact, licence plate or travelers' names until check-in of the first sailing closes. An order that
 * belongs to a customer is changed by that customer only.
 * @throws {ApiError} not_found, order_closed, invalid_input for more names than travelers
 */
export async function changeOrder(
  context: Context,
  input: ChangeOrder & { orderId: string; customerId: string | null },
): Promise<void> {
  const { orderId, customerId, contact, plate, traveler_names: travelerNames } = input;
  const record = await requireOrder(context, orderId);
  const hasVehicle = record.order.vehicle !== null;
  const now = context.clock.now();
  const closes = record.legs.map(({ sailing }) =>
    Date.parse(presentSailingTimes(sailing, { hasVehicle }).check_in_closes_at),
  );
  const isClosed = now.getTime() >= Math.min(...closes);

  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const isOthers = order?.customerId !== null && order?.customerId !== customerId;
    if (!order || isOthers) throw notFound();
    if (isClosed || !OPEN_STATUSES.includes(order.status)) throw new ApiError('order_closed');
    const active = record.lines.filter(({ status }) => status === 'active');
    requireTravelers(travelerNames, listTravelers(active).length);
    await tx
      .update(orders)
      .set({
        ...(contact
          ? { contactName: contact.name, contactEmail: contact.email, contactPhone: contact.phone }
          : {}),
        ...(plate ? { plate } : {}),
        ...(travelerNames ? { travelerNames } : {}),
        version: order.version + 1,
        updatedAt: now,
      })
      .where(eq(orders.id, orderId));
    if (plate) {
      await tx.execute(sql`
        update tickets t set title = l.description || ', ' || ${plate}::text
        from order_lines l
        where l.id = t.line_id and t.order_id = ${orderId} and t.kind = 'vehicle'
      `);
    }
  });
}

const OPEN_STATUSES: readonly string[] = [...UNPAID, 'confirmed', 'partly_cancelled'];
