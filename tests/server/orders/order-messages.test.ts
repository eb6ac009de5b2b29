import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { PUSH_KINDS } from '#domain/orders/push-kinds.ts';
import { findMessageTitle } from '#sentences/order-messages.ts';
import { newId } from '#server/core/ids.ts';
import { pushes } from '#server/database/schema/push.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { ORDER_MAILS, type OrderMailKind } from '#server/mail/templates/order.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { emptyTables } from '#tests/setup/database.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let orderId: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await emptyTables(server.database.store, ['public.ticket_keys', 'public.secrets', 'sandbox.config']);
  orderId = (await buildConfirmedOrder(server.context)).id;
});

const list = (options: { token?: string } = {}, id = orderId) =>
  server.request('GET', fillPath(api.listOrderMessages.path, { id }), options);

/** Queues a mail a minute after the one before. */
async function queue(kind: OrderMailKind): Promise<string> {
  server.clock.advance(60_000);
  return queueOrderMail(server.context.db, server.context, { kind, orderId });
}

async function addPush(status: 'sent' | 'dropped'): Promise<void> {
  server.clock.advance(60_000);
  const now = server.clock.now();
  await server.context.db.insert(pushes).values({
    ...{ id: newId('psh'), orderId, kind: 'sailing-late', device: 'Safari on iPhone', status },
    ...{ tryAt: now, insertedAt: now, sentAt: status === 'sent' ? now : null },
  });
}

async function signInOwner(): Promise<string> {
  const { context } = server;
  const { id } = await createCustomer(context);
  await context.db.update(orders).set({ customerId: id }).where(eq(orders.id, orderId));
  return startSession(context, id);
}

describe('the messages about an order', () => {
  it('are listed newest first: what was sent, where and when', async () => {
    const mailId = await queue('order-confirmed');
    const sent = { status: 'sent', sentAt: server.clock.now() } as const;
    await server.context.db.update(mails).set(sent).where(eq(mails.id, mailId));
    await addPush('sent');
    await queue('sailing-on-time');
    expect(must(await list())).toMatchObject([
      { channel: 'mail', title: 'Your sailing is on time again', status: 'waiting' },
      { channel: 'push', title: 'Your sailing is late', to: 'Safari on iPhone', status: 'sent' },
      {
        ...{ channel: 'mail', title: 'Your ferry tickets', to: 'a•••@example.com', status: 'sent' },
        at: sent.sentAt.toISOString(),
      },
    ]);
  });

  it('leave out pushes that a newer one replaced', async () => {
    await addPush('dropped');
    expect(must(await list())).toEqual([]);
  });

  it('have the whole address only for the signed-in owner', async () => {
    await queue('order-confirmed');
    const token = await signInOwner();
    expect(must(await list({ token }))).toMatchObject([{ to: 'ada@example.com' }]);
    expect(must(await list())).toMatchObject([{ to: 'a•••@example.com' }]);
    const stranger = await startSession(server.context, (await createCustomer(server.context)).id);
    expect(must(await list({ token: stranger }))).toMatchObject([{ to: 'a•••@example.com' }]);
  });

  it('reveal a request for assistance only to the signed-in owner', async () => {
    await queue('order-assistance-changed');
    expect(must(await list())).toEqual([]);
    const token = await signInOwner();
    expect(must(await list({ token }))).toMatchObject([{ title: 'Your request for assistance' }]);
  });

  it('of an unknown order are not found', async () => {
    expect(codeOf(await list({}, 'ord_00000000000000000000000000'))).toBe('not_found');
    expect(codeOf(await list({}, 'nonsense'))).toBe('not_found');
  });

  it.each([...Object.keys(ORDER_MAILS), ...PUSH_KINDS])('of the kind %s have a title', (kind) => {
    expect(findMessageTitle(kind)).not.toBeNull();
  });
});
