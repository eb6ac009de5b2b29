import type { CorrectOrder } from '#contract/desk/orders/schemas.ts';
import { recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { storeOrderChange } from '#server/orders/change-order.ts';
import { lockOrder } from '#server/orders/confirm-order.ts';
import { requireOrder } from '#server/orders/queries.ts';
import { hasTickets, isUnpaid } from '#server/orders/unpaid.ts';

type OrderInput = { orderId: string; actor: StaffActor };

/**
 * Corrects the contact or the travelers' names of an order as its buyer could, also after check-in has closed. The log has
 * which fields changed, not what was in them, because it is never erased.
 * @throws {ApiError} not_found; order_closed for an order that was not paid in time, and for tickets to be mailed that it
 * does not have; invalid_input for more names than travelers, and for a contact without what the order needs
 */
export async function correctOrder(
  context: Context,
  { orderId, actor, correction }: OrderInput & { correction: CorrectOrder },
): Promise<void> {
  const { contact, traveler_names: names, mail_tickets: isMailed } = correction;
  const record = await requireOrder(context, orderId);
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound();
    if (order.confirmedAt === null && !isUnpaid(order)) throw new ApiError('order_closed');
    if (contact) requireContact(order, contact);
    await storeOrderChange(tx, context, { record, order, change: { contact, traveler_names: names } });
    if (isMailed) await queueTickets(tx, context, order);
    const isChanged = {
      contact_name: contact !== undefined && contact.name !== order.contactName,
      contact_email: contact !== undefined && contact.email !== order.contactEmail,
      contact_phone: contact !== undefined && contact.phone !== order.contactPhone,
      traveler_names: names !== undefined,
    };
    const changed = Object.entries(isChanged).flatMap(([field, is]) => (is ? [[field, 'changed']] : []));
    await recordAudit(tx, context, {
      ...{ actor, action: 'order_corrected', objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: { ...Object.fromEntries(changed), mailed: isMailed } },
    });
  });
  wakeMailWorker(context.jobs);
}

/** Whether an order must keep a mail address: its buyer gave one online, and finds and changes the order by it. */
export function needsEmail({ soldBy }: Pick<OrderRow, 'soldBy'>): boolean {
  return soldBy === null;
}

/** Staff must be able to reach a buyer for whom places are held. */
function requireContact(order: OrderRow, { name, email, phone }: NonNullable<CorrectOrder['contact']>): void {
  const invalid = (field: string) => new ApiError('invalid_input', { field: `contact.${field}` });
  if (name === '' && order.contactName !== '') throw invalid('name');
  if (email === '' && needsEmail(order)) throw invalid('email');
  if (email === '' && phone === '' && order.confirmedAt === null) throw invalid('phone');
}

/**
 * Mails the tickets of an order again.
 * @throws {ApiError} not_found; order_closed for an order without tickets
 */
export async function mailTickets(context: Context, { orderId, actor }: OrderInput): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound();
    await queueTickets(tx, context, order);
    await recordAudit(tx, context, {
      ...{ actor, action: 'order_tickets_mailed', objectKind: 'order', objectId: orderId, reason: null },
      ...{ before: {}, after: {} },
    });
  });
  wakeMailWorker(context.jobs);
}

/** Orders that were sold at the ramp may have no address. */
async function queueTickets(tx: Database, context: Context, order: OrderRow): Promise<void> {
  const mailId = hasTickets(order)
    ? await queueOrderMail(tx, context, { kind: 'order-confirmed', orderId: order.id })
    : '';
  if (mailId === '') throw new ApiError('order_closed', { reason: 'no_tickets_to_mail' });
}
