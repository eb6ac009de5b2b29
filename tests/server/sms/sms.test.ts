import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { createSmsGateway, type SmsGateway } from '#sandbox/sms-gateway/sms-gateway.ts';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { orders } from '#server/database/schema/sales.ts';
import { smsMessages } from '#server/database/schema/sms.ts';
import { eraseOrders } from '#server/privacy/erase-orders.ts';
import { exportOrders } from '#server/privacy/export-data.ts';
import { createHttpSmsSender } from '#server/sms/http-sender.ts';
import { deleteOldSms } from '#server/sms/queue-sms.ts';
import { registerSmsJobs } from '#server/sms/sms-jobs.ts';
import type { SmsSender } from '#server/sms/sms-port.ts';
import { contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';

const ACCOUNT = {
  url: 'https://sms.example/2010-04-01/Accounts/AC1/Messages.json',
  account: 'AC1',
  key: 'key',
};
const CONFIG = { ...ACCOUNT, from: '+12065550100', isStandIn: false, countryCode: '1', perDay: 100 };
/** Six hours before the first boat. */
const SOON = '2026-06-02T09:00:00.000Z';

let office: Office;
let gateway: SmsGateway;
let sender: SmsSender;
beforeAll(async () => {
  office = await openOffice({ passengers: 9 });
  gateway = createSmsGateway({ store: office.database.store, ...ACCOUNT, clock: office.clock.now });
  await gateway.start();
  const really = createHttpSmsSender(CONFIG, gateway.fetch);
  await registerSmsJobs(office.context, { send: (message) => sender.send(message) });
  sender = really;
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen({ passengers: 9 });
  Object.assign(office.context.config, { sms: CONFIG });
  sender = createHttpSmsSender(CONFIG, gateway.fetch);
});

const [first, later] = [0, 1].map((index) => () => office.ferry.outward[index] ?? '');

async function buy(): Promise<string> {
  const { order, intent } = await office.takePayment();
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  office.clock.set(SOON);
  return order.id;
}

async function run(...args: string[]): Promise<void> {
  office.clock.advance(60_000);
  await settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args)),
  );
}
const delay = (minutes: number) => run('delay', first?.() ?? '', String(minutes));

async function send(): Promise<void> {
  office.context.jobs.trigger('send-due-sms');
  await office.jobs.runJobs();
}

async function listReceived(): Promise<{ to: string; from: string; body: string }[]> {
  return (await (await gateway.fetch(new Request('https://sms.example/api/messages'))).json()).data;
}
const listStatuses = async () =>
  (await office.context.db.select().from(smsMessages).orderBy(smsMessages.insertedAt)).map(
    ({ status }) => status,
  );
const setPhone = (phone: string) => office.context.db.update(orders).set({ contactPhone: phone });

describe('the buyer’s telephone', () => {
  it('is told once of a late boat, with the order’s link and nothing about persons', async () => {
    const orderId = await buy();
    await delay(40);
    await send();
    await send();
    const [message, ...others] = await listReceived();
    expect(others).toEqual([]);
    expect(message).toMatchObject({ to: contact.phone, from: CONFIG.from });
    const [sentence, crossing, link] = message?.body.split('\n') ?? [];
    expect(sentence).toContain(': Your 8:00 AM PDT boat to South Quay is 40 minutes late');
    expect(crossing).toContain('8:40 AM PDT instead of 8:00 AM PDT');
    expect(link).toBe(`${office.context.config.origins.tickets}/orders/${orderId}/confirmation`);
    // In the alphabet of SMS, of which 306 characters are two messages.
    expect(message?.body).toMatch(/^[\n\x20-\x7e]{1,306}$/);
    for (const secret of ['Ada', 'Lovelace', 'example.com']) expect(message?.body).not.toContain(secret);
  });

  it('is told only the newest of what happened since the last message', async () => {
    await buy();
    await delay(20);
    await run('cancel', first?.() ?? '');
    await send();
    const received = await listReceived();
    expect(received.map(({ body }) => body)).toEqual([
      expect.stringContaining('Your 8:00 AM PDT boat to South Quay is canceled'),
    ]);
    expect(await listStatuses()).toEqual(['dropped', 'sent']);
  });

  it('is told that the boat is on time again', async () => {
    await buy();
    await delay(40);
    await send();
    await delay(0);
    await send();
    expect((await listReceived())[0]?.body).toContain('is on time again');
  });

  it('is told nothing of a boat that leaves in a day', async () => {
    await buy();
    office.clock.set('2026-06-01T16:00:00.000Z');
    await delay(40);
    await send();
    expect(await listStatuses()).toEqual([]);
  });

  it('is told nothing of a boat that left while the message waited', async () => {
    await buy();
    await delay(40);
    office.clock.set('2026-06-02T15:41:00.000Z');
    await send();
    expect(await listReceived()).toEqual([]);
    expect(await listStatuses()).toEqual(['dropped']);
  });

  it('is told nothing of another boat, and nothing if no number was given', async () => {
    await buy();
    await run('delay', later?.() ?? '', '40');
    await setPhone('');
    await delay(40);
    await send();
    expect(await listStatuses()).toEqual([]);
  });

  it('is told nothing where the operator has no provider', async () => {
    await buy();
    Object.assign(office.context.config, { sms: null });
    await delay(40);
    await send();
    expect(await listStatuses()).toEqual([]);
  });

  it('is called with the code of the operator’s country if the number has none', async () => {
    await buy();
    await setPhone('2065550123');
    await delay(40);
    await send();
    expect((await listReceived()).map(({ to }) => to)).toEqual(['+12065550123']);
  });
});

