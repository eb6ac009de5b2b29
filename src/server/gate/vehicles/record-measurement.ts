import { eq } from 'drizzle-orm';
import type { RecordVehicle } from '#contract/gate/vehicles/schemas.ts';
import { recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { vehicleMeasurements } from '#server/database/schema/gate.ts';
import { tickets } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import type { Cashier } from '#server/orders/pay/pay-by-staff.ts';
import { chargeMeasurement } from './charge-measurement.ts';
import { waiveEarlier } from './late-measurements.ts';
import { priceMeasurement } from './price-measurement.ts';

type Input = Omit<RecordVehicle, 'device'>;
type Outcome = { outcome: 'fits' | 'charged' | 'refused'; difference: number; currency: string };

/**
 * Records a measured vehicle. One that is larger than booked and goes aboard gets its size, price and lane on its line, and
 * the difference is paid, or nothing changes. Its ticket keeps its code.
 * @throws {ApiError} as `priceMeasurement`, for a vehicle that is refused only not_found, order_closed; price_changed;
 * invalid_input without a payment; sold_out; of a trip card as `spendInPerson`
 */
export function recordMeasurement(
  context: Context,
  { ticketId, input, cashier }: { ticketId: string; input: Input; cashier: Cashier },
): Promise<Outcome> {
  return inTransaction(context.db, async (tx) => {
    const [ticket] = await tx.select().from(tickets).where(eq(tickets.id, ticketId));
    if (!ticket || !(await lockOrder(tx, ticket.orderId))) throw notFound();
    const isRefused = input.decision === 'refused';
    const priced = await priceMeasurement(tx, { ticketId, measured: input, isRefused });
    const { order, booked, isLarger, difference } = priced;
    const outcome = isRefused ? 'refused' : isLarger ? 'charged' : 'fits';
    if (outcome === 'charged') {
      if (input.difference !== difference) throw new ApiError('price_changed');
      if (difference > 0 && input.payment === null) throw new ApiError('invalid_input', { field: 'payment' });
      await chargeMeasurement(tx, context, { priced, payment: input.payment, cashier, isAboard: false });
    }
    await waiveEarlier(tx, ticketId);
    const { clock } = context;
    await tx.insert(vehicleMeasurements).values({
      ...{ id: newId('vms'), ticketId, sailingId: ticket.sailingId },
      ...{ staffId: cashier.staffId, device: cashier.device, outcome, difference, insertedAt: clock.now() },
      ...{ bookedLengthCm: booked.length, bookedHeightCm: booked.height },
      ...{ lengthCm: input.length_cm, heightCm: input.height_cm, vehicleType: input.vehicle_type ?? null },
    });
    await recordAudit(tx, context, {
      ...{
        actor: cashier,
        action: 'vehicle_measured',
        objectKind: 'order',
        objectId: order.id,
        reason: null,
      },
      before: { length_cm: booked.length, height_cm: booked.height },
      after: {
        ...{ length_cm: input.length_cm, height_cm: input.height_cm, outcome, amount: difference },
        ...(input.vehicle_type === undefined ? {} : { vehicle_type: input.vehicle_type }),
      },
    });
    return { outcome, difference, currency: order.currency };
  });
}
