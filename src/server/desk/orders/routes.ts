import * as staffOrderEndpoints from '#contract/desk/orders/endpoints.ts';
import { MAX_FOUND, type staffOrderCalls } from '#contract/desk/orders/schemas.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { presentContact, presentSummary } from '#server/orders/presenter.ts';
import { findOrders, requireOrder } from '#server/orders/queries.ts';
import { issueReceipts } from '#server/orders/receipts/issue-receipts.ts';
import { revokeShare } from '#server/orders/tickets/shares.ts';
import { presentReceipt } from '#server/receipts/presenter.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { requireStaffStepUp } from '#server/staff/step-up.ts';
import { findCustomers } from '../customers/find-customers.ts';
import { correctOrder, mailTickets } from './correct-order.ts';
import { findOrderIds } from './find-orders.ts';
import { addOrderNote } from './order-notes.ts';
import { cancelPaymentLink, mailPaymentLink, takeOrderPayment } from './payment-link.ts';
import { findOrderId, viewStaffOrder } from './read-order.ts';

/** Handlers for finding, reading and correcting any order. */
export function createStaffOrderHandlers(context: Context): Handlers<typeof staffOrderCalls> {
  const describe = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  const view = (reference: string, session: StaffSession, c: HttpContext) =>
    viewStaffOrder(context, {
      ...{ reference, language: readClient(c).language },
      actor: describe(session, c),
    });
  return {
    findStaffOrders: async ({ query: { q }, session }, c) => {
      const viewed = { objectKind: 'call', objectId: staffOrderEndpoints.findStaffOrders.path } as const;
      await recordView(context, { actor: describe(session, c), action: 'orders_searched', ...viewed });
      const ids = await findOrderIds(context.db, { search: q, limit: MAX_FOUND + 1 });
      const reading = { now: context.clock.now(), language: readClient(c).language };
      const records = await findOrders(context.db, ids.slice(0, MAX_FOUND));
      return {
        orders: records.map((record) => ({
          ...presentSummary(record, reading),
          contact: presentContact(record.order),
        })),
        has_more: ids.length > MAX_FOUND,
        customers: await findCustomers(context.db, q),
      };
    },

    getStaffOrder: ({ params, session }, c) => view(params.reference, session, c),

    correctStaffOrder: async ({ params, body, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      const { order } = await requireOrder(context, orderId);
      const { contact } = body;
      if (contact !== undefined && contact.email !== order.contactEmail) requireStaffStepUp(context, session);
      await correctOrder(context, { orderId, actor: describe(session, c), correction: body });
      return view(params.reference, session, c);
    },

    mailStaffTickets: async ({ params, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      await mailTickets(context, { orderId, actor: describe(session, c) });
      return view(params.reference, session, c);
    },

    mailPaymentLink: async ({ params, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      await mailPaymentLink(context, { orderId, actor: describe(session, c) });
      return view(params.reference, session, c);
    },

    cancelPaymentLink: async ({ params, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      await cancelPaymentLink(context, { orderId, actor: describe(session, c) });
      return view(params.reference, session, c);
    },

    takeOrderPayment: async ({ params, body: { payment }, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      await takeOrderPayment(context, { orderId, payment, cashier: describe(session, c) });
      return view(params.reference, session, c);
    },

    revokeStaffTicketShare: async ({ params, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      await revokeShare(context, { orderId, shareId: params.share_id, staff: describe(session, c) });
      return view(params.reference, session, c);
    },

    issueStaffReceipts: async ({ params, body: { recipient }, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      const issued = await issueReceipts(context, { orderId, recipient, by: describe(session, c) });
      return issued.map(presentReceipt);
    },

    addOrderNote: async ({ params, body: { text }, session }, c) => {
      const orderId = await findOrderId(context.db, params.reference);
      await addOrderNote(context, { orderId, text, actor: describe(session, c) });
      return view(params.reference, session, c);
    },
  };
}
