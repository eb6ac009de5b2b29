import { movePushSubscriptions } from '#contract/orders/push/endpoints.ts';
import { PROTOCOL, type PushMessage } from '#contract/worker-messages.ts';
import { fetchWithTimeout } from './network.ts';
import type { WorkerContext } from './worker-context.ts';

/** Timeout of the request that reports a renewed subscription, in milliseconds. */
const REPORT_TIMEOUT = 30_000;
const ICON = '/icon-192.png';

/** Shows a push. Its page is the tag, so that it replaces an earlier one about the same order. */
export async function showPush(context: WorkerContext, data: unknown): Promise<void> {
  const push = findPush(data);
  if (push === null) return;
  const { title, body, language, path } = push;
  await context.notify(title, { body, lang: language, tag: path, icon: ICON, data: { path } });
}

/** Shows the page of a pressed notification, in the tab that has it open if there is one. */
export async function openPush(context: WorkerContext, data: unknown): Promise<void> {
  const path = readPath((data as { path?: unknown } | null)?.path);
  if (path === null) return;
  const address = new URL(path, context.origin).href;
  const open = (await context.tabs()).find(({ url }) => url === address);
  if (open) await open.focus();
  else await context.open(address);
}

/** What a browser tells about its subscription when its push service has changed it. */
export type SubscriptionChange = {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
};

/** Subscribes again where the browser has not, and has the server replace the old endpoint. */
export async function moveSubscription(
  context: WorkerContext,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  // A browser that does not say which one ended: the order's page shows that it is off.
  if (!oldSubscription) return;
  const subscription = newSubscription ?? (await context.subscribe(oldSubscription.options));
  const { endpoint, keys } = subscription.toJSON();
  const body = { old_endpoint: oldSubscription.endpoint, subscription: { endpoint, keys } };
  await fetchWithTimeout(context, movePushSubscriptions.path, REPORT_TIMEOUT, {
    method: movePushSubscriptions.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Null for data of another version. */
function findPush(data: unknown): PushMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { v, title, body, language, path } = data as Partial<Record<keyof PushMessage, unknown>>;
  const checked = readPath(path);
  if (v !== PROTOCOL || checked === null) return null;
  return { v, title: String(title), body: String(body), language: String(language), path: checked };
}

/** Null for anything else than a page of this host. */
function readPath(path: unknown): string | null {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) ? path : null;
}
