import * as z from 'zod/mini';
import { InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { listHostsOf } from '#contract/hosts.ts';
import * as endpoints from './endpoints.ts';

/** Browsers that are told about one order at the same time. */
export const MAX_PUSH_SUBSCRIPTIONS = 10;

/** The address of a browser at its push service. It is secret: it names the browser, and permits to write to it. */
const EndpointSchema = z.string().check(z.minLength(1), z.maxLength(1024), z.regex(/^https?:\/\/\S+$/));

/** What `PushSubscription.toJSON` of a browser contains, with its keys in base64url (RFC 8291). */
const BrowserSubscriptionSchema = z.object({
  endpoint: EndpointSchema,
  keys: z.object({
    /** A point on P-256, uncompressed. */
    p256dh: z.string().check(z.regex(/^[\w-]{87}$/)),
    /** 16 bytes. */
    auth: z.string().check(z.regex(/^[\w-]{22}$/)),
  }),
});
export type BrowserSubscription = z.infer<typeof BrowserSubscriptionSchema>;

const SubscribeSchema = z.extend(BrowserSubscriptionSchema, {
  /** The host whose worker shows the push and opens the order. One that needs a session is only for the order's signed-in owner. */
  host: z.enum(listHostsOf('customer')),
});
export type Subscribe = z.infer<typeof SubscribeSchema>;

const PushStateSchema = z.object({
  /** Whether this browser is told about the order. */
  is_on: z.boolean(),
});

/** Something that we told about an order, by mail, push or text message. */
export const OrderMessageSchema = z.object({
  channel: z.enum(['mail', 'push', 'sms']),
  /** What it says, in a few words. */
  title: z.string(),
  /**
   * The mail's address or the telephone number, masked for everyone except the order's owner, or the kind of device:
   * "Safari on iPhone".
   */
  to: z.string(),
  status: z.enum(['waiting', 'sent', 'failed']),
  /** When it was sent, or queued while it waits. */
  at: InstantSchema,
});
export type OrderMessage = z.infer<typeof OrderMessageSchema>;

export const pushCalls = describeCalls(endpoints, {
  getPushKey: {
    summary: 'Get the public key with which browsers subscribe (VAPID, RFC 8292)',
    response: z.object({ public_key: z.string() }),
  },
  getPushSubscription: {
    summary: 'Tell whether a browser is told about an order; it is named by the SHA-256 of its endpoint',
    response: PushStateSchema,
    errors: ['not_found'],
  },
  subscribeToOrder: {
    summary: 'Tell a browser when something happens to the sailings of an order',
    body: SubscribeSchema,
    response: PushStateSchema,
    errors: ['not_found', 'unauthenticated', 'order_closed', 'too_many_push_subscriptions', 'rate_limited'],
  },
  unsubscribeFromOrder: {
    summary: 'Tell a browser nothing more about an order',
    response: PushStateSchema,
    errors: ['not_found'],
  },
  listOrderMessages: {
    summary: 'List what was sent about an order, newest first',
    response: z.array(OrderMessageSchema),
    errors: ['not_found'],
  },
  movePushSubscriptions: {
    summary: 'Replace the endpoint and keys of a browser, whose push service has changed them',
    body: z.strictObject({ old_endpoint: EndpointSchema, subscription: BrowserSubscriptionSchema }),
    response: z.null(),
    errors: ['rate_limited'],
  },
  deletePushSubscriptions: {
    summary: 'Tell a browser nothing more about any order',
    body: z.strictObject({ endpoint: EndpointSchema }),
    response: z.null(),
    errors: ['rate_limited'],
  },
});
