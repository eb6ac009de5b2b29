import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#server/core/ids.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails, settings } from '#server/database/schema/system.ts';
import { openDelivery, registerMailJobs, sendDueMails, sendMail } from '#server/mail/mail-jobs.ts';
import { createMailer, type Mailer } from '#server/mail/mailer.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { freePort } from '#tests/setup/engine.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { type SmtpCatcher, startSmtpCatcher } from './smtp-catcher.ts';

const MINUTE = 60_000;
let server: TestServer;
let smtp: SmtpCatcher;
let mailer: Mailer;

beforeEach(async () => {
  server = await openTestServer();
  smtp = await startSmtpCatcher();
  mailer = createMailer({
    smtpUrl: smtp.url,
    from: { name: null, address: 'tickets@ferry.example' },
    domain: 'ferry.example',
  });
});
afterEach(async () => {
  mailer.close();
  await smtp.close();
  await server.close();
});

describe('a mail', () => {
  it('is encrypted for a server on this machine that asks for it with a self-signed certificate', async () => {
    const { context } = server;
    const order = await buildConfirmedOrder(context);
    const id = await queueOrderMail(context.db, context, { kind: 'order-confirmed', orderId: order.id });
    const local = await startSmtpCatcher({ needsTls: true });
    const encrypting = createMailer({
      ...{
        smtpUrl: local.url,
        from: { name: null, address: 'tickets@ferry.example' },
        domain: 'ferry.example',
      },
    });
    expect(await sendMail(context, openDelivery(context, encrypting), id)).toBe('sent');
    encrypting.close();
    await local.close();
    expect(local.caught).toHaveLength(1);
  });

  it('arrives with tickets, calendar file and codes, from one sender to one mailbox', async () => {
    const { context } = server;
    await storeSettings({ ...defaultWebSettings, attach_tickets_pdf: true });
    const order = await buildConfirmedOrder(context);
    const id = await queueOrderMail(context.db, context, { kind: 'order-confirmed', orderId: order.id });
    expect(await sendMail(context, openDelivery(context, mailer), id)).toBe('sent');
    const [{ recipients, mail } = fail()] = smtp.caught;
    expect(recipients).toEqual(['ada@example.com']);
    expect(mail.from).toMatchObject({ name: 'Ferry tickets', address: 'tickets@ferry.example' });
    expect(mail.messageId).toBe(`<${id}@ferry.example>`);
    expect(mail.subject).toContain(order.reference);
    expect(header(mail, 'auto-submitted')).toBe('auto-generated');
    const files = mail.attachments.map((each) => each.filename);
    expect(files).toEqual(
      expect.arrayContaining([
        'tickets-K7M4-QXP8.pdf',
        'ferry-K7M4-QXP8.ics',
        'code-out-1.png',
        'code-back-4.png',
      ]),
    );
    expect(mail.attachments).toHaveLength(8 + 2);
    expect(mail.html).not.toContain('tickets.pdf');
    const images = [...(mail.html ?? '').matchAll(/src="cid:([^"]+)"/g)].map((match) => `<${match[1]}>`);
    expect(mail.attachments.map((each) => each.contentId).filter(Boolean)).toEqual(images);
  });

  it('links to the tickets as PDF unless the operator wants them attached', async () => {
    const { context } = server;
    const order = await buildConfirmedOrder(context);
    const id = await queueOrderMail(context.db, context, { kind: 'order-confirmed', orderId: order.id });
    expect(await sendMail(context, openDelivery(context, mailer), id)).toBe('sent');
    const [{ mail } = fail()] = smtp.caught;
    expect(mail.attachments.map(({ mimeType }) => mimeType)).toEqual([
      ...Array(8).fill('image/png'),
      'text/calendar',
    ]);
    const [, link = ''] = /href="([^"]+)"[^>]*>Your tickets as PDF</.exec(mail.html ?? '') ?? [];
    expect(mail.text).toContain(link);
    const pdf = await server.request('GET', new URL(link).pathname);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  });

  it('has the operator’s sender name and their contact address for replies', async () => {
    const { context } = server;
    await storeSettings(demoSettings);
    const named = createMailer({
      smtpUrl: smtp.url,
      from: { name: 'Färjelinjen, "Åland"', address: 'tickets@ferry.example' },
      domain: 'ferry.example',
    });
    await sendMail(context, openDelivery(context, named), await queuePlain({}));
    named.close();
    const [{ mail } = fail()] = smtp.caught;
    expect(mail.from).toMatchObject({ name: 'Färjelinjen, "Åland"', address: 'tickets@ferry.example' });
    expect(mail.replyTo).toMatchObject([{ address: demoSettings.contact.email }]);
    expect(smtp.caught[0]?.sender).toBe('tickets@ferry.example');
  });

  it.each(['', 'call us', 'one@ferry.example\r\nBcc: two@ferry.example'])(
    'has no reply address if the contact address is %j',
    async (email) => {
      const { context } = server;
      const value = { ...defaultWebSettings, contact: { ...defaultWebSettings.contact, email } };
      await storeSettings(value);
      await sendMail(context, openDelivery(context, mailer), await queuePlain({}));
      const [{ mail, recipients } = fail()] = smtp.caught;
      expect(mail.replyTo).toBeUndefined();
      expect(recipients).toHaveLength(1);
    },
  );

  it('never shows the order’s id in its headers', async () => {
    const { context } = server;
    const order = await buildConfirmedOrder(context);
    for (const kind of ['order-confirmed', 'order-link', 'order-refunded', 'sailing-canceled'] as const) {
      await sendMail(
        context,
        openDelivery(context, mailer),
        await queueOrderMail(context.db, context, { kind, orderId: order.id }),
      );
    }
    expect(smtp.caught).toHaveLength(4);
    for (const { mail } of smtp.caught) expect(JSON.stringify(mail.headers)).not.toContain(order.id);
  });

  it.each([
    'Eve\r\nBcc: evil@example.com',
    'Eve, evil@example.com',
    'Eve (comment) <evil@example.com>',
    '=?utf-8?B?ZXZpbEBleGFtcGxlLmNvbQ==?=',
  ])('goes to one recipient and gets no header from the name %j', async (name) => {
    const { context } = server;
    const order = await buildConfirmedOrder(context, { name });
    const id = await queueOrderMail(context.db, context, { kind: 'order-confirmed', orderId: order.id });
    expect(await sendMail(context, openDelivery(context, mailer), id)).toBe('sent');
    expect(smtp.caught.map((each) => each.recipients)).toEqual([['ada@example.com']]);
    expect(smtp.caught[0]?.mail.bcc ?? []).toEqual([]);
    expect(smtp.caught[0]?.mail.cc ?? []).toEqual([]);
  });

  it('with a line break in its subject has one subject and no additional header', async () => {
    const { context } = server;
    const id = await queuePlain({ subject: 'Hello\r\nBcc: evil@example.com' });
    expect(await sendMail(context, openDelivery(context, mailer), id)).toBe('sent');
    expect(smtp.caught[0]?.recipients).toEqual(['ada@example.com']);
    expect(smtp.caught[0]?.mail.subject).toBe('Hello Bcc: evil@example.com');
    expect(smtp.caught[0]?.mail.bcc ?? []).toEqual([]);
  });

  it.each([
    'ada@example.com,evil@example.com',
    'ada@example.com\r\nRCPT TO:<evil@example.com>',
    'ada@example.com (evil@example.com)',
    'Ada <ada@example.com>',
    '"ada@example.com evil"@example.com',
    'list:ada@example.com,evil@example.com;',
    '',
  ])('to %j is not sent', async (to) => {
    const id = await queuePlain({ toAddress: to });
    expect(await sendMail(server.context, openDelivery(server.context, mailer), id)).toBe('refused');
    expect(smtp.caught).toEqual([]);
    expect(await statusOf(id)).toBe('failed');
  });
});

