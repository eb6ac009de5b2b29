import type { rebookingCalls } from '#contract/rebooking/schemas.ts';
import type { Context } from '../context.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { presentRecord } from '../orders/presenter.ts';
import { requireOrder } from '../orders/queries.ts';
import { readOptions } from './options.ts';
import { rebookOrder } from './rebook.ts';

const HOUR_SECONDS = 3600;

/** The choice of passengers whose sailing does not run as bought. Like the order's page, its link opens it. */
export function createRebookingHandlers(context: Context): Handlers<typeof rebookingCalls> {
  return {
    getOrderOptions: async ({ params }) => readOptions(context, await requireOrder(context, params.id)),

    rebookOrder: async ({ session, params, body }) => {
      const { order } = await requireOrder(context, params.id);
      const isOwner = order.customerId !== null && order.customerId === session?.customerId;
      // Each choice mails the buyer.
      await rateLimit(context, {
        name: 'order-rebook',
        who: order.id,
        limit: 10,
        windowSeconds: HOUR_SECONDS,
      });
      await rebookOrder(context, { ...body, orderId: order.id, actor: isOwner ? 'customer' : 'guest' });
      const { clock, ticketSigner } = context;
      return presentRecord(await requireOrder(context, order.id), clock.now(), { isOwner, ticketSigner });
    },
  };
}
