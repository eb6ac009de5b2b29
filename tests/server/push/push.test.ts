import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { MAX_PUSH_SUBSCRIPTIONS } from '#contract/orders/push/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { pushes, pushSubscriptions } from '#server/database/schema/push.ts';
import { orders } from '#server/database/schema/sales.ts';
import { eraseOrders } from '#server/privacy/erase-orders.ts';
import { exportOrders } from '#server/privacy/export-data.ts';
import { registerPushJobs } from '#server/push/push-jobs.ts';
import { deleteOldPushes, hashEndpoint } from '#server/push/subscriptions.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';

type Browser = { endpoint: string; keys: { p256dh: string; auth: string } };

let office: Office;
beforeAll(async () => {
  office = await openOffice({ passengers: 9 });
  await registerPushJobs(office.context);
});
afterAll(() => office.close());
beforeEach(() => office.reopen({ passengers: 9 }));

const out = (index: number) => office.ferry.outward[index] ?? '';

async function buy(): Promise<string> {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return order.id;
}

async function run(...args: string[]): Promise<void> {
  await settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args)),
  );
}

async function askService(method: string, path: string) {
  const { origin, fetch } = office.pushService;
  return fetch(new Request(origin + path, { method }));
}
const openBrowser = async (): Promise<Browser> => (await askService('POST', '/api/browsers')).json();

async function listReceived({ endpoint }: Browser) {
  const { data } = await (await askService('GET', `/api/pushes?endpoint=${endpoint}`)).json();
  return data.map(({ text, ...push }: { text: string }) => ({ ...push, ...JSON.parse(text) }));
}

const pathOf = (id: string, { endpoint }: Browser) =>
  fillPath(api.subscribeToOrder.path, { id, endpoint_hash: hashEndpoint(endpoint) });
const subscribe = (
  id: string,
  browser: Browser,
  { token, host = 'tickets' }: { token?: string; host?: string } = {},
) =>
  office.request('PUT', pathOf(id, browser), {
    body: { ...browser, host },
    headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1' },
    ...(token ? { token } : {}),
  });
const isOn = async (id: string, browser: Browser) =>
  must(await office.request('GET', pathOf(id, browser))).is_on;

async function send(): Promise<void> {
  office.context.jobs.trigger('send-due-pushes');
  await office.jobs.runJobs();
}

async function delay(sailingId: string, minutes: number): Promise<void> {
  office.clock.advance(60_000);
  await run('delay', sailingId, String(minutes));
}

const listStatuses = async () =>
  (await office.context.db.select().from(pushes).orderBy(pushes.insertedAt)).map(({ status }) => status);

