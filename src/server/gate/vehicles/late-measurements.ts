import { and, eq } from 'drizzle-orm';
import type { GateEvent } from '#contract/gate/schemas.ts';
import type { PaidInPerson } from '#contract/payments/in-person-schemas.ts';
import { recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { gateEvents, vehicleMeasurements } from '#server/database/schema/gate.ts';
import { tickets } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import type { Cashier } from '#server/orders/pay/pay-by-staff.ts';
import { chargeMeasurement } from './charge-measurement.ts';
import { type PricedMeasurement, priceMeasurement } from './price-measurement.ts';

type MeasureEvent = Extract<GateEvent, { type: 'measure' }>;

/**
 * Notes a vehicle that a device measured without a connection, when its event arrives. It is aboard, so that nothing is
 * refused: what it costs beyond the booking is left to the desk. The event is stored.
 */
export async function noteMeasurement(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  event: MeasureEvent,
): Promise<void> {
  const priced = await priceIfPossible(tx, event);
  if (priced === 'unknown_ticket') return;
  const [stored] = await tx
    .select({ staffId: gateEvents.staffId })
    .from(gateEvents)
    .where(eq(gateEvents.id, event.id));
  const { ticket_id: ticketId, sailing_id: sailingId } = event;
  const fits = priced !== null && (!priced.isLarger || priced.difference === 0);
  await waiveEarlier(tx, ticketId);
  await tx.insert(vehicleMeasurements).values({
    ...{ id: newId('vms'), ticketId, sailingId, device: event.device },
    staffId: stored?.staffId ?? '',
    ...{ bookedLengthCm: priced?.booked.length ?? null, bookedHeightCm: priced?.booked.height ?? null },
    ...{ lengthCm: event.length_cm, heightCm: event.height_cm, vehicleType: event.vehicle_type ?? null },
    ...{ outcome: fits ? 'fits' : 'unpaid', difference: 0, insertedAt: clock.now() },
    due: fits ? null : (priced?.difference ?? null),
  });
}

/** A vehicle that is measured again pays once: the newest measurement replaces those that are unpaid. */
export async function waiveEarlier(tx: Database, ticketId: string): Promise<void> {
  await tx
    .update(vehicleMeasurements)
    .set({ outcome: 'waived' })
    .where(and(eq(vehicleMeasurements.ticketId, ticketId), eq(vehicleMeasurements.outcome, 'unpaid')));
}

/** Null: no fare covers it, or its ticket was canceled. */
async function priceIfPossible(
  tx: Database,
  event: MeasureEvent,
): Promise<PricedMeasurement | 'unknown_ticket' | null> {
  try {
    return await priceMeasurement(tx, { ticketId: event.ticket_id, measured: event, isAboard: true });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === 'not_found' ? 'unknown_ticket' : null;
  }
}

/**
 * Takes the noted difference of a measured vehicle, once, or does without it. If it costs less by now, less is taken.
 * @param input payment: null: nothing is taken
 * @throws {ApiError} not_found, also if it is settled; no_fare if nothing is due; as `priceMeasurement`; of a trip card as
 * `spendInPerson`
 */
export function settleMeasurement(
  context: Context,
  { id, payment, cashier }: { id: string; payment: PaidInPerson | null; cashier: Cashier },
): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const isUnpaid = and(eq(vehicleMeasurements.id, id), eq(vehicleMeasurements.outcome, 'unpaid'));
    const [measurement] = await tx
      .select({ orderId: tickets.orderId })
      .from(vehicleMeasurements)
      .innerJoin(tickets, eq(tickets.id, vehicleMeasurements.ticketId))
      .where(isUnpaid);
    if (!measurement || !(await lockOrder(tx, measurement.orderId))) throw notFound();
    const [unpaid] = await tx.select().from(vehicleMeasurements).where(isUnpaid).for('update');
    if (!unpaid) throw notFound();
    const outcome = payment === null ? 'waived' : 'charged';
    const difference = payment === null ? 0 : await chargeNoted(tx, context, { unpaid, payment, cashier });
    await tx.update(vehicleMeasurements).set({ outcome, difference }).where(isUnpaid);
    const amount = payment === null ? (unpaid.due ?? 0) : difference;
    await recordAudit(tx, context, {
      ...{ actor: cashier, action: 'vehicle_measured', objectKind: 'order', objectId: measurement.orderId },
      ...{ before: { outcome: 'unpaid' }, after: { outcome, amount }, reason: null },
    });
  });
}

type NotedCharge = {
  unpaid: typeof vehicleMeasurements.$inferSelect;
  payment: PaidInPerson;
  cashier: Cashier;
};

/** Returns what was taken. */
async function chargeNoted(
  tx: Database,
  context: Context,
  { unpaid, payment, cashier }: NotedCharge,
): Promise<number> {
  const { ticketId, due, lengthCm, heightCm, vehicleType } = unpaid;
  if (!due) throw new ApiError('no_fare');
  const measured = { length_cm: lengthCm, height_cm: heightCm, vehicle_type: vehicleType ?? undefined };
  const priced = await priceMeasurement(tx, { ticketId, measured, isAboard: true });
  const difference = Math.min(due, priced.difference);
  if (difference === 0) throw new ApiError('no_fare');
  await chargeMeasurement(tx, context, {
    ...{ priced: { ...priced, difference }, payment, cashier, isAboard: true },
  });
  return difference;
}
