import type { cancellationCalls } from '#contract/orders/cancel/schemas.ts';
import type { Context } from '#server/context.ts';
import type { OrderRow } from '#server/database/schema/sales.ts';
import type { CustomerSession } from '#server/http/api.ts';
import { ApiError } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requireStepUp } from '#server/identity/security/step-up.ts';
import { requireOwnOrder } from '../own-order.ts';
import { presentRecord } from '../presenter.ts';
import { requireOrder } from '../queries.ts';
import { cancelAsQuoted, quoteCancellation } from './cancel.ts';
import { mailOrderCode, proveBuyer, requireOrderCode } from './code.ts';

/** Cancellations by the buyer: the signed-in owner, or a guest who reads the buyer's mail. */
export function createCancellationHandlers(context: Context): Handlers<typeof cancellationCalls> {
  return {
    quoteCancellation: async ({ session, params, body }, c) => {
      const record = await requireOwnOrder(context, session, params.id);
      const isOwner = record.order.customerId !== null;
      const { language } = readClient(c);
      return quoteCancellation(context, { record, ticketIds: body.ticket_ids, isOwner, language });
    },

    mailCancellationCode: async ({ session, params }, c) => {
      const order = await requireGuestsOrder(context, session, params.id);
      return mailOrderCode(context, { client: readClient(c), order });
    },

    proveBuyer: async ({ session, params, body: { proof } }) => {
      const order = await requireGuestsOrder(context, session, params.id);
      return proveBuyer(context, { order, proof });
    },

    cancelTickets: async ({ session, params, body }, c) => {
      const record = await requireOwnOrder(context, session, params.id);
      const isOwner = record.order.customerId !== null;
      const tripCardId = body.trip_card_id ?? null;
      if (tripCardId !== null && session !== null) await requireStepUp(context, session);
      await cancelAsQuoted(context, {
        record,
        ticketIds: body.ticket_ids,
        version: body.version,
        refund: body.refund,
        tripCardId,
        actor: isOwner ? 'customer' : 'guest',
        prove: isOwner
          ? async () => {}
          : await requireOrderCode(context, { order: record.order, proof: body.proof }),
      });
      const { clock, ticketSigner } = context;
      const { language } = readClient(c);
      const reader = { now: clock.now(), language, isOwner, ticketSigner };
      return presentRecord(await requireOrder(context, params.id), reader);
    },
  };
}

/** A paid order that belongs to no account, so that a mailed code proves its buyer. */
async function requireGuestsOrder(
  context: Context,
  session: CustomerSession | null,
  id: string,
): Promise<OrderRow> {
  const { order } = await requireOwnOrder(context, session, id);
  if (order.customerId !== null || !['confirmed', 'partly_canceled'].includes(order.status)) {
    throw new ApiError('change_not_allowed');
  }
  return order;
}
