import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type CustomerRow, lockOwner, normaliseEmail, type Owner } from '../customers/queries.ts';
import { type Database, queryRows } from '../database/database.ts';
import { accountLinks, customers, sessions } from '../database/schema/people.ts';
import { orderLines, orders } from '../database/schema/sales.ts';
import { idempotencyKeys, mails } from '../database/schema/system.ts';
import { ticketShares } from '../database/schema/ticket-shares.ts';
import { inTransaction } from '../database/transactions.ts';
import { queueAccountMail, sendSoon } from '../mail/account-mails.ts';
import { findHolder } from '../payment-cards/provider-customer.ts';
import { detachTripCards } from '../trip-cards/account-lifecycle.ts';

/**
 * Deletes an account with all personal data in one transaction. Orders stay without their owner, because accounting and
 * the gate need them; personal data is removed from past ones. Upcoming orders keep their contact: tickets stay valid
 * and the passenger is notified of changes. Rate limit counters stay until they expire: they contain no personal data,
 * and deleting an account must not reset limits.
 * @throws {ApiError} session_expired, account_in_use
 */
export async function deleteCustomer(context: Context, owner: Owner): Promise<void> {
  const { customerId } = owner;
  const { mailId, holder } = await inTransaction(context.db, async (tx) => {
    await lockForDeletion(tx, customerId);
    const customer = await lockOwner(tx, context, owner);
    await detachTripCards(tx, context, customer);
    const holder = await findHolder(tx, customerId);
    const past = await findPastOrders(tx, customerId, context.clock.now());
    await deleteMails(tx, customer, past);
    await anonymizeOrders(tx, customerId, past);
    await deletePersonalData(tx, customer);
    const mail = { to: customer.email, kind: 'account-deleted', facts: {} } as const;
    return { mailId: await queueAccountMail(tx, context, mail), holder };
  });
  sendSoon(context.jobs, mailId);
  if (holder) await context.jobs.send('delete-card-holder', { customer: holder.providerReference });
}

/** Locks the customer against new references; orders are locked before trip cards. */
async function lockForDeletion(tx: Database, customerId: string): Promise<void> {
  await tx.execute(sql`select 1 from customers where id = ${customerId} for update`);
  await tx.execute(sql`select 1 from orders where customer_id = ${customerId} order by id for no key update`);
}

/**
 * Completed orders: every sailing has arrived or the order was never paid, no payment or refund is pending, and no
 * decision is open.
 */
async function findPastOrders(tx: Database, customerId: string, now: Date): Promise<string[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const rows = await queryRows<{ id: string }>(
    tx,
    sql`
      select o.id from orders o
      where o.customer_id = ${customerId}
        and o.needs_attention is null
        and not exists (
          select 1 from refunds r where r.order_id = o.id and r.status in ('requested', 'pending')
        )
        and not exists (
          select 1 from payments p
          where p.order_id = o.id and p.status in ('created', 'requires_action', 'processing')
        )
        and (
          o.status in ('cancelled', 'expired', 'completed')
          or (o.status in ('confirmed', 'partly_cancelled') and not exists (
            select 1 from order_lines l join sailings s on s.id = l.sailing_id
            where l.order_id = o.id and l.status = 'active' and s.arrives_at > ${at}
          ))
        )
    `,
  );
  return rows.map(({ id }) => id);
}

/** Mails to the owner, sent and pending; mails about upcoming orders stay, because they are for a passenger. */
async function deleteMails(tx: Database, customer: CustomerRow, past: readonly string[]): Promise<void> {
  const isToOwner = sql`lower(${mails.toAddress}) = ${normaliseEmail(customer.email)}`;
  const isToNewAddress = and(
    sql`lower(${mails.toAddress}) = ${normaliseEmail(customer.pendingEmail)}`,
    eq(mails.kind, 'confirm-email-change'),
  );
  await tx.delete(mails).where(and(sql`${mails.orderId} is null`, or(isToOwner, isToNewAddress)));
  if (past.length > 0) await tx.delete(mails).where(inArray(mails.orderId, [...past]));
}

async function anonymizeOrders(tx: Database, customerId: string, past: readonly string[]): Promise<void> {
  if (past.length > 0) {
    await tx
      .update(orders)
      .set({ contactName: '', contactEmail: '', contactPhone: '', travelerNames: [], plate: null })
      .where(inArray(orders.id, [...past]));
    await tx
      .update(orderLines)
      .set({ plate: null })
      .where(inArray(orderLines.orderId, [...past]));
    await tx.delete(ticketShares).where(inArray(ticketShares.orderId, [...past]));
  }
  await tx.update(orders).set({ customerId: null }).where(eq(orders.customerId, customerId));
}

/** Factors, challenges, links, events and saved cards are deleted with the customer's row. */
export async function deletePersonalData(tx: Database, { id, email }: CustomerRow): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.customerId, id));
  await tx.delete(accountLinks).where(eq(accountLinks.email, normaliseEmail(email)));
  await tx
    .delete(idempotencyKeys)
    .where(sql`right(${idempotencyKeys.scope}, ${id.length + 1}::int) = ${` ${id}`}`);
  await tx.delete(customers).where(eq(customers.id, id));
}
