import { isDeepStrictEqual } from 'node:util';
import { and, eq, inArray } from 'drizzle-orm';
import type { ChangeOrder } from '#contract/orders/buy/schemas.ts';
import { listTravelers } from '#domain/orders/travelers.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { type OrderRow, orderChanges, orderLines, orders } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { HOUR_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { presentSailingTimes } from '../sailings/presenter.ts';
import { readAssistance } from './assistance.ts';
import { requireBuyer } from './buyer.ts';
import { PAYABLE_CHANGE } from './change/end-change.ts';
import { lockOrder } from './confirm-order.ts';
import { type OrderRecord, requireOrder } from './queries.ts';
import { requireTravelers } from './traveler-names.ts';
import { UNPAID } from './unpaid.ts';

/**
 * Changes contact, license plate, travelers' names or assistance until check-in of the first sailing closes. The buyer of
 * a paid order is mailed its new assistance, and at the previous address that it has another one.
 * @throws {ApiError} not_found, order_closed, invalid_input for more names than travelers or assistance of no
 * traveler; change_not_allowed for callers who are not the buyer, and for the address of a guest's order a day after it
 * was confirmed; rate_limited
 */
export async function changeOrder(
  context: Context,
  input: ChangeOrder & { orderId: string; customerId: string | null },
): Promise<void> {
  const { orderId, customerId, contact } = input;
  const caller = { customerId, buyerSecret: input.buyer_secret };
  const record = await requireOrder(context, orderId);
  requireBuyer(context, record.order, caller);
  const hasVehicle = record.order.vehicle !== null;
  const now = context.clock.now();
  const closes = record.legs.map(({ sailing }) =>
    Date.parse(presentSailingTimes(sailing, { hasVehicle }).check_in_closes_at),
  );
  const isClosed = now.getTime() >= Math.min(...closes);
  const isPaid = record.order.confirmedAt !== null;
  if (isPaid && input.assistance) await rateLimit(context, { ...ASSISTANCE_MAILS, who: orderId });
  if (isPaid && contact) await rateLimit(context, { ...ADDRESS_MAILS, who: orderId });

  const isMailed = await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound();
    requireBuyer(context, order, caller);
    if (isClosed || !OPEN_STATUSES.includes(order.status)) throw new ApiError('order_closed');
    if (isMoved(order, contact)) requireEarlyCorrection(order, now);
    return storeOrderChange(tx, context, { record, order, change: input });
  });
  if (isMailed) wakeMailWorker(context.jobs);
}

type StoredChange = Omit<ChangeOrder, 'buyer_secret'>;

/**
 * Stores what the buyer or staff change, in an order that the caller has locked. The buyer of a paid order is mailed its
 * new assistance, and at the previous address that it has another one.
 * @returns whether a mail was queued
 * @throws {ApiError} invalid_input for more names than travelers or assistance of no traveler
 */
export async function storeOrderChange(
  tx: Database,
  context: Context,
  { record, order, change }: { record: OrderRecord; order: OrderRow; change: StoredChange },
): Promise<boolean> {
  const { contact, plate, traveler_names: travelerNames } = change;
  const orderId = order.id;
  const hasMoved = isMoved(order, contact);
  // To the address that the order still has.
  if (hasMoved) await queueOrderMail(tx, context, { kind: 'order-address-changed', orderId });
  // A canceled ticket keeps its place among the names, because the other tickets keep their numbers.
  const sold = record.lines.filter(({ status }) => status !== 'replaced');
  const numbers = record.tickets
    .filter(({ kind, status }) => kind === 'passenger' && status !== 'replaced')
    .map(({ partyIndex }) => partyIndex);
  const travelers = Math.max(listTravelers(sold).length, ...numbers);
  requireTravelers(travelerNames, travelers);
  const before = order.assistance;
  const assistance = await readAssistance({ ...context, db: tx }, change.assistance, { travelers, before });
  await tx
    .update(orders)
    .set({
      ...(contact
        ? { contactName: contact.name, contactEmail: contact.email, contactPhone: contact.phone }
        : {}),
      ...(plate ? { plate } : {}),
      ...(travelerNames ? { travelerNames } : {}),
      ...(change.assistance ? { assistance } : {}),
      version: order.version + 1,
      updatedAt: context.clock.now(),
    })
    .where(eq(orders.id, orderId));
  if (plate) {
    await tx
      .update(orderLines)
      .set({ plate: null })
      .where(and(eq(orderLines.orderId, orderId), eq(orderLines.status, 'active')));
    await correctUnpaidChanges(tx, { order, plate });
  }
  const isChanged = change.assistance !== undefined && !isDeepStrictEqual(assistance, before);
  if (!isChanged || order.confirmedAt === null) return hasMoved;
  await queueOrderMail(tx, context, { kind: 'order-assistance-changed', orderId });
  return true;
}

/** A change that is paid later would bring the earlier license plate back. */
async function correctUnpaidChanges(
  tx: Database,
  { order, plate }: { order: OrderRow; plate: string },
): Promise<void> {
  const isPayable = inArray(orderChanges.status, [...PAYABLE_CHANGE]);
  const changes = await tx
    .select({ id: orderChanges.id, lines: orderChanges.lines })
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, order.id), isPayable));
  for (const { id, lines } of changes) {
    const corrected = lines.map((line) =>
      line.kind === 'vehicle' && line.plate === order.plate ? { ...line, plate } : line,
    );
    await tx.update(orderChanges).set({ lines: corrected }).where(eq(orderChanges.id, id));
  }
}

/** Whether the mails of a paid order go to another address than before. */
export function isMoved({ contactEmail, confirmedAt }: OrderRow, contact: ChangeOrder['contact']): boolean {
  return contact !== undefined && contact.email !== contactEmail && confirmedAt !== null;
}

/** Each change is mailed. */
const ASSISTANCE_MAILS = { name: 'order-assistance', limit: 10, windowSeconds: HOUR_SECONDS };
const ADDRESS_MAILS = { name: 'order-address', limit: 10, windowSeconds: HOUR_SECONDS };

/** Long enough to correct a typing error. */
const ADDRESS_HOURS = 24;

/** The mailbox of a guest's order proves its buyer for good: codes that permit a cancellation are mailed there. */
function requireEarlyCorrection({ customerId, confirmedAt }: OrderRow, now: Date): void {
  if (customerId !== null || confirmedAt === null) return;
  if (now.getTime() - confirmedAt.getTime() <= ADDRESS_HOURS * 3_600_000) return;
  throw new ApiError('change_not_allowed', {
    field: 'contact.email',
    reason: 'email_fixed',
  });
}

const OPEN_STATUSES: readonly string[] = [...UNPAID, 'confirmed', 'partly_canceled'];