describe('the mail queue', () => {
  it('sends each mail once, however many workers claim it', async () => {
    const id = await queuePlain({});
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => sendMail(server.context, openDelivery(server.context, mailer), id)),
    );
    expect(results.toSorted()).toEqual(['not_claimed', 'not_claimed', 'not_claimed', 'sent']);
    expect(await sendMail(server.context, openDelivery(server.context, mailer), id)).toBe('not_claimed');
    expect(smtp.caught).toHaveLength(1);
  });

  it('loses no mail while the mail server is down for a day, and sends all when it is back', async () => {
    const { context, clock } = server;
    const deadMailer = createMailer({
      smtpUrl: `smtp://127.0.0.1:${await freePort()}`,
      from: { name: null, address: 'tickets@ferry.example' },
      domain: 'ferry.example',
    });
    const ids = [await queuePlain({}), await queuePlain({}), await queuePlain({})];
    for (let hour = 0; hour < 24; hour += 1) {
      await sendDueMails(context, openDelivery(context, deadMailer));
      clock.advance(60 * MINUTE);
    }
    expect(await Promise.all(ids.map(statusOf))).toEqual(['queued', 'queued', 'queued']);
    await sendDueMails(context, openDelivery(context, mailer));
    expect(await Promise.all(ids.map(statusOf))).toEqual(['sent', 'sent', 'sent']);
    expect(smtp.caught).toHaveLength(3);
    expect(JSON.stringify(server.logged)).not.toContain('ada@example.com');
  });

  it('renders a mail when it is sent, and retries with the same content', async () => {
    const { context, clock } = server;
    const order = await buildConfirmedOrder(context);
    const id = await queueOrderMail(context.db, context, { kind: 'order-confirmed', orderId: order.id });
    const [noted] = await context.db.select().from(mails).where(eq(mails.id, id));
    expect(noted).toMatchObject({ toAddress: 'ada@example.com', subject: null, text: null, html: null });

    const deaf: Mailer = { ...mailer, send: () => Promise.reject(new Error('greylisted')) };
    expect(await sendMail(context, openDelivery(context, deaf), id)).toBe('delayed');
    const [written] = await context.db.select().from(mails).where(eq(mails.id, id));
    await context.db.update(orders).set({ contactName: 'Eve' }).where(eq(orders.id, order.id));
    clock.advance(MINUTE);
    expect(await sendMail(context, openDelivery(context, mailer), id)).toBe('sent');
    const [{ mail } = fail()] = smtp.caught;
    expect(mail.messageId).toBe(`<${id}@ferry.example>`);
    expect(mail.subject).toBe(written?.subject);
    expect(mail.text).not.toContain('Eve');
  });

  it('resends a mail with the same Message-ID if the worker died before recording it, after its lease ended', async () => {
    const { context, clock } = server;
    const id = await queuePlain({});
    const dying: Mailer = {
      ...mailer,
      async send(mail) {
        await mailer.send(mail);
        // Simulates a process that died at this line.
        await new Promise(() => {});
      },
    };
    void sendMail(context, openDelivery(context, dying), id);
    await expect.poll(() => smtp.caught.length).toBe(1);
    await sendDueMails(context, openDelivery(context, mailer));
    expect(smtp.caught).toHaveLength(1);
    clock.advance(6 * MINUTE);
    await sendDueMails(context, openDelivery(context, mailer));
    expect(smtp.caught).toHaveLength(2);
    expect(new Set(smtp.caught.map((each) => each.mail.messageId)).size).toBe(1);
    expect(await statusOf(id)).toBe('sent');
  });

  it('leaves the rest of a backlog to another process when its own process stops', async () => {
    const { context } = server;
    const ids = await Promise.all(Array.from({ length: 25 }, () => queuePlain({})));
    const process = new AbortController();
    const stopped: Mailer = {
      ...mailer,
      async send(mail) {
        process.abort();
        await mailer.send(mail);
      },
    };
    await sendDueMails(context, openDelivery(context, stopped), process.signal);
    const countSent = async () =>
      (await Promise.all(ids.map(statusOf))).filter((status) => status === 'sent').length;
    expect(await countSent()).toBe(10);
    await sendDueMails(context, openDelivery(context, mailer));
    expect(await countSent()).toBe(25);
    expect(smtp.caught).toHaveLength(25);
  });

  it('fails a mail to a mailbox that does not exist, and after days of retries', async () => {
    const { context, clock } = server;
    smtp.refused.add('nobody@example.com');
    const refused = await queuePlain({ toAddress: 'nobody@example.com' });
    expect(await sendMail(context, openDelivery(context, mailer), refused)).toBe('refused');
    expect(await statusOf(refused)).toBe('failed');

    const id = await queuePlain({});
    const broken: Mailer = { ...mailer, send: () => Promise.reject(new Error('greylisted')) };
    for (let time = 0; time < 60; time += 1) {
      expect(await sendMail(context, openDelivery(context, broken), id)).toBe('delayed');
      clock.advance(61 * MINUTE);
    }
    expect(await statusOf(id)).toBe('failed');
  });

  it('is sent by its job, also when the job of a mail was lost', async () => {
    const { context, jobs } = server;
    await registerMailJobs(context, mailer);
    await queuePlain({});
    await queuePlain({});
    wakeMailWorker(jobs);
    await jobs.runJobs();
    expect(smtp.caught).toHaveLength(2);
  });

  it('sends a backlog in one run, with what becomes due during it', async () => {
    const { context } = server;
    const ids = [await queuePlain({})];
    const queueing: Mailer = {
      ...mailer,
      async send(mail) {
        await mailer.send(mail);
        if (ids.length < 3) ids.push(await queuePlain({}));
      },
    };
    await sendDueMails(context, openDelivery(context, queueing));
    expect(await Promise.all(ids.map(statusOf))).toEqual(['sent', 'sent', 'sent']);
  });

  it('sends the mails to other hosts at once while several hosts do not answer', async () => {
    const { context, jobs } = server;
    const hosts = ['one.example', 'two.example', 'three.example'];
    for (const host of hosts) smtp.hanging.add(host);
    const slow = [...hosts, ...hosts].map((host, index) => queuePlain({ toAddress: `${index}@${host}` }));
    const slowIds = await Promise.all(slow);
    const id = await queuePlain({});
    const delivery = openDelivery(context, mailer, 50);
    await sendDueMails(context, delivery);
    await expect.poll(() => statusOf(id)).toBe('sent');
    expect(await Promise.all(slowIds.map(statusOf))).toEqual(slowIds.map(() => 'queued'));
    expect(delivery.slowHosts().toSorted()).toEqual(hosts.toSorted());

    // A code that a customer waits for does not wait for them either.
    await registerMailJobs(context, mailer, delivery);
    const urgent = await queuePlain({ toAddress: 'bo@one.example' });
    const other = await queuePlain({ toAddress: 'cy@four.example' });
    for (const mail_id of [urgent, other]) await jobs.send('send-mail', { mail_id });
    await jobs.runJobs();
    await expect.poll(() => statusOf(other)).toBe('sent');
    expect(await statusOf(urgent)).toBe('queued');
  });

  it('is not sent if its cause was rolled back', async () => {
    const { context } = server;
    const order = await buildConfirmedOrder(context);
    const undone = context.db.transaction(async (tx) => {
      await queueOrderMail(tx, context, { kind: 'order-confirmed', orderId: order.id });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await sendDueMails(context, openDelivery(context, mailer));
    expect(smtp.caught).toEqual([]);
  });
});

async function storeSettings(value: typeof defaultWebSettings): Promise<void> {
  await server.context.db
    .insert(settings)
    .values({ name: 'web', value, updatedAt: server.context.clock.now() });
}

type MailRow = typeof mails.$inferInsert;

/** A queued mail that is already rendered, with content that a defect elsewhere could cause. */
async function queuePlain(changes: Partial<MailRow>): Promise<string> {
  const now = server.context.clock.now();
  const mail: MailRow = {
    id: newId('mal'),
    kind: 'test',
    toAddress: 'ada@example.com',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
    status: 'queued',
    tryAt: now,
    insertedAt: now,
    ...changes,
  };
  await server.context.db.insert(mails).values(mail);
  return mail.id;
}

async function statusOf(id: string): Promise<string | undefined> {
  const [mail] = await server.context.db.select().from(mails).where(eq(mails.id, id));
  return mail?.status;
}

function header(mail: { headers: { key: string; value: string }[] }, key: string): string | undefined {
  return mail.headers.find((each) => each.key === key)?.value;
}

function fail(): never {
  throw new Error('No mail arrived.');
}
