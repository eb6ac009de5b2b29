import type { cancellationCalls } from '#contract/cancellations/schemas.ts';
import type { Context } from '../context.ts';
import type { SignedIn } from '../http/api.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { readClient } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { presentRecord } from '../orders/presenter.ts';
import { type OrderRecord, requireOrder } from '../orders/queries.ts';
import { cancelAsQuoted, quoteCancellation } from './cancel.ts';
import { checkOrderCode, mailOrderCode } from './code.ts';

/** Cancellations by the buyer: the signed-in owner, or a guest who reads the buyer's mail. */
export function createCancellationHandlers(context: Context): Handlers<typeof cancellationCalls> {
  return {
    quoteCancellation: async ({ session, params, body }) => {
      const record = await requireOwnOrder(context, session, params.id);
      const isOwner = record.order.customerId !== null;
      return quoteCancellation(context, { record, ticketIds: body.ticket_ids, isOwner });
    },

    mailCancellationCode: async ({ session, params }, c) => {
      const { order } = await requireOwnOrder(context, session, params.id);
      if (order.customerId !== null || !['confirmed', 'partly_cancelled'].includes(order.status)) {
        throw new ApiError('change_not_allowed');
      }
      return mailOrderCode(context, { client: readClient(c), order });
    },

    cancelTickets: async ({ session, params, body }) => {
      const record = await requireOwnOrder(context, session, params.id);
      const isOwner = record.order.customerId !== null;
      await cancelAsQuoted(context, {
        record,
        ticketIds: body.ticket_ids,
        version: body.version,
        refund: body.refund,
        actor: isOwner ? 'customer' : 'guest',
        prove: isOwner ? async () => {} : await requireCode(context, record, body.proof),
      });
      const { clock, ticketSigner } = context;
      return presentRecord(await requireOrder(context, params.id), clock.now(), { isOwner, ticketSigner });
    },
  };
}

/**
 * An order that belongs to a customer is only for that customer.
 * @throws {ApiError} not_found, unauthenticated
 */
async function requireOwnOrder(context: Context, session: SignedIn | null, id: string): Promise<OrderRecord> {
  const record = await requireOrder(context, id);
  const { customerId } = record.order;
  if (customerId === null || customerId === session?.customerId) return record;
  if (session === null) throw new ApiError('unauthenticated');
  throw notFound();
}

function requireCode(
  context: Context,
  { order }: OrderRecord,
  proof: { temp: string; code: string } | undefined,
): ReturnType<typeof checkOrderCode> {
  if (proof === undefined) throw new ApiError('invalid_code', { field: 'proof' });
  return checkOrderCode(context, { order, proof });
}
