import { createHmac } from 'node:crypto';
import { settlePayout } from './api/payouts.ts';
import { settleRefund } from './api/refunds.ts';
import type { ProviderContext } from './context.ts';
import { readKnobs } from './knobs.ts';
import type { EventDoc } from './records.ts';
import { beginUnit, Outdated } from './unit-of-work.ts';

export type DeliveryTarget = { webhookUrl: string; deliverWebhook: (request: Request) => Promise<Response> };

type Claim = { id: string; event_id: string; attempts: number; doc: EventDoc | null };

const leaseLasts = 30_000;
const answerWithin = 10_000;
const retries = [1, 5, 15, 60, 300, 1800, 3600, 7200, 14_400, 28_800, 57_600].map(
  (seconds) => seconds * 1000,
);

/**
 * Sends due webhooks and settles pending refunds and payouts. A delivery in progress is leased: if its process dies, another one
 * sends it after the lease. Delivery is at least once and unordered.
 *
 * `everything` includes deliveries that are not due. Returns the number of deliveries attempted.
 */
export async function deliverDue(
  provider: ProviderContext,
  target: DeliveryTarget,
  everything = false,
): Promise<number> {
  await wakeObjects(provider, everything);
  let tried = 0;
  for (;;) {
    const claims = await claim(provider, everything, tried);
    if (claims.length === 0) return tried;
    for (const delivery of claims) await deliver(provider, target, delivery);
    tried += claims.length;
  }
}

/** Sends an event again as a new delivery. False if it does not exist. */
export async function deliverAgain(provider: ProviderContext, eventId: string): Promise<boolean> {
  const now = provider.clock().getTime();
  const rows = await provider.store.query(
    `insert into sandbox.deliveries (event_id, due_ms, created_ms)
     select id, $2::double precision, $2::double precision from sandbox.objects where id = $1 and object = 'event'
     returning event_id`,
    [eventId, now],
  );
  if (rows.length === 0) return false;
  provider.triggerDelivery();
  return true;
}

/** The provider's signature scheme: `t` and the HMAC of `t`, a dot and the raw body. */
function signWebhook(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

async function claim(provider: ProviderContext, everything: boolean, tried: number): Promise<Claim[]> {
  const now = provider.clock().getTime();
  // A delivery that failed in this run is not retried in it, even with `everything`.
  const due = everything && tried === 0 ? Number.MAX_SAFE_INTEGER : now;
  const { reorder } = await readKnobs(provider.store);
  const rows = await provider.store.query<Claim>(
    `with claimed as (
       update sandbox.deliveries set leased_ms = $1::double precision + $2::double precision, attempts = attempts + 1
       where id in (
         select id from sandbox.deliveries
         where state = 'pending' and due_ms <= $3 and coalesce(leased_ms, 0) <= $1::double precision
         order by due_ms, id limit ${everything ? 1000 : 20} for update skip locked
       )
       returning id, event_id, attempts
     )
     select c.id::text as id, c.event_id, c.attempts, o.doc
     from claimed c left join sandbox.objects o on o.id = c.event_id
     order by c.id`,
    [now, leaseLasts, due],
  );
  return reorder ? rows.reverse() : rows;
}

async function deliver(provider: ProviderContext, target: DeliveryTarget, delivery: Claim): Promise<void> {
  const answer = delivery.doc ? await send(provider, target, delivery.doc) : 'the event is gone';
  const delivered = answer.startsWith('2') || !delivery.doc;
  const wait = retries[delivery.attempts - 1];
  const state = delivered ? 'delivered' : wait === undefined ? 'given_up' : 'pending';
  await provider.store.query(
    `update sandbox.deliveries set state = $2, last_answer = $3, leased_ms = null, due_ms = $4 where id = $1::bigint`,
    [delivery.id, state, answer, provider.clock().getTime() + (wait ?? 0)],
  );
}

/** The merchant's response status, or why there was no response. */
async function send(provider: ProviderContext, target: DeliveryTarget, event: EventDoc): Promise<string> {
  const body = JSON.stringify(event, null, 2);
  const seconds = Math.floor(provider.clock().getTime() / 1000);
  const request = new Request(target.webhookUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': signWebhook(body, provider.keys().webhookSecret, seconds),
    },
    body,
  });
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer in time')), answerWithin);
  try {
    const response = await Promise.race([target.deliverWebhook(request), tooLate]);
    await response.body?.cancel();
    return String(response.status);
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

/** Applies scheduled changes of objects. */
async function wakeObjects(provider: ProviderContext, everything: boolean): Promise<void> {
  const now = provider.clock().getTime();
  const rows = await provider.store.query<{ id: string }>(
    'select id from sandbox.objects where wake_ms <= $1 order by wake_ms limit 50',
    [everything ? Number.MAX_SAFE_INTEGER : now],
  );
  for (const { id } of rows) await wake(provider, id);
}

async function wake(provider: ProviderContext, id: string): Promise<void> {
  const unit = beginUnit(provider, await readKnobs(provider.store));
  const refund = await unit.find('refund', id);
  const payout = await unit.find('payout', id);
  if (typeof refund?.wakeAt === 'number') await settleRefund(unit, refund);
  else if (typeof payout?.wakeAt === 'number') settlePayout(unit, payout);
  else return;
  try {
    await unit.commit();
  } catch (error) {
    // Another process was faster.
    if (!(error instanceof Outdated)) throw error;
  }
}
