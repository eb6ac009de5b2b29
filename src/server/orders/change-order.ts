import { isDeepStrictEqual } from 'node:util';
import { and, eq, sql } from 'drizzle-orm';
import type { ChangeOrder } from '#contract/checkout/schemas.ts';
import { listTravelers } from '#domain/orders/travelers.ts';
import type { Context } from '../context.ts';
import { type OrderRow, orderLines, orders } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { HOUR_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { presentSailingTimes } from '../sailings/presenter.ts';
import { readAssistance } from './assistance.ts';
import { lockOrder } from './confirm-order.ts';
import { requireOrder } from './queries.ts';
import { requireTravelers } from './traveler-names.ts';
import { UNPAID } from './unpaid.ts';

/**
 * Changes contact, licence plate, travelers' names or assistance until check-in of the first sailing closes. An order that
 * belongs to a customer is changed by that customer only. The buyer of a paid order is mailed its new assistance.
 * @throws {ApiError} not_found, order_closed, invalid_input for more names than travelers or assistance of no
 * traveler, change_not_allowed for address or assistance of a guest's paid order from another browser, and for its address
 * a day after it was confirmed; rate_limited
 */
export async function changeOrder(
  context: Context,
  input: ChangeOrder & { orderId: string; customerId: string | null },
): Promise<void> {
  const { orderId, customerId, contact, plate, traveler_names: travelerNames, hold_id: holdId } = input;
  const record = await requireOrder(context, orderId);
  const hasVehicle = record.order.vehicle !== null;
  const now = context.clock.now();
  const closes = record.legs.map(({ sailing }) =>
    Date.parse(presentSailingTimes(sailing, { hasVehicle }).check_in_closes_at),
  );
  const isClosed = now.getTime() >= Math.min(...closes);
  if (input.assistance && record.order.confirmedAt !== null) {
    requireBuyer(record.order, { customerId, holdId });
    await rateLimit(context, { ...ASSISTANCE_MAILS, who: orderId });
  }

  const isMailed = await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound();
    requireOwner(order, customerId);
    if (isClosed || !OPEN_STATUSES.includes(order.status)) throw new ApiError('order_closed');
    if (contact) requireOwnAddress(order, { email: contact.email, holdId, now });
    // A canceled ticket keeps its place among the names, because the other tickets keep their numbers.
    const sold = record.lines.filter(({ status }) => status !== 'replaced');
    const numbers = record.tickets
      .filter(({ kind, status }) => kind === 'passenger' && status !== 'replaced')
      .map(({ partyIndex }) => partyIndex);
    const travelers = Math.max(listTravelers(sold).length, ...numbers);
    requireTravelers(travelerNames, travelers);
    if (input.assistance) requireBuyer(order, { customerId, holdId });
    const before = order.assistance;
    const read = { travelers, before };
    const assistance = await readAssistance({ ...context, db: tx }, input.assistance, read);
    await tx
      .update(orders)
      .set({
        ...(contact
          ? { contactName: contact.name, contactEmail: contact.email, contactPhone: contact.phone }
          : {}),
        ...(plate ? { plate } : {}),
        ...(travelerNames ? { travelerNames } : {}),
        ...(input.assistance ? { assistance } : {}),
        version: order.version + 1,
        updatedAt: now,
      })
      .where(eq(orders.id, orderId));
    if (plate) {
      await tx
        .update(orderLines)
        .set({ plate: null })
        .where(and(eq(orderLines.orderId, orderId), eq(orderLines.status, 'active')));
      await tx.execute(sql`
        update tickets t set title = l.description || ', ' || ${plate}::text
        from order_lines l
        where l.id = t.line_id and t.order_id = ${orderId} and t.kind = 'vehicle' and t.status <> 'replaced'
      `);
    }
    const isChanged = input.assistance !== undefined && !isDeepStrictEqual(assistance, before);
    if (!isChanged || order.confirmedAt === null) return false;
    await queueOrderMail(tx, context, { kind: 'order-assistance-changed', orderId });
    return true;
  });
  if (isMailed) wakeMailWorker(context.jobs);
}

/** Each change is mailed. */
const ASSISTANCE_MAILS = { name: 'order-assistance', limit: 10, windowSeconds: HOUR_SECONDS };

/** Long enough to correct a typing error. */
const ADDRESS_HOURS = 24;

/**
 * The mailbox of a guest's order proves its buyer: codes that permit a cancellation are mailed there. So only the browser
 * that bought the order may correct it. Everybody with the order's link could otherwise have the codes mailed to
 * themselves.
 */
function requireOwnAddress(
  order: OrderRow,
  { email, holdId, now }: { email: string; holdId: string | undefined; now: Date },
): void {
  const { customerId, confirmedAt, contactEmail } = order;
  if (customerId !== null || confirmedAt === null || email === contactEmail) return;
  const isEarly = now.getTime() - confirmedAt.getTime() <= ADDRESS_HOURS * 3_600_000;
  if (isEarly && holdId === order.holdId) return;
  throw new ApiError('change_not_allowed', {
    field: 'contact.email',
    message: 'Only the buyer’s browser can change the email address, for a day. Please call us.',
  });
}

function requireOwner(order: OrderRow, customerId: string | null): void {
  if (order.customerId !== null && order.customerId !== customerId) throw notFound();
}

type Caller = { customerId: string | null; holdId: string | undefined };

/**
 * Everybody with a guest's link could otherwise ask for assistance in the name of its passengers, or take their requests
 * back.
 */
function requireBuyer(order: OrderRow, { customerId, holdId }: Caller): void {
  requireOwner(order, customerId);
  if (order.customerId !== null || order.confirmedAt === null || order.holdId === holdId) return;
  throw new ApiError('change_not_allowed', {
    field: 'assistance',
    message: 'Only the buyer’s browser can change the assistance. Please call us.',
  });
}

const OPEN_STATUSES: readonly string[] = [...UNPAID, 'confirmed', 'partly_cancelled'];
