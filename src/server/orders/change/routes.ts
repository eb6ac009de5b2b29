import type { changeCalls } from '#contract/orders/change/schemas.ts';
import type { Context } from '#server/context.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { DAY_SECONDS, rateLimit } from '#server/http/rate-limit.ts';
import { readPaymentInput } from '../buy/read-payment-input.ts';
import { requireOrderCode } from '../cancel/code.ts';
import { requireOwnOrder } from '../own-order.ts';
import { abandonOpenChange, presentChange, readChange, requireChange } from './abandon-change.ts';
import { makeChange, quoteChange } from './make-change.ts';
import { payChange } from './pay-change.ts';
import { readUnpaidChange } from './unpaid-change.ts';

/** Enough for a family that cannot decide, too few to hold places all day. */
const CHANGES_PER_ORDER = { name: 'order-changes', limit: 20, windowSeconds: DAY_SECONDS };

/** Changes by the buyer: the signed-in owner, or a guest who reads the buyer's mail. */
export function createChangeHandlers(context: Context): Handlers<typeof changeCalls> {
  return {
    quoteChange: async ({ session, params, body }, c) => {
      const record = await requireOwnOrder(context, session, params.id);
      const isOwner = record.order.customerId !== null;
      const { language } = readClient(c);
      return quoteChange(context, { record, request: body, isOwner, language });
    },

    createChange: async ({ session, params, body }) => {
      const record = await requireOwnOrder(context, session, params.id);
      const isOwner = record.order.customerId !== null;
      const { version, difference, proof, ...request } = body;
      await rateLimit(context, { ...CHANGES_PER_ORDER, who: params.id });
      const change = await makeChange(context, {
        ...{ record, request, version, difference },
        actor: isOwner ? 'customer' : 'guest',
        prove: isOwner ? async () => {} : await requireOrderCode(context, { order: record.order, proof }),
      });
      return presentChange(context, change);
    },

    getUnpaidChange: async ({ session, params }, c) => {
      const record = await requireOwnOrder(context, session, params.id);
      return { change: await readUnpaidChange(context, record, readClient(c).language) };
    },

    getChange: async ({ session, params }) => {
      await requireOwnOrder(context, session, params.id);
      return readChange(context, { orderId: params.id, changeId: params.change_id });
    },

    startChangePayment: async ({ session, params, body }, c) => {
      await requireOwnOrder(context, session, params.id);
      const client = readClient(c);
      const payment = readPaymentInput(session, { body, client });
      return payChange(context, {
        ...{
          orderId: params.id,
          changeId: params.change_id,
          network: client.network,
          language: client.language,
          payment,
        },
        payerId: session?.customerId ?? null,
      });
    },

    abandonChange: async ({ session, params }) => {
      await requireOwnOrder(context, session, params.id);
      const input = { orderId: params.id, changeId: params.change_id };
      const { status } = await requireChange(context, input);
      if (status === 'held' || status === 'awaiting_payment') await abandonOpenChange(context, params.id);
      return readChange(context, input);
    },
  };
}
