import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, queryRows } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';
import type { OrderMailKind } from './templates/order.ts';

/** The cancellation or change of the order that a mail is about. */
type MailSubject = { cancellationId?: string | null; changeId?: string | null };

/**
 * Queues a mail about an order to its current contact address, if it has one; call it in the causing transaction, and
 * `wakeMailWorker` after the commit. It is rendered when it is sent, so that the buyer does not wait for it.
 * @returns the mail's id; empty without an address
 */
export async function queueOrderMail(
  db: Database,
  { clock }: Pick<Context, 'clock'>,
  { kind, orderId, ...about }: { kind: OrderMailKind; orderId: string } & MailSubject,
): Promise<string> {
  const order = sql`(select id, contact_email from orders where id = ${orderId})`;
  const [mail] = await queryRows<{ id: string }>(db, orderMailStatement(kind, order, clock.now(), about));
  return mail?.id ?? '';
}

/**
 * Queues the mail with the link by which a buyer pays an order that staff sold, or a change that they made.
 * @throws {ApiError} order_closed for an order without an address
 */
export async function queuePaymentLink(
  db: Database,
  context: Pick<Context, 'clock'>,
  { orderId, changeId }: { orderId: string; changeId: string | null },
): Promise<void> {
  const kind = changeId === null ? 'order-payment-link' : 'order-change-link';
  const mailId = await queueOrderMail(db, context, { kind, orderId, changeId });
  if (mailId === '') throw new ApiError('order_closed', { reason: 'no_address_for_link' });
}

/** Older mails that were refused no longer matter. */
const REFUSED_DAYS = 30;

/** Whether a mail `m` about an order could not be delivered. */
export function isRefused(now: Date): SQL {
  const since = new Date(now.getTime() - REFUSED_DAYS * 24 * 3_600_000).toISOString();
  return sql`m.status = 'failed' and m.order_id is not null and m.inserted_at > ${since}::timestamptz`;
}

/** Whether mails reach an order `o`: it has an address, and no mail was refused there after the last delivered one. */
export function getsMails(now: Date): SQL {
  return sql`(${HAS_ADDRESS} and lower(o.contact_email) not in (
    select lower(m.to_address) from mails m where ${isRefused(now)} and not exists (
      select from mails later where lower(later.to_address) = lower(m.to_address)
        and later.status = 'sent' and later.inserted_at > m.inserted_at)))`;
}

/** The orders among some that mails reach. */
export async function findMailed(
  db: Database,
  { clock }: Pick<Context, 'clock'>,
  orderIds: readonly string[],
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`
    select o.id from orders o
    where o.id in (select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb)) and ${getsMails(clock.now())}`,
  );
  return rows.map(({ id }) => id);
}

const HAS_ADDRESS = sql`o.contact_email <> ''`;

/** Queues the same mail about several orders. */
export async function queueOrderMails(
  db: Database,
  { clock }: Pick<Context, 'clock'>,
  { kind, orderIds }: { kind: OrderMailKind; orderIds: readonly string[] },
): Promise<void> {
  const at = sql`${clock.now().toISOString()}::timestamptz`;
  const rows = JSON.stringify(orderIds.map((orderId) => ({ id: newId('mal'), order_id: orderId })));
  await db.execute(sql`
    insert into mails (id, kind, to_address, order_id, status, try_at, inserted_at)
    select w.id, ${kind}, o.contact_email, o.id, 'queued', ${at}, ${at}
    from jsonb_to_recordset(${rows}::jsonb) as w (id text, order_id text)
    join orders o on o.id = w.order_id
    where ${HAS_ADDRESS}`);
}

/**
 * The statement that queues it, for callers that confirm and queue in one statement.
 * @param order a relation with the columns id and contact_email
 */
export function orderMailStatement(
  kind: OrderMailKind,
  order: SQL,
  now: Date,
  { cancellationId = null, changeId = null }: MailSubject = {},
): SQL {
  const at = sql`${now.toISOString()}::timestamptz`;
  return sql`
    insert into mails (id, kind, to_address, order_id, cancellation_id, change_id, status, try_at, inserted_at)
    select ${newId('mal')}, ${kind}, o.contact_email, o.id, ${cancellationId}::text, ${changeId}::text,
      'queued', ${at}, ${at}
    from ${order} o
    where ${HAS_ADDRESS}
    returning id
  `;
}
