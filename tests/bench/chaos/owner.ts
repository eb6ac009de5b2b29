import { randomUUID } from 'node:crypto';
import { api } from '#contract/api.ts';
import type { CancellationQuote } from '#contract/orders/cancel/schemas.ts';
import type { ChangeQuote, OrderChange } from '#contract/orders/change/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { insist, payAtProvider, type Send } from '#tests/process/shopper.ts';

/** An order with one adult, and the session of its owner. */
export type OwnedOrder = { id: string; sailing: string; token: string };

export const OWNER_ACTIONS = [
  'pays an order change',
  'abandons an order change',
  'cancels while an order change is paid',
] as const;
export type OwnerAction = (typeof OWNER_ACTIONS)[number];

type Owner = { send: Send; publishableKey: string; deadline: number };

/**
 * Adds a traveler to an order, which costs a second fare, and does what the action says meanwhile. A refusal ends it:
 * the boat may be full, late or canceled by now.
 */
export async function act(
  owner: Owner,
  action: OwnerAction,
  { id, sailing, token }: OwnedOrder,
): Promise<void> {
  const post = (path: string, body: object) => postAs(owner, token, path, body);
  const request = {
    journeys: [
      {
        ...{ direction: 'out', sailing_ids: [sailing], vehicle: null, bicycles: 0 },
        passengers: [{ type: 'adult', count: 2 }],
      },
    ],
  };
  const quote = await post(fillPath(api.quoteChange.path, { id }), request);
  if (!quote) return;
  const { version, difference } = quote as ChangeQuote;
  const change = await post(fillPath(api.createChange.path, { id }), { ...request, version, difference });
  const { id: changeId, status } = (change ?? {}) as Partial<OrderChange>;
  if (!changeId || status === 'done') return;
  const paths = { id, change_id: changeId };
  const payment = await post(fillPath(api.startChangePayment.path, paths), { method: 'card' });
  if (action === 'abandons an order change') {
    await insist(
      () => owner.send(fillPath(api.abandonChange.path, paths), { method: 'DELETE', token }),
      owner.deadline,
    );
    return;
  }
  const secret = (payment as { client_secret?: string } | null)?.client_secret;
  if (!secret) return;
  await Promise.all([
    payUnlessCanceled(owner, secret),
    ...(action === 'cancels while an order change is paid' ? [cancelAll(owner, { id, token })] : []),
  ]);
}

/** Cancels an order while its buyer pays. Too late: the order stays. */
export function cancelUnpaid(
  owner: Owner,
  { id, token }: Pick<OwnedOrder, 'id' | 'token'>,
): Promise<unknown> {
  return postAs(owner, token, fillPath(api.cancelOrder.path, { id }), {});
}

async function cancelAll(owner: Owner, { id, token }: Pick<OwnedOrder, 'id' | 'token'>): Promise<void> {
  const reply = await insist(
    () => owner.send(fillPath(api.listTickets.path, { id }), { token }),
    owner.deadline,
  );
  const tickets: { id: string }[] = reply.status === 200 ? reply.json().data : [];
  const body = { ticket_ids: tickets.map((ticket) => ticket.id) };
  const quote = await postAs(owner, token, fillPath(api.quoteCancellation.path, { id }), body);
  if (!quote) return;
  const { version, refund } = quote as CancellationQuote;
  await postAs(owner, token, fillPath(api.cancelTickets.path, { id }), { ...body, version, refund });
}

/** The card is charged, or the payment was canceled before. */
async function payUnlessCanceled({ send, publishableKey, deadline }: Owner, secret: string): Promise<void> {
  try {
    await payAtProvider(send, { secret, publishableKey, deadline });
  } catch (error) {
    if (!String(error).includes('The card was not charged')) throw error;
  }
}

/** @returns the data of the answer; null if it is a refusal */
async function postAs(
  { send, deadline }: Owner,
  token: string,
  path: string,
  body: object,
): Promise<unknown> {
  const idempotencyKey = randomUUID();
  const reply = await insist(() => send(path, { method: 'POST', body, token, idempotencyKey }), deadline);
  if (reply.status >= 500 || reply.status === 401)
    throw new Error(`${reply.status} at ${path}: ${reply.text}`);
  return reply.status < 300 ? reply.json().data : null;
}
