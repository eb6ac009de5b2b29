import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVault } from '#server/core/vault.ts';
import { mails } from '#server/database/schema/system.ts';
import { type AccountMessage, queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { openDelivery, registerMailJobs, sendDueMails, sendMail } from '#server/mail/mail-jobs.ts';
import { createMailer, type Mailer } from '#server/mail/mailer.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
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
  mailer = mailerTo(smtp.url);
});
afterEach(async () => {
  mailer.close();
  await smtp.close();
  await server.close();
});

describe('a mail about an account', () => {
  it('stores its code and link encrypted while it waits, and deletes them once it is sent', async () => {
    const id = await queue(signInCode());
    expect(await storedText()).not.toMatch(/482913|token=/);
    expect(await sendMail(server.context, openDelivery(server.context, mailer), id)).toBe('sent');
    const [{ recipients, mail } = fail()] = smtp.caught;
    expect(recipients).toEqual(['ada@example.com']);
    expect(mail.subject).toBe('482913 is your sign-in code');
    expect(mail.text).toContain(signInCode().data.link);
    const row = await rowOf(id);
    expect(row).toMatchObject({
      status: 'sent',
      encryptedData: null,
      subject: null,
      text: null,
      html: null,
    });
    expect(JSON.stringify(server.logged)).not.toMatch(/482913|token=|ada@example\.com/);
  });

  it('deletes its data when the mailbox does not exist', async () => {
    smtp.refused.add('ada@example.com');
    const id = await queue(signInCode());
    expect(await sendMail(server.context, openDelivery(server.context, mailer), id)).toBe('refused');
    expect(await rowOf(id)).toMatchObject({ status: 'failed', encryptedData: null, text: null, html: null });
  });

  it('is sent as the same mail on a retry, without storing the rendered mail', async () => {
    const { context, clock } = server;
    const id = await queue(signInCode());
    const tried: string[] = [];
    const deaf: Mailer = {
      ...mailer,
      send: (mail) => {
        tried.push(`${mail.id} ${mail.subject} ${mail.text} ${mail.html}`);
        return Promise.reject(new Error('greylisted'));
      },
    };
    expect(await sendMail(context, openDelivery(context, deaf), id)).toBe('delayed');
    expect(await rowOf(id)).toMatchObject({ status: 'queued', subject: null, text: null, html: null });
    clock.advance(MINUTE);
    expect(await sendMail(context, openDelivery(context, deaf), id)).toBe('delayed');
    expect(tried[1]).toBe(tried[0]);
    clock.advance(MINUTE);
    expect(await sendMail(context, openDelivery(context, mailer), id)).toBe('sent');
    expect(smtp.caught.map(({ mail }) => mail.messageId)).toEqual([`<${id}@ferry.example>`]);
  });

  it('is dropped if its code expired before it was sent, and sent if it is a notification', async () => {
    const { context, clock } = server;
    const code = await queue(signInCode());
    const note = await queue({
      kind: 'security-event',
      data: { event: 'mfa_off', device: 'Safari on iPhone', at: clock.now().toISOString() },
    });
    clock.advance(10 * MINUTE);
    await sendDueMails(context, openDelivery(context, mailer));
    expect(await rowOf(code)).toMatchObject({ status: 'failed', encryptedData: null });
    expect(await rowOf(note)).toMatchObject({ status: 'sent' });
    expect(smtp.caught.map(({ mail }) => mail.subject)).toEqual(['Two-step sign-in is off']);
  });

  it('fails when it was encrypted with another secret', async () => {
    const id = await queue(signInCode());
    const context = { ...server.context, vault: createVault('another secret of thirty-two and more') };
    expect(await sendMail(context, openDelivery(context, mailer), id)).toBe('refused');
    expect(smtp.caught).toEqual([]);
  });

  it('is rolled back with its cause', async () => {
    const { context } = server;
    const undone = context.db.transaction(async (tx) => {
      await queueAccountMail(tx, context, { to: 'ada@example.com', ...signInCode() });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await sendDueMails(context, openDelivery(context, mailer));
    expect(smtp.caught).toEqual([]);
  });
});

describe('sending soon', () => {
  it('sends the requested mail before all queued ones', async () => {
    const { context, jobs } = server;
    const order = await buildConfirmedOrder(context);
    await queueOrderMail(context.db, context, { kind: 'order-link', orderId: order.id });
    await registerMailJobs(context, mailer);
    sendSoon(jobs, await queue(signInCode()));
    await jobs.runJobs();
    expect(smtp.caught.map(({ mail }) => mail.subject)).toEqual(['482913 is your sign-in code']);
  });

  it('leaves a lost request to the next run of the minute’s job, which sends account mails first', async () => {
    const { context, clock } = server;
    const order = await buildConfirmedOrder(context);
    await queueOrderMail(context.db, context, { kind: 'order-link', orderId: order.id });
    clock.advance(MINUTE);
    await queue(signInCode());
    await sendDueMails(context, openDelivery(context, mailer));
    expect(smtp.caught.map(({ mail }) => mail.subject)).toEqual([
      '482913 is your sign-in code',
      expect.stringContaining('Your order'),
    ]);
  });

  it('retries while the mail server is unavailable, without losing the mail or failing', async () => {
    const { context, jobs, clock } = server;
    const dead = mailerTo(`smtp://127.0.0.1:${await freePort()}`);
    await registerMailJobs(context, dead);
    const id = await queue(signInCode());
    sendSoon(jobs, id);
    await jobs.runJobs();
    expect(jobs.asked).toEqual([{ name: 'send-mail', data: { mail_id: id } }]);
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
    clock.advance(MINUTE);
    await registerMailJobs(context, mailer);
    await jobs.runJobs();
    expect(await rowOf(id)).toMatchObject({ status: 'sent' });
    expect(smtp.caught).toHaveLength(1);
    expect(jobs.asked).toEqual([]);
  });

  it('does not fail the request when the queue is unavailable', async () => {
    sendSoon({ send: () => Promise.reject(new Error('away')) }, 'mal_x');
    await Promise.resolve();
  });
});

function signInCode() {
  return {
    kind: 'sign-in-code',
    data: {
      code: '482913',
      link: `${server.context.config.origins.portal}/sessions/magic_link/verify#token=abc`,
      device: 'Safari on iPhone',
    },
  } as const satisfies AccountMessage;
}

function queue(message: AccountMessage): Promise<string> {
  return queueAccountMail(server.context.db, server.context, { to: 'ada@example.com', ...message });
}

function mailerTo(smtpUrl: string): Mailer {
  return createMailer({
    smtpUrl,
    from: { name: null, address: 'tickets@ferry.example' },
    domain: 'ferry.example',
  });
}

async function rowOf(id: string) {
  const [row] = await server.context.db.select().from(mails).where(eq(mails.id, id));
  return row;
}

async function storedText(): Promise<string> {
  return JSON.stringify(await server.context.db.select().from(mails));
}

function fail(): never {
  throw new Error('No mail arrived.');
}
