import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { GivenReason } from '#sentences/errors/error-reasons.ts';
import { textsIn } from '../core/texts.ts';
import { type Database, queryRows } from '../database/database.ts';
import { receipts } from '../database/schema/accounting.ts';
import { orderNotes, refundRequests } from '../database/schema/desk.ts';
import { invoices } from '../database/schema/invoices.ts';
import { passengerDetails } from '../database/schema/passenger-lists.ts';
import { pushes, pushSubscriptions } from '../database/schema/push.ts';
import { orderChanges, orderLines, orders, payments, refunds, tickets } from '../database/schema/sales.ts';
import { smsMessages } from '../database/schema/sms.ts';
import { mails } from '../database/schema/system.ts';
import { ticketShares } from '../database/schema/ticket-shares.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { isReturnedRefund } from '../orders/pay/unsettled.ts';

const BATCH = 200;

/** `blocker`: why the order still needs its passenger's data; null: it can be erased. */
type OrderToErase = { id: string; reference: string; blocker: 'open' | 'upcoming' | null };

/** Locks the orders that match a condition on `orders o`, and then reads which of them still do. */
export async function lockOrdersToErase(tx: Database, condition: SQL, now: Date): Promise<OrderToErase[]> {
  await tx.execute(sql`select from orders o where ${condition} order by o.id for no key update`);
  return readOrdersToErase(tx, condition, now);
}

function readOrdersToErase(db: Database, condition: SQL, now: Date): Promise<OrderToErase[]> {
  return queryRows<OrderToErase>(
    db,
    sql`
      select o.id, o.reference,
        case when ${isOpen} then 'open' when ${isUpcoming(now)} then 'upcoming' end as blocker
      from orders o where ${condition} order by o.id`,
  );
}

/** The data cannot be exported or erased. The message tells the operator of a command every reason. */
export class PrivacyRefused extends ApiError {
  constructor([first, ...more]: readonly [GivenReason, ...GivenReason[]]) {
    super(
      'privacy_refused',
      first,
      more.map((reason) => ({ code: 'privacy_refused', ...reason })),
    );
    this.name = 'PrivacyRefused';
    this.message = this.present(textsIn(SOURCE_LANGUAGE))
      .map(({ message }) => message)
      .join('\n');
  }
}

/**
 * Locks the orders that match a condition on `orders o`, all of which are to be erased.
 * @returns their ids
 * @throws {PrivacyRefused} naming each that still needs its passenger's data
 */
export async function lockErasableOrders(tx: Database, condition: SQL, now: Date): Promise<string[]> {
  const locked = await lockOrdersToErase(tx, condition, now);
  const [first, ...more] = locked.flatMap(describeBlocker);
  if (first !== undefined) throw new PrivacyRefused([first, ...more]);
  return locked.map(({ id }) => id);
}

/**
 * The orders that match a condition on `orders o`, without locks.
 * @returns their number, and why some cannot be erased yet
 */
export async function previewErasure(
  db: Database,
  condition: SQL,
  now: Date,
): Promise<{ orders: number; blockers: GivenReason[] }> {
  const matching = await readOrdersToErase(db, condition, now);
  return { orders: matching.length, blockers: matching.flatMap(describeBlocker) };
}

/** Condition on `orders o`: of a person's account, or bought without an account under their normalized address. */
export function isOrderOfPerson({ customerId, email }: { customerId: string | null; email: string }): SQL {
  const isGuest = sql`(o.customer_id is null and lower(o.contact_email) = ${email})`;
  return customerId === null ? isGuest : sql`(o.customer_id = ${customerId} or ${isGuest})`;
}

function describeBlocker({ reference, blocker }: OrderToErase): GivenReason[] {
  if (blocker === null) return [];
  const params = { reference };
  return [
    blocker === 'upcoming'
      ? { reason: 'erased_order_upcoming', params }
      : { reason: 'erased_order_open', params },
  ];
}

/** Condition on `orders o`: a payment, refund, change or decision of the order is not finished, or its invoice not paid. */
const isOpen = sql`(
  o.needs_attention is not null
  or o.status in ('held', 'awaiting_payment')
  or exists (
    select from refunds r
    where r.order_id = o.id and (r.status in ('requested', 'pending', 'awaiting_payout') or (${isReturnedRefund}))
  )
  or exists (
    select from payments p where p.order_id = o.id and p.status in ('created', 'requires_action', 'processing')
  )
  or exists (
    select from invoices i join receipts r on r.id = i.receipt_id
    where r.order_id = o.id and i.settled_at is null
  )
  or exists (
    select from order_changes c where c.order_id = o.id and c.status in ('held', 'awaiting_payment')
  ))`;

/** Condition on `orders o`: it has valid tickets, and not every sailing of them has arrived. */
function isUpcoming(now: Date): SQL {
  return sql`(
    o.status in ('confirmed', 'partly_canceled')
    and exists (
      select from order_lines l join sailings s on s.id = l.sailing_id
      where l.order_id = o.id and l.status = 'active' and s.arrives_at > ${now.toISOString()}::timestamptz
    ))`;
}

