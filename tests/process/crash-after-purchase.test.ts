import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { auditBooks, cleanBooks } from './books.ts';
import type { Reply } from './http-client.ts';
import { drawKills, openKilledOffice } from './killed-office.ts';
import { newEmbeddedPlace, newPostgresPlace, type Place } from './places.ts';
import { endAll } from './server-process.ts';
import {
  buyTicket,
  dataOf,
  insist,
  KEEP_TRYING_MS,
  payAtProvider,
  publishableKeyOf,
  RETRY_MS,
  type Send,
  sailingsOf,
} from './shopper.ts';

const BUYERS = 10;
const DEMO = { email: 'demo@harborline.example', password: 'by ferry across the sound' };

afterAll(endAll);

describe.each([
  ['the embedded engine', async () => newEmbeddedPlace()],
  ['PostgreSQL', newPostgresPlace],
] as const)('on %s', (_, newPlace: () => Promise<Place>) => {
  test('a server killed repeatedly in the middle of cancellations and changes loses, doubles and owes nothing', async () => {
    const place = await newPlace();
    const office = await openKilledOffice(place);
    const publishableKey = await publishableKeyOf(office.send);
    const [sailing = '', other = ''] = await sailingsOf(office.send);
    const signIn = { host: 'my', body: DEMO };
    const { token } = (await office.send('/api/customers/sessions/sign_in', signIn)).json();
    const customer = { send: office.send, token, publishableKey };
    const bought = await Promise.all(
      Array.from({ length: BUYERS }, () =>
        buyTicket(office.send, { sailing, email: DEMO.email, publishableKey, adults: 3, token }),
      ),
    );

    // Each buyer needs at least ten responses.
    const kills = drawKills(20_261_123, { count: 4, within: 10 * BUYERS });
    office.killAfter(kills);
    await Promise.all(
      bought.map(async ({ orderId }, index) => {
        const order = { ...customer, path: `/api/orders/${orderId}` };
        await cancelDownTo(order, 2);
        // Half of them add a person, and pay the difference.
        await changeTo(order, { sailing: other, adults: index % 2 === 0 ? 2 : 3 });
        await cancelDownTo(order, 1);
      }),
    );
    expect(office.kills(), 'every kill fell into the cancellations and changes').toBe(kills.length);

    for (const { orderId } of bought) {
      const read = dataOf(await office.send(`/api/orders/${orderId}`, { token }));
      expect(validTickets(read).map((ticket) => ticket.sailing_id)).toEqual([other]);
      expect(read.status).toBe('partly_cancelled');
    }
    expect(await office.close()).toBe(0);
    const database = await place.openDatabase();
    expect(await auditBooks(database.store)).toEqual(cleanBooks);
    await database.close();
    await place.remove();
  }, 180_000);
});

type Customer = { send: Send; token: string; publishableKey: string; path: string };
type Order = {
  version: number;
  legs: { leg: string; sailing_id: string }[];
  tickets: { id: string; status: string; leg: string }[];
};

async function read({ send, token, path }: Customer): Promise<Order> {
  return dataOf(await insist(() => send(path, { token }), deadline()));
}

function validTickets({ tickets, legs }: Order): { id: string; sailing_id: string | undefined }[] {
  return tickets
    .filter(({ status }) => status === 'issued')
    .map(({ id, leg }) => ({ id, sailing_id: legs.find((each) => each.leg === leg)?.sailing_id }));
}

/** Cancels tickets until this many are left. A first try may have succeeded although its response was lost. */
async function cancelDownTo(customer: Customer, left: number): Promise<void> {
  for (;;) {
    const tickets = validTickets(await read(customer));
    if (tickets.length <= left) return;
    const ticketIds = tickets.slice(left).map(({ id }) => id);
    const body = { ticket_ids: ticketIds };
    const quoted = await post(customer, '/cancellations/quote', body);
    if (isOutdated(quoted)) continue;
    const { version, refund } = dataOf(quoted);
    const canceled = await post(customer, '/cancellations', { ...body, version, refund });
    if (!isOutdated(canceled)) dataOf(canceled);
  }
}

/** Moves the order to another sailing with this many adults, and pays what is to be paid. */
async function changeTo(
  customer: Customer,
  { sailing, adults }: { sailing: string; adults: number },
): Promise<void> {
  const passengers = [{ type: 'adult', count: adults }];
  const ways = [{ way: 'out', sailing_ids: [sailing], passengers, vehicle: null, bicycles: 0 }];
  for (;;) {
    const tickets = validTickets(await read(customer));
    if (tickets.length === adults && tickets.every((ticket) => ticket.sailing_id === sailing)) return;
    const quoted = await post(customer, '/changes/quote', { ways });
    if (isOutdated(quoted)) continue;
    const { version, difference } = dataOf(quoted);
    const created = await post(customer, '/changes', { ways, version, difference });
    if (isOutdated(created)) continue;
    const change = dataOf(created);
    if (change.status !== 'done') await payChange(customer, change.id);
  }
}

async function payChange(customer: Customer, changeId: string): Promise<void> {
  const started = await post(customer, `/changes/${changeId}/payments`, { method: 'card' });
  if (isOutdated(started)) return;
  const { client_secret: secret } = dataOf(started);
  const { send, publishableKey } = customer;
  await payAtProvider(send, { secret, publishableKey, deadline: deadline() });
  const path = `${customer.path}/changes/${changeId}`;
  for (;;) {
    const { token } = customer;
    const { status } = dataOf(await insist(() => send(path, { token }), deadline()));
    if (status === 'done') return;
    expect(['held', 'awaiting_payment']).toContain(status);
    await delay(RETRY_MS);
  }
}

function post({ send, token, path }: Customer, call: string, body: object): Promise<Reply> {
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
