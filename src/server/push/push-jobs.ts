import { and, eq } from 'drizzle-orm';
import type { Host } from '#contract/hosts.ts';
import { fillPath, portalPages, staffPages, ticketPages } from '#contract/paths.ts';
import type { PushMessage } from '#contract/worker-messages.ts';
import type { Context } from '../context.ts';
import {
  type PushRow,
  type PushSubscriptionRow,
  pushes,
  pushSubscriptions,
} from '../database/schema/push.ts';
import { findTravelDocument, type TravelDocument } from '../documents/travel-document.ts';
import { type SendOutcome, sendDue } from '../jobs/send-due.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { findPushEnd, listAhead, writePush } from './push-texts.ts';
import { endSubscriptions, isOfActiveSession } from './subscriptions.ts';

type JobContext = Pick<Context, 'config' | 'db' | 'clock' | 'log' | 'push'>;

/** About eight hours of attempts. */
const ATTEMPTS = 20;
const LONGEST_WAIT_SECONDS = 1800;
const LEASE_SECONDS = 60;
/** A boat that leaves within a day is worth waking the phone for. */
const URGENT_MS = 24 * 3_600_000;

/** The page of an order on each host. The portal's addresses name orders by their references. */
const ORDER_PAGES: Readonly<Record<Host, (order: { id: string; reference: string }) => string>> = {
  tickets: ({ id }) => fillPath(ticketPages.confirmation, { id }),
  portal: ({ reference }) => `${portalPages.orders}?order=${reference}`,
  // Its pages show no orders, so they subscribe to none.
  staff: () => staffPages.home,
};

/** Registers the worker of 'send-due-pushes', which also runs every minute and sends every due push. */
export async function registerPushJobs(context: JobContext & Pick<Context, 'jobs'>): Promise<void> {
  const queue = {
    table: pushes,
    leaseSeconds: LEASE_SECONDS,
    attempts: ATTEMPTS,
    longestWaitSeconds: LONGEST_WAIT_SECONDS,
    send: (push: PushRow) => sendPush(context, push),
  };
  await context.jobs.work('send-due-pushes', (_, stopping) => sendDue(context, queue, stopping));
  await context.jobs.schedule('send-due-pushes', '* * * * *');
}

async function sendPush(context: JobContext, push: PushRow): Promise<SendOutcome> {
  const now = context.clock.now();
  const subscription = await findActiveSubscription(context, push);
  const document = subscription && (await findTravelDocument(context.db, push.orderId));
  if (!subscription || !document) return 'dropped';
  const end = findPushEnd(push.kind, { document, now });
  if (end <= now) return 'dropped';
  const [next] = listAhead(document, now);
  const outcome = await context.push.send({
    ...subscription,
    text: JSON.stringify(await writeMessage(context, { push, subscription, document })),
    ttlSeconds: Math.ceil((end.getTime() - now.getTime()) / 1000),
    urgency: next && next.departsAt.getTime() - now.getTime() < URGENT_MS ? 'high' : 'normal',
    // Random: the push service learns nothing about the order from it.
    topic: subscription.id.slice('psb_'.length),
  });
  if (outcome !== 'gone') return outcome === 'refused' ? 'failed' : outcome;
  await endSubscriptions(context.db, eq(pushSubscriptions.id, subscription.id));
  return 'dropped';
}

async function findActiveSubscription(
  { db, clock }: JobContext,
  { subscriptionId }: PushRow,
): Promise<PushSubscriptionRow | undefined> {
  if (subscriptionId === null) return undefined;
  const isActive = and(eq(pushSubscriptions.id, subscriptionId), isOfActiveSession(clock.now()));
  const [subscription] = await db.select().from(pushSubscriptions).where(isActive);
  return subscription;
}

/** What the worker of the browser shows and opens. */
async function writeMessage(
  context: JobContext,
  {
    push,
    subscription: { host },
    document,
  }: { push: PushRow; subscription: PushSubscriptionRow; document: TravelDocument },
): Promise<PushMessage> {
  const settings = await loadWebSettings(context);
  const { config, clock } = context;
  return {
    v: 1,
    ...writePush(push.kind, { document, settings, config, now: clock.now() }),
    language: document.order.locale,
    path: ORDER_PAGES[host](document.order),
  };
}
