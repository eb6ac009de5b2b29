import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import { readAuditPage } from '#server/audit/read-audit.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { gateEvents, gateEventTickets } from '#server/database/schema/gate.ts';
import { invoices } from '#server/database/schema/invoices.ts';
import { cancellations, orderChanges, orders } from '#server/database/schema/sales.ts';
import { staffMembers } from '#server/database/schema/staff.ts';
import { notFound } from '#server/http/api-error.ts';
import { getInvoiceState, getToday } from '#server/invoices/ledger.ts';
import { presentRecord } from '#server/orders/presenter.ts';
import { listMessages } from '#server/orders/push/list-messages.ts';
import { requireOrder } from '#server/orders/queries.ts';
import { readOpenChoices } from '#server/orders/rebook/options.ts';
import { listShares } from '#server/orders/tickets/shares.ts';
import { findOpenRequest } from '../refunds/refund-requests.ts';
import { needsEmail } from './correct-order.ts';
import { listOrderNotes } from './order-notes.ts';
import { readPaymentLink } from './payment-link.ts';

const MAX_AUDIT_ENTRIES = 100;

type Viewing = { reference: string; language: string; actor: StaffActor };
type ReadContext = Pick<Context, 'db' | 'clock' | 'ticketSigner'>;

/**
 * An order as its owner sees it, with what happened to it. The log has that it was looked at.
 * @throws {ApiError} not_found
 */
export async function viewStaffOrder(context: ReadContext, viewing: Viewing): Promise<StaffOrder> {
  const staffOrder = await readStaffOrder(context, viewing);
  const viewed = { objectKind: 'order', objectId: staffOrder.order.id } as const;
  await recordView(context, { actor: viewing.actor, action: 'order_viewed', ...viewed });
  return staffOrder;
}

async function readStaffOrder(
  context: ReadContext,
  { reference, language, actor }: Viewing,
): Promise<StaffOrder> {
  const { db, clock, ticketSigner } = context;
  const orderId = await findOrderId(db, reference);
  const record = await requireOrder(context, orderId);
  const order = presentRecord(record, { now: clock.now(), language, isOwner: true, ticketSigner });
  const { entries } = await readAuditPage(db, {
    ...{ page: 1, pageSize: MAX_AUDIT_ENTRIES, offset: 0 },
    filters: [{ field: 'object_id', op: '==', values: [orderId] }],
  });
  return {
    order,
    notice_code: record.order.notice,
    choices: await readOpenChoices(context, record, language),
    needs_email: needsEmail(record.order),
    customer_id: record.order.customerId,
    payment_link: await readPaymentLink(context, record, language),
    invoice: await findInvoice(context, orderId),
    ticket_shares: await listShares({ db }, { record, isOwner: true }),
    messages: await listMessages(context, { orderId, isOwner: true, language }),
    notes: await listOrderNotes(db, orderId),
    refund_request: await findOpenRequest(db, { orderId, staffId: actor.staffId }),
    cancellations: await listCancellations(db, orderId),
    changes: await listChanges(db, orderId),
    scans: await listScans(db, new Map(order.tickets.map(({ id, title }) => [id, title]))),
    audit: entries,
  };
}

async function findInvoice(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  orderId: string,
): Promise<StaffOrder['invoice']> {
  const [row] = await db
    .select({ number: receipts.number, invoice: invoices })
    .from(invoices)
    .innerJoin(receipts, eq(receipts.id, invoices.receiptId))
    .where(eq(receipts.orderId, orderId));
  if (!row) return null;
  return { number: row.number, state: getInvoiceState(row.invoice, await getToday({ db, clock })) };
}

/** @throws {ApiError} not_found */
export async function findOrderId(db: Database, reference: string): Promise<string> {
  const [row] = await db.select({ id: orders.id }).from(orders).where(eq(orders.reference, reference));
  if (!row) throw notFound();
  return row.id;
}

async function listCancellations(db: Database, orderId: string): Promise<StaffOrder['cancellations']> {
  const rows = await db.select().from(cancellations).where(eq(cancellations.orderId, orderId));
  return rows.map(({ id, actor, fee, refund, insertedAt }) => ({
    ...{ id, actor, fee, refund },
    at: insertedAt.toISOString(),
  }));
}

async function listChanges(db: Database, orderId: string): Promise<StaffOrder['changes']> {
  const rows = await db.select().from(orderChanges).where(eq(orderChanges.orderId, orderId));
  return rows.map(({ id, actor, status, difference, updatedAt }) => ({
    ...{ id, actor, status, difference },
    at: updatedAt.toISOString(),
  }));
}

/** @param titles of the order's tickets, by id */
async function listScans(db: Database, titles: ReadonlyMap<string, string>): Promise<StaffOrder['scans']> {
  const ids = [...titles.keys()];
  if (ids.length === 0) return [];
  const rows = await db
    .select({
      at: gateEvents.occurredAt,
      type: gateEvents.type,
      device: gateEvents.device,
      staffName: staffMembers.name,
      override: gateEvents.override,
      ticketIds: sql<string[]>`array_agg(${gateEventTickets.ticketId})`,
    })
    .from(gateEventTickets)
    .innerJoin(gateEvents, eq(gateEvents.id, gateEventTickets.eventId))
    .leftJoin(staffMembers, eq(staffMembers.id, gateEvents.staffId))
    .where(inArray(gateEventTickets.ticketId, ids))
    .groupBy(gateEvents.id, staffMembers.id)
    .orderBy(asc(gateEvents.occurredAt));
  return rows.flatMap(({ at, type, device, staffName, override, ticketIds }) =>
    // Counts of people, printed lists and measured vehicles have no tickets.
    type === 'count' || type === 'print' || type === 'measure'
      ? []
      : [
          {
            ...{ type, device, override },
            at: at.toISOString(),
            staff_name: staffName,
            tickets: ticketIds.flatMap((id) => titles.get(id) ?? []),
          },
        ],
  );
}