/**
 * Erases the orders without open matters whose last sailing arrived before an instant, a batch at a time, so that no
 * transaction locks many orders.
 * @returns their number
 */
export async function eraseOldOrders(db: Database, end: Date): Promise<number> {
  const before = sql`${end.toISOString()}::timestamptz`;
  // Orders that were sold at the ramp may have no address.
  const hasContact = sql`(o.contact_email <> ''
    or o.contact_email = '' and (o.contact_name <> '' or o.contact_phone <> '' or o.plate is not null))`;
  const isOld = sql`${hasContact} and o.inserted_at < ${before} and not ${isOpen}
    and not exists (
      select from order_lines l join sailings s on s.id = l.sailing_id
      where l.order_id = o.id and s.arrives_at >= ${before}
    )`;
  let erased = 0;
  for (;;) {
    const { selected, done } = await inTransaction(db, (tx) => eraseBatch(tx, isOld, end));
    erased += done;
    if (selected < BATCH) return erased;
  }
}

async function eraseBatch(tx: Database, isOld: SQL, end: Date): Promise<{ selected: number; done: number }> {
  const batch = await queryRows<{ id: string }>(
    tx,
    sql`select o.id from orders o where ${isOld} order by o.id limit ${BATCH}`,
  );
  const isInBatch = sql`o.id in (select jsonb_array_elements_text(${JSON.stringify(batch.map(({ id }) => id))}::jsonb))`;
  const locked = await lockOrdersToErase(tx, sql`${isInBatch} and ${isOld}`, end);
  await eraseOrders(
    tx,
    locked.map(({ id }) => id),
  );
  return { selected: batch.length, done: locked.length };
}

/** Removes the assistance of orders whose last sailing arrived before an instant. */
export async function eraseOldAssistance(db: Database, end: Date): Promise<void> {
  await db.execute(sql`
    update orders o set assistance = null
    where o.assistance is not null and not exists (
      select from order_lines l join sailings s on s.id = l.sailing_id
      where l.order_id = o.id and s.arrives_at >= ${end.toISOString()}::timestamptz
    )`);
}

/**
 * Removes everything about persons from orders: contact, travelers with their details for passenger lists, assistance, plates, the card's digits, the owner, the
 * operator's notes, mails, pushes, text messages, links to sent tickets and the addresses of invoices. Sums, lines, tickets, payments and the ledger stay, so that reports do not change.
 */
export async function eraseOrders(tx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.delete(mails).where(inArray(mails.orderId, [...ids]));
  await tx.delete(ticketShares).where(inArray(ticketShares.orderId, [...ids]));
  await tx.delete(passengerDetails).where(inArray(passengerDetails.orderId, [...ids]));
  await tx.delete(orderNotes).where(inArray(orderNotes.orderId, [...ids]));
  await tx
    .update(refundRequests)
    .set({ reason: '' })
    .where(inArray(refundRequests.orderId, [...ids]));
  await tx.delete(pushes).where(inArray(pushes.orderId, [...ids]));
  await tx.delete(smsMessages).where(inArray(smsMessages.orderId, [...ids]));
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.orderId, [...ids]));
  await tx
    .update(orders)
    .set({
      ...{ customerId: null, contactName: '', contactEmail: '', contactPhone: '' },
      ...{ travelerNames: [], assistance: null, plate: null },
    })
    .where(inArray(orders.id, [...ids]));
  // The title of a vehicle's ticket ends with its plate.
  await tx
    .update(tickets)
    .set({ writtenTitle: '' })
    .where(inArray(tickets.orderId, [...ids]));
  await tx
    .update(orderLines)
    .set({ plate: null })
    .where(inArray(orderLines.orderId, [...ids]));
  await tx
    .update(orderChanges)
    .set({ travelerNames: null, lines: linesWithoutPlates })
    .where(inArray(orderChanges.orderId, [...ids]));
  await tx
    .update(payments)
    .set({ cardLastFour: null, startedFrom: '', byCustomerId: null })
    .where(inArray(payments.orderId, [...ids]));
  await tx
    .update(refunds)
    .set({ note: null })
    .where(inArray(refunds.orderId, [...ids]));
  const isTheirs = inArray(receipts.orderId, [...ids]);
  await tx
    .update(invoices)
    .set({ email: '' })
    .where(inArray(invoices.receiptId, tx.select({ id: receipts.id }).from(receipts).where(isTheirs)));
}

const linesWithoutPlates = sql<typeof orderChanges.$inferSelect.lines>`coalesce(
  (select jsonb_agg(line || '{"plate": null}' order by position)
    from jsonb_array_elements(${orderChanges.lines}) with ordinality as each (line, position)),
  '[]')`;

/**
 * Removes an address from the links to sent tickets of other persons' orders; the links stay valid.
 * @returns their number
 */
export async function eraseRecipient(tx: Database, email: string): Promise<number> {
  const changed = await tx
    .update(ticketShares)
    .set({ name: '', email: null })
    .where(eq(ticketShares.email, email))
    .returning({ id: ticketShares.id });
  return changed.length;
}
