import { needsSession } from '#contract/hosts.ts';
import type { pushCalls } from '#contract/orders/push/schemas.ts';
import type { Context } from '#server/context.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import { type Handlers, Reply } from '#server/http/handle-calls.ts';
import { hashEndpoint } from '#server/push/subscriptions.ts';
import { requireOrder } from '../queries.ts';
import { listMessages } from './list-messages.ts';
import { isSubscribed, moveSubscriptions, subscribe, unsubscribe, unsubscribeBrowser } from './subscribe.ts';

const KEY_MAX_AGE = 300;

/** Telling browsers about an order. Its link permits that, because it shows the order anyway. */
export function createPushHandlers(context: Context): Handlers<typeof pushCalls> {
  return {
    getPushKey: async () => new Reply({ public_key: context.push.publicKey }, { maxAge: KEY_MAX_AGE }),

    getPushSubscription: async ({ params }) => {
      await requireOrder(context, params.id);
      const endpointHash = params.endpoint_hash;
      return { is_on: await isSubscribed(context, { orderId: params.id, endpointHash }) };
    },

    subscribeToOrder: async ({ session, params, body }, c) => {
      const { order } = await requireOrder(context, params.id);
      const isForAccount = needsSession(body.host);
      if (isForAccount && session === null) throw new ApiError('unauthenticated');
      if (isForAccount && order.customerId !== session?.customerId) throw notFound();
      if (hashEndpoint(body.endpoint) !== params.endpoint_hash)
        throw new ApiError('invalid_input', { field: 'endpoint' });
      const { device, network } = readClient(c);
      const sessionId = isForAccount ? (session?.sessionId ?? null) : null;
      await subscribe(context, { orderId: order.id, sessionId, device, network, subscription: body });
      return { is_on: true };
    },

    unsubscribeFromOrder: async ({ params }) => {
      await requireOrder(context, params.id);
      await unsubscribe(context, { orderId: params.id, endpointHash: params.endpoint_hash });
      return { is_on: false };
    },

    listOrderMessages: async ({ session, params }, c) => {
      const { order } = await requireOrder(context, params.id);
      const isOwner = order.customerId !== null && order.customerId === session?.customerId;
      return listMessages(context, { orderId: order.id, isOwner, language: readClient(c).language });
    },

    movePushSubscriptions: ({ body: { old_endpoint, subscription } }, c) =>
      moveSubscriptions(context, {
        oldEndpoint: old_endpoint,
        subscription,
        network: readClient(c).network,
      }),

    deletePushSubscriptions: ({ body: { endpoint } }, c) =>
      unsubscribeBrowser(context, { endpoint, network: readClient(c).network }),
  };
}