describe('a text message', () => {
  it('is sent again later if the provider is busy, and not if it refuses the number', async () => {
    await buy();
    const really = sender;
    sender = { send: async () => ({ retryAfterSeconds: 120 }) };
    await delay(40);
    await send();
    sender = really;
    await send();
    expect(await listReceived()).toEqual([]);
    office.clock.advance(120_000);
    await send();
    expect(await listReceived()).toHaveLength(1);
    await setPhone('+12065550000');
    await delay(90);
    await send();
    expect(await listStatuses()).toEqual(['sent', 'failed']);
  });

  it('is not sent beyond the limits of the number and of the operator', async () => {
    await buy();
    for (let count = 0; count < 11; count += 1) {
      await delay(20 + count * 20);
      await send();
    }
    expect(await listReceived()).toHaveLength(10);
    await setPhone('+12065550199');
    Object.assign(office.context.config, { sms: { ...CONFIG, perDay: 10 } });
    await delay(20);
    await send();
    expect(await listReceived()).toHaveLength(10);
    expect((await listStatuses()).slice(-2)).toEqual(['failed', 'failed']);
    expect(office.logged).toContainEqual(
      expect.objectContaining({ event: 'text messages of the day are used up', limit: 10 }),
    );
  });

  it('stands under the messages of its order, with a masked number for everyone but the owner', async () => {
    const orderId = await buy();
    await delay(40);
    const list = async (options: { token?: string } = {}) =>
      must(
        await office.request('GET', fillPath(api.listOrderMessages.path, { id: orderId }), options),
      ).filter(({ channel }: { channel: string }) => channel === 'sms');
    expect(await list()).toMatchObject([{ title: 'Your sailing is late', to: '•••23', status: 'waiting' }]);
    await send();
    const { id } = await createCustomer(office.context);
    await office.context.db.update(orders).set({ customerId: id });
    const token = await startSession(office.context, id);
    expect(await list({ token })).toMatchObject([{ to: contact.phone, status: 'sent' }]);
  });

  it('is exported and erased with its order, deleted after a while, and its number is in no log', async () => {
    const orderId = await buy();
    const { db, config } = office.context;
    await delay(40);
    await setPhone('+12065550000');
    await delay(90);
    await send();
    const [exported] = await exportOrders(office.context, eq(orders.id, orderId));
    expect(exported).toMatchObject({
      text_messages: [
        { to: contact.phone, status: 'dropped' },
        { to: '+12065550000', status: 'failed' },
      ],
    });
    const logged = JSON.stringify(office.logged);
    for (const secret of ['2065550', orderId]) expect(logged).not.toContain(secret);
    await deleteOldSms(db, office.clock.now(), config.keepDays);
    expect(await db.$count(smsMessages)).toBe(2);
    await deleteOldSms(db, new Date('2026-07-30T00:00:00.000Z'), config.keepDays);
    expect(await db.$count(smsMessages)).toBe(0);
    await delay(20);
    await eraseOrders(db, [orderId]);
    expect(await db.$count(smsMessages)).toBe(0);
  });
});
