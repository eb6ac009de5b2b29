import { PGlite } from '@electric-sql/pglite';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInbox, type Inbox } from '#sandbox/inbox/inbox.ts';
import type { Message } from '#sandbox/inbox/messages.ts';
import { storeOf } from '../card-provider/open-provider.ts';

const origin = 'http://mail.ferry.localhost:8080';
let database: PGlite;
let inbox: Inbox;
let second: Inbox;

beforeAll(async () => {
  database = await PGlite.create();
  const clock = () => new Date('2026-11-21T12:00:00Z');
  inbox = createInbox({ store: storeOf(database), clock, origin });
  second = createInbox({ store: storeOf(database), clock, origin });
  await Promise.all([inbox.start(), second.start()]);
});
afterAll(async () => {
  await Promise.all([inbox.stop(), second.stop()]);
  await database.close();
});

type Mail = Parameters<ReturnType<typeof createTransport>['sendMail']>[0];

async function send(mail: Mail, through = inbox): Promise<void> {
  const transport = createTransport(through.smtpUrl);
  await transport.sendMail({ from: 'ferry@example.com', ...mail });
  transport.close();
}

async function read(path: string): Promise<Response> {
  return inbox.fetch(new Request(`${origin}${path}`));
}

async function messagesTo(address: string): Promise<(Message & { url: string })[]> {
  const { data } = await (await read(`/api/messages?to=${encodeURIComponent(address)}`)).json();
  return data;
}

describe('the inbox', () => {
  test('keeps a mail sent over SMTP, with both its parts, headers and attachments', async () => {
    await send({
      to: { name: 'Kari', address: 'Kari@example.com' },
      subject: 'Ihr Ticket für Ærøskøbing ⛴',
      text: 'Hello\nhttp://my.ferry.localhost:8080/account/verify#token=abc.',
      html: '<p style="color:red">Hello</p>',
      headers: { 'auto-submitted': 'auto-generated' },
      attachments: [{ filename: 'ticket "1".pdf', content: Buffer.from('%PDF-1.7') }],
    });
    const [message] = await messagesTo('kari@example.com');
    expect(message).toMatchObject({
      from: 'ferry@example.com',
      to: ['kari@example.com'],
      subject: 'Ihr Ticket für Ærøskøbing ⛴',
      html: expect.stringContaining('Hello'),
      headers: { 'auto-submitted': 'auto-generated' },
      received_at: '2026-11-21T12:00:00.000Z',
      attachments: [{ filename: 'ticket "1".pdf', size: 8 }],
    });
    expect(message?.url).toBe(`${origin}/messages/${message?.id}`);
    const download = await read(`/messages/${message?.id}/attachments/0`);
    expect(await download.text()).toBe('%PDF-1.7');
    expect(download.headers.get('content-disposition')).toContain('attachment; filename="ticket__1_.pdf"');
    const whole = await (await read(`/api/messages/${message?.id}`)).json();
    expect(whole.attachments[0].base64).toBe(Buffer.from('%PDF-1.7').toString('base64'));
    const page = await (await read(`/messages/${message?.id}`)).text();
    expect(page).toContain('href="http://my.ferry.localhost:8080/account/verify#token=abc"');
  });

  test('shows mails that another process received', async () => {
    await send({ to: 'ola@example.com', subject: 'Through the second', text: 'x' }, second);
    expect(await messagesTo('ola@example.com')).toHaveLength(1);
    expect(await (await read('/')).text()).toContain('Through the second');
  });

  test('shows the recipients of the SMTP envelope, not those of the headers', async () => {
    await send({
      to: 'shown@example.com',
      subject: 's',
      text: 'x',
      envelope: { from: 'a@example.com', to: 'hidden@example.com' },
    });
    expect(await messagesTo('shown@example.com')).toEqual([]);
    expect(await messagesTo('hidden@example.com')).toHaveLength(1);
  });

  test('shows the HTML part without scripts, origin or external resources, and its attached images inline', async () => {
    await send({
      to: 'html@example.com',
      subject: '<img src=x onerror=alert(1)>',
      html: '<script>alert(1)</script><img src="cid:code"><a href="https://example.com">go</a>',
      attachments: [
        { filename: 'code.png', cid: 'code', contentType: 'image/png', content: Buffer.from('png') },
      ],
    });
    const [message] = await messagesTo('html@example.com');
    const part = await read(`/messages/${message?.id}/html`);
    const policy = part.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
    expect(policy).not.toContain('allow-scripts');
    const html = await part.text();
    expect(html).toContain('<base target="_blank">');
    expect(html).toContain(`data:image/png;base64,${Buffer.from('png').toString('base64')}`);
    for (const path of ['/', `/messages/${message?.id}`]) {
      const page = await read(path);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).not.toContain('<img src=x');
    }
  });

  test('answers 404 for a mail it does not have', async () => {
    for (const path of [
      '/messages/none',
      '/messages/none/html',
      '/messages/none/attachments/0',
      '/api/messages/none',
      '/x',
    ]) {
      expect((await read(path)).status).toBe(404);
    }
  });

  test('keeps the newest two hundred mails', async () => {
    const transport = createTransport({ url: inbox.smtpUrl, pool: true });
    for (let index = 1; index <= 205; index += 1) {
      await transport.sendMail({
        from: 'a@example.com',
        to: 'many@example.com',
        subject: String(index),
        text: 'x',
      });
    }
    transport.close();
    const { data } = await (await read('/api/messages')).json();
    expect(data).toHaveLength(200);
    expect(data[0].subject).toBe('205');
    expect(data.at(-1).subject).toBe('6');
  });
});
