import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Hono } from 'hono';
import { SMTPServer } from 'smtp-server';
import { prepareTables, type SqlStore } from '../sql-store.ts';
import { createStoredMail, findMessage, listMessages, type StoredMail, storeMail } from './messages.ts';
import { attachmentDownload, htmlPart, listPage, messagePage, notFoundPage } from './pages.ts';
import { inboxTables } from './tables.ts';

export type InboxOptions = {
  store: SqlStore;
  /** Its origin, for links to the pages of mails. */
  origin: string;
  clock?: () => Date;
};

export type Inbox = {
  /**
   * Serves the pages, and for tests `GET /api/messages?to=` and `GET /api/messages/{id}`: newest first, attachments
   * with their content in base64 only in the second; `url` is the page of the mail.
   */
  fetch(request: Request): Promise<Response>;
  /** `smtp://127.0.0.1:<port>`; available after `start`. */
  readonly smtpUrl: string;
  start(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Creates a mail server that stores and shows all mails. Each process listens on its own port; all write to the same
 * table, so any of them shows everything.
 */
export function createInbox(options: InboxOptions): Inbox {
  const { store } = options;
  let smtp: Smtp | null = null;
  const app = new Hono();
  app.get('/', async (context) => {
    const to = context.req.query('to')?.trim() || null;
    return listPage(await listMessages(store, to), to);
  });
  app.get('/messages/:id', async (context) => {
    const message = await findMessage(store, context.req.param('id'));
    return message ? messagePage(message) : notFoundPage();
  });
  app.get('/messages/:id/html', async (context) => {
    const message = await findMessage(store, context.req.param('id'));
    return message ? htmlPart(message) : notFoundPage();
  });
  app.get('/messages/:id/attachments/:index{[0-9]{1,3}}', async (context) => {
    const message = await findMessage(store, context.req.param('id'));
    const attachment = message?.attachments[Number(context.req.param('index'))];
    return attachment ? attachmentDownload(attachment) : notFoundPage();
  });
  app.get('/api/messages', async (context) => {
    const messages = await listMessages(store, context.req.query('to') ?? null);
    const data = messages.map(({ attachments, ...message }) => ({
      ...message,
      url: `${options.origin}/messages/${message.id}`,
      attachments: attachments.map(({ base64, ...attachment }) => ({ ...attachment, size: getSize(base64) })),
    }));
    return Response.json({ data }, { headers: { 'cache-control': 'no-store' } });
  });
  app.get('/api/messages/:id', async (context) => {
    const message = await findMessage(store, context.req.param('id'));
    return message
      ? Response.json(message)
      : Response.json({ error: 'There is no such message.' }, { status: 404 });
  });
  app.all('*', () => notFoundPage());
  return {
    fetch: async (request) => app.fetch(request),
    get smtpUrl() {
      if (!smtp) throw new Error('The mail sandbox was not started.');
      return smtp.url;
    },
    async start() {
      await prepareTables(store, inboxTables);
      smtp ??= await listenForMail(options.clock ?? (() => new Date()), (mail) => storeMail(store, mail));
    },
    async stop() {
      await smtp?.close();
      smtp = null;
    },
  };
}

function getSize(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

type Smtp = { url: string; close(): Promise<void> };

const largestMail = 10_000_000;

/**
 * Listens for mail on a free port of this machine. A mail is acknowledged once `keep` has stored it, so an acknowledged
 * mail is never lost.
 */
async function listenForMail(clock: () => Date, keep: (mail: StoredMail) => Promise<void>): Promise<Smtp> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: largestMail,
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then((raw) => keep(createStoredMail(raw, recipients, clock())))
        .then(
          () => done(),
          (error: unknown) =>
            done(error instanceof Error ? error : new Error('The mail could not be stored.')),
        );
    },
  });
  // A client may disconnect at any time.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
