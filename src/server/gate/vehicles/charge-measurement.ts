import { and, eq, sql } from 'drizzle-orm';
import type { PaidInPerson } from '#contract/payments/in-person-schemas.ts';
import { getTaxParts, splitTax, type Taxation, toTaxation } from '#domain/fares/taxes.ts';
import { bookOrder } from '#server/accounting/book-order.ts';
import { returnSoldPlaces, takeSoldPlaces } from '#server/capacity/ticket-places.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { lineCapacity, orderLines, orders } from '#server/database/schema/sales.ts';
import { savedVehicles } from '#server/database/schema/saved-party.ts';
import { ApiError } from '#server/http/api-error.ts';
import { type Cashier, payByStaff, readStaffPayment } from '#server/orders/pay/pay-by-staff.ts';
import type { PricedMeasurement } from './price-measurement.ts';

type Charge = {
  priced: PricedMeasurement;
  /** Of the difference; null if there is none. */
  payment: PaidInPerson | null;
  cashier: Cashier;
  /** The vehicle stands on the boat, whether there was room for it or not. */
  isAboard: boolean;
};

/**
 * Gives a vehicle its measured size, price and lane, and takes the difference. The caller has locked the order; capacity
 * and the trip card are locked after it.
 * @throws {ApiError} sold_out; of a trip card as `spendInPerson`
 */
export async function chargeMeasurement(
  tx: Database,
  context: Context,
  { priced, payment: given, cashier, isAboard }: Charge,
): Promise<void> {
  const { order, difference } = priced;
  const payment = difference > 0 && given ? await readStaffPayment(tx, given, order.currency) : null;
  if (!(await takeLane(tx, priced)) && !isAboard) throw new ApiError('sold_out');
  const now = context.clock.now();
  await repriceLine(tx, priced);
  await tx
    .update(orders)
    .set({
      ...{
        total: order.total + difference,
        subtotal: order.subtotal + difference,
        paid: order.paid + difference,
      },
      tax: order.tax + taxMeasured(priced).tax - priced.line.tax,
      ...(order.paymentStatus === 'refunded' && difference > 0
        ? { paymentStatus: 'partly_refunded' as const }
        : {}),
      ...{ version: order.version + 1, updatedAt: now },
    })
    .where(eq(orders.id, order.id));
  await bookOrder(tx, context, { orderId: order.id, cause: 'measurement' });
  await rememberSize(tx, priced, now);
  if (payment) await payByStaff(tx, context, { order, amount: difference, changeId: null, payment, cashier });
}

/**
 * Takes the additional lane from what is free on the boat; a vehicle that became too high for its lane changes lanes.
 * @returns false if there is not enough; then nothing is taken
 */
async function takeLane(tx: Database, { line, ticket, lane }: PricedMeasurement): Promise<boolean> {
  const isOfLine = eq(lineCapacity.lineId, line.id);
  const taken = await tx.select().from(lineCapacity).where(isOfLine);
  const { sailingId } = ticket;
  const has = taken.find(({ resource }) => resource === lane.resource)?.amount ?? 0;
  const additional = lane.amount - has;
  if (additional > 0 && !(await takeSoldPlaces(tx, [{ ...lane, sailingId, amount: additional }]))) {
    return false;
  }
  const left = taken.filter(({ resource }) => resource !== lane.resource);
  await returnSoldPlaces(tx, left);
  for (const { resource } of left) {
    await tx.delete(lineCapacity).where(and(isOfLine, eq(lineCapacity.resource, resource)));
  }
  await tx
    .insert(lineCapacity)
    .values({ lineId: line.id, sailingId, ...lane })
    .onConflictDoUpdate({
      target: [lineCapacity.lineId, lineCapacity.resource],
      set: { amount: sql`greatest(${lineCapacity.amount}, excluded.amount)` },
    });
  return true;
}

/** The line keeps its ticket, so its price changes in place; the measurement keeps what it was. */
async function repriceLine(tx: Database, priced: PricedMeasurement): Promise<void> {
  const { line, order, vehicle, difference, type } = priced;
  const amount = line.amount + difference;
  const isOther = line.typeCode !== type.code;
  await tx
    .update(orderLines)
    .set({
      ...{ vehicle, plate: line.plate ?? order.plate, unitAmount: amount, amount, ...taxMeasured(priced) },
      ...(isOther ? { typeCode: type.code, item: 'vehicle' as const, description: type.name } : {}),
    })
    .where(eq(orderLines.id, line.id));
}

function taxMeasured({ line, difference }: PricedMeasurement): Taxation {
  const parts = getTaxParts(line);
  return toTaxation(difference === 0 ? parts : splitTax(line.amount + difference, parts));
}

/** The buyer's next booking suggests the measured size of the vehicle that they saved with this plate. */
async function rememberSize(
  tx: Database,
  { line, order, vehicle }: PricedMeasurement,
  now: Date,
): Promise<void> {
  const plate = line.plate ?? order.plate;
  if (order.customerId === null || plate === null) return;
  await tx
    .update(savedVehicles)
    .set({ vehicle, updatedAt: now })
    .where(
      and(
        eq(savedVehicles.customerId, order.customerId),
        eq(savedVehicles.plate, plate),
        sql`${savedVehicles.vehicle} ->> 'type' = ${vehicle.type}`,
      ),
    );
}
