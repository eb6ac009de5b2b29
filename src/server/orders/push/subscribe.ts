import { and, eq, ne, sql } from 'drizzle-orm';
import {
  type BrowserSubscription,
  MAX_PUSH_SUBSCRIPTIONS,
  type Subscribe,
} from '#contract/orders/push/schemas.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { pushSubscriptions } from '#server/database/schema/push.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { HOUR_SECONDS, rateLimit } from '#server/http/rate-limit.ts';
import { isPublicKey } from '#server/push/encrypt-push.ts';
import { endSubscriptions, hashEndpoint, isOfActiveSession } from '#server/push/subscriptions.ts';
import { lockOrder } from '../confirm-order.ts';

/** Many passengers share the network of a terminal. */
const SUBSCRIPTIONS_OF_NETWORK = {
  name: 'push-subscriptions-network',
  limit: 300,
  windowSeconds: HOUR_SECONDS,
};

export async function isSubscribed(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { orderId, endpointHash }: { orderId: string; endpointHash: string },
): Promise<boolean> {
  const isThis = and(
    eq(pushSubscriptions.orderId, orderId),
    eq(pushSubscriptions.endpointHash, endpointHash),
    isOfActiveSession(clock.now()),
  );
  return (await db.$count(pushSubscriptions, isThis)) > 0;
}

/**
 * Subscribes a browser to an order; again with the same endpoint only updates its keys.
 * @param input sessionId: of the portal
 * @throws {ApiError} order_closed, too_many_push_subscriptions, rate_limited, invalid_input
 */
export async function subscribe(
  context: Context,
  {
    orderId,
    sessionId,
    device,
    network,
    subscription: { host, ...browser },
  }: {
    orderId: string;
    sessionId: string | null;
    device: string;
    network: string;
    subscription: Subscribe;
  },
): Promise<void> {
  await rateLimit(context, { ...SUBSCRIPTIONS_OF_NETWORK, who: network });
  const columns = readColumns(context, browser);
  await inTransaction(context.db, async (tx) => {
    // Locked, so that concurrent requests cannot exceed the number of browsers together.
    const order = await lockOrder(tx, orderId);
    if (order?.status !== 'confirmed' && order?.status !== 'partly_canceled')
      throw new ApiError('order_closed');
    const isOther = and(
      eq(pushSubscriptions.orderId, orderId),
      ne(pushSubscriptions.endpointHash, columns.endpointHash),
      isOfActiveSession(context.clock.now()),
    );
    if ((await tx.$count(pushSubscriptions, isOther)) >= MAX_PUSH_SUBSCRIPTIONS)
      throw new ApiError('too_many_push_subscriptions');
    const row = { ...columns, host, sessionId, device };
    await tx
      .insert(pushSubscriptions)
      .values({ id: newId('psb'), orderId, ...row, insertedAt: context.clock.now() })
      .onConflictDoUpdate({ target: [pushSubscriptions.orderId, pushSubscriptions.endpointHash], set: row });
  });
}

/** Ends the subscription of a browser to one order; without one nothing happens. */
export async function unsubscribe(
  { db }: Pick<Context, 'db'>,
  { orderId, endpointHash }: { orderId: string; endpointHash: string },
): Promise<void> {
  await endSubscriptions(
    db,
    and(eq(pushSubscriptions.orderId, orderId), eq(pushSubscriptions.endpointHash, endpointHash)),
  );
}

/** Ends all subscriptions of a browser. */
export async function unsubscribeBrowser(
  context: Context,
  { endpoint, network }: { endpoint: string; network: string },
): Promise<void> {
  await rateLimit(context, { ...SUBSCRIPTIONS_OF_NETWORK, who: network });
  await endSubscriptions(context.db, eq(pushSubscriptions.endpointHash, hashEndpoint(endpoint)));
}

/**
 * Moves all subscriptions of a browser to its new endpoint. Only the browser and its push service know the old one.
 * @throws {ApiError} invalid_input, rate_limited
 */
export async function moveSubscriptions(
  context: Context,
  {
    oldEndpoint,
    subscription,
    network,
  }: { oldEndpoint: string; subscription: BrowserSubscription; network: string },
): Promise<void> {
  await rateLimit(context, { ...SUBSCRIPTIONS_OF_NETWORK, who: network });
  const columns = readColumns(context, subscription);
  const isOld = eq(pushSubscriptions.endpointHash, hashEndpoint(oldEndpoint));
  await inTransaction(context.db, async (tx) => {
    // The page may have subscribed the new endpoint already.
    const isDouble = sql`exists (
      select from push_subscriptions n
      where n.order_id = ${pushSubscriptions.orderId} and n.endpoint_hash = ${columns.endpointHash})`;
    if (columns.endpointHash !== hashEndpoint(oldEndpoint)) await endSubscriptions(tx, and(isOld, isDouble));
    await tx.update(pushSubscriptions).set(columns).where(isOld);
  });
}

/** @throws {ApiError} invalid_input for an endpoint that cannot be one of a push service, and for keys that are none */
function readColumns(
  { push }: Pick<Context, 'push'>,
  { endpoint, keys: { p256dh, auth } }: BrowserSubscription,
) {
  if (!push.accepts(endpoint)) throw new ApiError('invalid_input', { field: 'endpoint' });
  if (!isPublicKey(p256dh)) throw new ApiError('invalid_input', { field: 'keys.p256dh' });
  return { endpoint, endpointHash: hashEndpoint(endpoint), p256dh, auth };
}
