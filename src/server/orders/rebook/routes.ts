import type { rebookingCalls } from '#contract/orders/rebook/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import type { Context } from '#server/context.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import { presentRecord } from '../presenter.ts';
import { requireOrder } from '../queries.ts';
import { keepOpenTicket } from './open-ticket.ts';
import { readJourneys, readOptions } from './options.ts';
import { rebookOrder } from './rebook.ts';

const HOUR_SECONDS = 3600;

/** The choice of passengers whose sailing does not run as bought. Like the order's page, its link opens it. */
export function createRebookingHandlers(context: Context): Handlers<typeof rebookingCalls> {
  return {
    getOrderOptions: async ({ params }, c) =>
      readOptions(context, await requireOrder(context, params.id), readClient(c).language),

    listOrderJourneys: async ({ params, query }, c) =>
      readJourneys(context, await requireOrder(context, params.id), {
        ...query,
        language: readClient(c).language,
      }),

    rebookOrder: async ({ session, params, body }, c) =>
      answerChoice(context, { session, orderId: params.id, language: readClient(c).language }, (actor) =>
        rebookOrder(context, { ...body, orderId: params.id, actor }),
      ),

    keepOpenTicket: async ({ session, params, body }, c) =>
      answerChoice(context, { session, orderId: params.id, language: readClient(c).language }, () =>
        keepOpenTicket(context, { ...body, orderId: params.id }),
      ),
  };
}

/** Makes a choice, of which the buyer gets a mail, and answers the order. */
async function answerChoice(
  context: Context,
  {
    session,
    orderId,
    language,
  }: { session: { customerId: string } | null; orderId: string; language: string },
  choose: (actor: 'customer' | 'guest') => Promise<void>,
): Promise<Order> {
  const { order } = await requireOrder(context, orderId);
  const isOwner = order.customerId !== null && order.customerId === session?.customerId;
  await rateLimit(context, { name: 'order-rebook', who: order.id, limit: 10, windowSeconds: HOUR_SECONDS });
  await choose(isOwner ? 'customer' : 'guest');
  const { clock, ticketSigner } = context;
  const reader = { now: clock.now(), language, isOwner, ticketSigner };
  return presentRecord(await requireOrder(context, order.id), reader);
}