describe('a browser that is told about an order', () => {
  it('is told once of a delay, with the boat and its times and nothing about persons', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await delay(out(0), 40);
    await send();
    await send();
    const [push, ...others] = await listReceived(browser);
    expect(others).toEqual([]);
    const [order] = await office.context.db.select().from(orders).where(eq(orders.id, orderId));
    expect(push).toMatchObject({
      title: 'Your 8:00 AM PDT boat to South Quay is 40 minutes late',
      path: `/orders/${orderId}/confirmation`,
      language: order?.locale,
      urgency: 'high',
    });
    expect(push.body).toContain('8:40 AM PDT instead of 8:00 AM PDT');
    expect(push.body).toContain('Check-in stays as planned.');
    for (const secret of ['Ada', 'Lovelace', 'example.com', order?.reference]) {
      expect(JSON.stringify(push)).not.toContain(secret);
    }
    expect(office.clock.now().getTime() + push.ttl * 1000).toBe(Date.parse('2026-06-02T15:40:00.000Z'));
  });

  it('is told only the newest of what happened since the last push', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await delay(out(0), 20);
    await delay(out(0), 50);
    await run('cancel', out(0));
    await send();
    const received = await listReceived(browser);
    expect(received.map(({ title }: { title: string }) => title)).toEqual([
      'Your 8:00 AM PDT boat to South Quay is canceled',
    ]);
    expect(received[0].body).toContain('Tap to choose another sailing or get your money back.');
    expect(await listStatuses()).toEqual(['dropped', 'dropped', 'sent']);
  });

  it('gets later pushes under the same topic, which says nothing about the order', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await delay(out(0), 20);
    await send();
    await delay(out(0), 50);
    await send();
    const [newest, oldest] = await listReceived(browser);
    expect(newest.topic).toBe(oldest.topic);
    expect(newest.topic).toMatch(/^[0-9a-z]{26}$/);
    expect(orderId).not.toContain(newest.topic);
  });

  it('is told nothing about a boat that left while the push waited', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await delay(out(0), 40);
    office.clock.set('2026-06-02T15:41:00.000Z');
    await send();
    expect(await listReceived(browser)).toEqual([]);
    expect(await listStatuses()).toEqual(['dropped']);
  });

  it('is told nothing any more after it was turned off, which can be repeated', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    expect(await isOn(orderId, browser)).toBe(true);
    await delay(out(0), 40);
    for (const _ of [1, 2])
      expect(must(await office.request('DELETE', pathOf(orderId, browser)))).toEqual({ is_on: false });
    expect(await isOn(orderId, browser)).toBe(false);
    await send();
    expect(await listReceived(browser)).toEqual([]);
  });

  it('is forgotten once its push service says that it is gone', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await askService('DELETE', `/api/browsers/${browser.endpoint.split('/').at(-1)}`);
    await delay(out(0), 40);
    await send();
    expect(await isOn(orderId, browser)).toBe(false);
    expect(await listStatuses()).toEqual(['dropped']);
  });

  it('is told later if its push service is busy', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await delay(out(0), 40);
    const { push } = office.context;
    const { send: really } = push;
    push.send = async () => ({ retryAfterSeconds: 120 });
    await send();
    push.send = really;
    await send();
    expect(await listReceived(browser)).toEqual([]);
    office.clock.advance(120_000);
    await send();
    expect(await listReceived(browser)).toHaveLength(1);
  });

  it('is told under its new endpoint after its push service has moved it', async () => {
    const [orderId, old, renewed] = [await buy(), await openBrowser(), await openBrowser()];
    must(await subscribe(orderId, old));
    const body = { old_endpoint: old.endpoint, subscription: renewed };
    must(await office.request('POST', api.movePushSubscriptions.path, { body }));
    expect([await isOn(orderId, old), await isOn(orderId, renewed)]).toEqual([false, true]);
    must(await subscribe(orderId, old));
    must(await office.request('POST', api.movePushSubscriptions.path, { body }));
    expect(await office.context.db.$count(pushSubscriptions)).toBe(1);
  });

  it('is told about no order any more after its tickets were deleted from it', async () => {
    const [first, second, browser] = [await buy(), await buy(), await openBrowser()];
    for (const id of [first, second]) must(await subscribe(id, browser));
    const { endpoint } = browser;
    must(await office.request('POST', api.deletePushSubscriptions.path, { body: { endpoint } }));
    expect([await isOn(first, browser), await isOn(second, browser)]).toEqual([false, false]);
  });
});

