import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Reply } from './http-client.ts';
import { dataOf, insist, KEEP_TRYING_MS, payAtProvider, RETRY_MS, type Send } from './shopper.ts';

/** The signed-in owner of the order at `path`, who repeats what gets no response. */
export type OrderOwner = { send: Send; token: string; publishableKey: string; path: string };
type Order = {
  status: string;
  version: number;
  legs: { leg: string; sailing_id: string }[];
  tickets: { id: string; status: string; leg: string }[];
};

export async function readOrder({ send, token, path }: OrderOwner): Promise<Order> {
  return dataOf(await insist(() => send(path, { token }), deadline()));
}

export function validTickets({ tickets, legs }: Order): { id: string; sailing_id: string | undefined }[] {
  return tickets
    .filter(({ status }) => status === 'issued')
    .map(({ id, leg }) => ({ id, sailing_id: legs.find((each) => each.leg === leg)?.sailing_id }));
}

/** Cancels tickets until this many are left. A first try may have succeeded although its response was lost. */
export async function cancelDownTo(owner: OrderOwner, left: number): Promise<void> {
  for (;;) {
    const tickets = validTickets(await readOrder(owner));
    if (tickets.length <= left) return;
    const ticketIds = tickets.slice(left).map(({ id }) => id);
    const body = { ticket_ids: ticketIds };
    const quoted = await post(owner, '/cancellations/quote', body);
    if (isOutdated(quoted)) continue;
    const { version, refund } = dataOf(quoted);
    const canceled = await post(owner, '/cancellations', { ...body, version, refund });
    if (!isOutdated(canceled)) dataOf(canceled);
  }
}

/** Moves the order to another sailing with this many adults, and pays what is to be paid. */
export async function changeTo(
  owner: OrderOwner,
  { sailing, adults }: { sailing: string; adults: number },
): Promise<void> {
  const passengers = [{ type: 'adult', count: adults }];
  const journeys = [{ direction: 'out', sailing_ids: [sailing], passengers, vehicle: null, bicycles: 0 }];
  for (;;) {
    const tickets = validTickets(await readOrder(owner));
    if (tickets.length === adults && tickets.every((ticket) => ticket.sailing_id === sailing)) return;
    const quoted = await post(owner, '/changes/quote', { journeys });
    if (isOutdated(quoted)) continue;
    const { version, difference } = dataOf(quoted);
    const created = await post(owner, '/changes', { journeys, version, difference });
    if (isOutdated(created)) continue;
    const change = dataOf(created);
    if (change.status !== 'done') await payChange(owner, change.id);
  }
}

/** The browser asks for the payment, which finds out at the provider what a lost webhook told. */
async function payChange(owner: OrderOwner, changeId: string): Promise<void> {
  const { send, token, publishableKey } = owner;
  const started = await post(owner, `/changes/${changeId}/payments`, { method: 'card' });
  if (isOutdated(started)) return;
  const { id, client_secret: secret } = dataOf(started);
  await payAtProvider(send, { secret, publishableKey, deadline: deadline() });
  for (;;) {
    dataOf(await insist(() => send(`${owner.path}/payments/${id}`, { token }), deadline()));
    const path = `${owner.path}/changes/${changeId}`;
    const { status } = dataOf(await insist(() => send(path, { token }), deadline()));
    if (status === 'done') return;
    expect(['held', 'awaiting_payment']).toContain(status);
    await delay(RETRY_MS);
  }
}

function post({ send, token, path }: OrderOwner, call: string, body: object): Promise<Reply> {
  const idempotencyKey = randomUUID();
  return insist(() => send(path + call, { body, token, idempotencyKey }), deadline());
}

/** The call before it succeeded, and its response was lost with its process. Then a change may change nothing. */
function isOutdated(reply: Reply): boolean {
  if (reply.status !== 422 && reply.status !== 409) return false;
  const [{ code, message }] = reply.json().errors;
  const outdated = ['version_conflict', 'already_paid', 'payment_in_progress'];
  return outdated.includes(code) || message.startsWith('Nothing would change');
}

function deadline(): number {
  return performance.now() + KEEP_TRYING_MS;
}
