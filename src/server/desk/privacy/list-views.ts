import { eq, inArray } from 'drizzle-orm';
import { VIEW_ACTIONS } from '#contract/staff/audit/kinds.ts';
import { readAuditPage } from '#server/audit/read-audit.ts';
import type { Database } from '#server/database/database.ts';
import { orderLines, orders } from '#server/database/schema/sales.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { notFound } from '#server/http/api-error.ts';
import type { ListQuery } from '#server/http/list-query.ts';
import { findCustomer } from '#server/identity/customers.ts';

const ACTIONS = [...VIEW_ACTIONS, 'personal_data_exported', 'personal_data_erased'];

/**
 * The entries of the audit log about who looked at a customer's data: their account, trip cards and orders, and lists of the
 * boats that these orders are on.
 * @throws {ApiError} not_found
 */
export async function listCustomerViews(
  db: Database,
  { customerId, list }: { customerId: string; list: Omit<ListQuery, 'filters'> },
): ReturnType<typeof readAuditPage> {
  if (!(await findCustomer(db, customerId))) throw notFound();
  const cards = await db
    .select({ id: tripCards.id })
    .from(tripCards)
    .where(eq(tripCards.customerId, customerId));
  const own = await db.select({ id: orders.id }).from(orders).where(eq(orders.customerId, customerId));
  const orderIds = own.map(({ id }) => id);
  const boats = await db
    .selectDistinct({ id: orderLines.sailingId })
    .from(orderLines)
    .where(inArray(orderLines.orderId, orderIds));
  const ids = [customerId, ...cards.map(({ id }) => id), ...orderIds, ...boats.map(({ id }) => id)];
  return readAuditPage(db, {
    ...list,
    filters: [
      { field: 'object_id', op: 'in', values: ids },
      { field: 'action', op: 'in', values: ACTIONS },
    ],
  });
}