describe('subscribing', () => {
  it('counts the same browser once, and ten browsers at most', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    for (const _ of [1, 2]) must(await subscribe(orderId, browser));
    for (let count = 1; count < MAX_PUSH_SUBSCRIPTIONS; count += 1)
      must(await subscribe(orderId, await openBrowser()));
    expect(codeOf(await subscribe(orderId, await openBrowser()))).toBe('too_many_push_subscriptions');
    must(await subscribe(orderId, browser));
    expect(await office.context.db.$count(pushSubscriptions)).toBe(MAX_PUSH_SUBSCRIPTIONS);
  });

  it('refuses endpoints and keys that cannot be those of a browser', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    const { keys, endpoint } = browser;
    for (const wrong of [
      { keys, endpoint: 'https://169.254.169.254/latest/meta-data' },
      { keys, endpoint: 'http://example.com/push' },
      { keys, endpoint: `https://example.com/${'x'.repeat(1024)}` },
      { endpoint, keys: { ...keys, p256dh: 'A'.repeat(87) } },
      { endpoint, keys: { ...keys, auth: '' } },
    ]) {
      expect(codeOf(await subscribe(orderId, wrong))).toBe('invalid_input');
    }
    const other = pathOf(orderId, await openBrowser());
    const reply = await office.request('PUT', other, { body: { ...browser, host: 'tickets' } });
    expect(codeOf(reply)).toBe('invalid_input');
  });

  it('is refused for orders without valid tickets and for unknown ones', async () => {
    const browser = await openBrowser();
    const unpaid = await office.takeOrder();
    expect(codeOf(await subscribe(unpaid.id, browser))).toBe('order_closed');
    const unknown = 'ord_00000000000000000000000000';
    expect(codeOf(await subscribe(unknown, browser))).toBe('not_found');
    expect(codeOf(await office.request('GET', pathOf(unknown, browser)))).toBe('not_found');
    expect(codeOf(await office.request('DELETE', pathOf(unknown, browser)))).toBe('not_found');
  });

  it('is allowed in the portal to the order’s signed-in owner, and ends with the session', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    const { context } = office;
    const [owner, stranger] = [await createCustomer(context), await createCustomer(context)];
    await context.db.update(orders).set({ customerId: owner.id }).where(eq(orders.id, orderId));
    const token = await startSession(context, owner.id);
    const others = await startSession(context, stranger.id);
    expect(codeOf(await subscribe(orderId, browser, { host: 'portal' }))).toBe('unauthenticated');
    expect(codeOf(await subscribe(orderId, browser, { host: 'portal', token: others }))).toBe('not_found');
    must(await subscribe(orderId, browser, { host: 'portal', token }));
    await delay(out(0), 40);
    await send();
    const { reference } = await office.readOrder(orderId);
    expect(await listReceived(browser)).toMatchObject([{ path: `/orders?order=${reference}` }]);
    must(await office.request('DELETE', api.signOut.path, { token }));
    await delay(out(0), 90);
    await send();
    expect(await listReceived(browser)).toHaveLength(1);
    expect(await isOn(orderId, browser)).toBe(false);
    await deleteOldPushes(context.db, office.clock.now(), context.config.keepDays);
    expect(await context.db.$count(pushSubscriptions)).toBe(0);
  });
});

describe('what is stored about it', () => {
  it('is in the export without what permits to write to the browser, and is erased with the order', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await delay(out(0), 40);
    await send();
    const [exported] = await exportOrders(office.context, eq(orders.id, orderId));
    expect(exported).toMatchObject({
      told_devices: [{ device: 'Safari on iPhone' }],
      pushes: [{ kind: 'sailing-late', device: 'Safari on iPhone', status: 'sent' }],
    });
    expect(JSON.stringify(exported)).not.toContain(browser.endpoint);
    await eraseOrders(office.context.db, [orderId]);
    expect(await office.context.db.$count(pushSubscriptions)).toBe(0);
    expect(await office.context.db.$count(pushes)).toBe(0);
  });

  it('ends a day after the last sailing, and when the order is canceled', async () => {
    const { db, config } = office.context;
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    const clean = (instant: string) => deleteOldPushes(db, new Date(instant), config.keepDays);
    await clean('2026-06-03T12:00:00.000Z');
    expect(await isOn(orderId, browser)).toBe(true);
    await clean('2026-06-05T12:00:00.000Z');
    expect(await isOn(orderId, browser)).toBe(false);
    must(await subscribe(orderId, browser));
    await db.update(orders).set({ status: 'canceled' }).where(eq(orders.id, orderId));
    await clean('2026-06-02T12:00:00.000Z');
    expect(await isOn(orderId, browser)).toBe(false);
  });

  it('is in no log', async () => {
    const [orderId, browser] = [await buy(), await openBrowser()];
    must(await subscribe(orderId, browser));
    await askService('DELETE', `/api/browsers/${browser.endpoint.split('/').at(-1)}`);
    await delay(out(0), 40);
    await send();
    expect(JSON.stringify(office.logged)).not.toContain(browser.endpoint.split('/').at(-1));
  });
});
