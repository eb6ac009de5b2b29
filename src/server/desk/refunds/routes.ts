import type { staffRefundCalls } from '#contract/desk/refunds/schemas.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { cancelAsQuoted, quoteCancellation } from '#server/orders/cancel/cancel.ts';
import { requireOrder } from '#server/orders/queries.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { findOrderId, viewStaffOrder } from '../orders/read-order.ts';
import { previewStaffRefund, refundByStaff } from './refund-beyond-rules.ts';
import { approveRefund, askForRefund, refuseRefund } from './refund-requests.ts';

/** Handlers for cancellations that staff make for a buyer, and for refunds beyond the fare's rules. */
export function createStaffRefundHandlers(context: Context): Handlers<typeof staffRefundCalls> {
  const describe = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  const findRecord = async (reference: string) =>
    requireOrder(context, await findOrderId(context.db, reference));
  const view = (reference: string, session: StaffSession, c: HttpContext) =>
    viewStaffOrder(context, {
      ...{ reference, language: readClient(c).language },
      actor: describe(session, c),
    });
  /** Both previews name travelers. */
  const recordLook = (orderId: string, actor: StaffActor) =>
    recordView(context, { actor, action: 'order_viewed', objectKind: 'order', objectId: orderId });
  return {
    quoteStaffCancellation: async ({ params, body, session }, c) => {
      const record = await findRecord(params.reference);
      const quote = await quoteCancellation(context, {
        ...{ record, ticketIds: body.ticket_ids },
        ...{ isOwner: true, language: readClient(c).language },
      });
      await recordLook(record.order.id, describe(session, c));
      return quote;
    },

    cancelStaffTickets: withStaffStepUp(context, async ({ params, body, session }, c) => {
      await cancelAsQuoted(context, {
        ...{ record: await findRecord(params.reference), ticketIds: body.ticket_ids },
        ...{ version: body.version, refund: body.refund, tripCardId: body.trip_card_id ?? null },
        ...{ actor: 'operator', staff: describe(session, c), prove: async () => {} },
      });
      return view(params.reference, session, c);
    }),

    previewStaffRefund: async ({ params, body, session }, c) => {
      const record = await findRecord(params.reference);
      const actor = describe(session, c);
      const reading = { actor, language: readClient(c).language };
      const preview = await previewStaffRefund(context, { record, refund: body, ...reading });
      await recordLook(record.order.id, actor);
      return preview;
    },

    refundStaffOrder: withStaffStepUp(context, async ({ params, body, session }, c) => {
      const record = await findRecord(params.reference);
      await refundByStaff(context, { record, refund: body, actor: describe(session, c) });
      return view(params.reference, session, c);
    }),

    askForRefund: async ({ params, body, session }, c) => {
      const record = await findRecord(params.reference);
      await askForRefund(context, { record, refund: body, actor: describe(session, c) });
      return view(params.reference, session, c);
    },

    approveRefund: withStaffStepUp(context, async ({ params, session }, c) => {
      const input = { requestId: params.id, actor: describe(session, c) };
      return view(await approveRefund(context, input), session, c);
    }),

    refuseRefund: async ({ params, session }, c) => {
      const input = { requestId: params.id, actor: describe(session, c) };
      return view(await refuseRefund(context, input), session, c);
    },
  };
}
