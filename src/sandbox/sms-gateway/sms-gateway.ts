import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { page, shortTime } from '../page.ts';
import { prepareTables, type SqlStore } from '../sql-store.ts';
import { smsGatewayTables } from './tables.ts';

type SmsGatewayOptions = {
  store: SqlStore;
  /** Its only account, as basic authentication has it. */
  account: string;
  key: string;
  clock?: () => Date;
};

type TextMessage = { to: string; from: string; body: string; received_at: string };

export type SmsGateway = {
  /**
   * Serves `POST /2010-04-01/Accounts/{account}/Messages.json` as Twilio's Messages API does, a page with all messages,
   * and for tests `GET /api/messages?to=`, newest first. Numbers that end with 0000 do not exist.
   */
  fetch(request: Request): Promise<Response>;
  start(): Promise<void>;
};

/** Creates a provider of text messages that shows all messages and delivers none. */
export function createSmsGateway({
  store,
  account,
  key,
  clock = () => new Date(),
}: SmsGatewayOptions): SmsGateway {
  const app = new Hono();
  const credentials = `Basic ${Buffer.from(`${account}:${key}`).toString('base64')}`;
  app.post('/2010-04-01/Accounts/:account/Messages.json', async ({ req }) => {
    if (req.header('authorization') !== credentials || req.param('account') !== account)
      return refuse(401, 20003, 'Authentication Error - invalid username');
    const form = new URLSearchParams(await req.text());
    const [to, from, body] = ['To', 'From', 'Body'].map((name) => form.get(name) ?? '');
    if (!to || !/^\+[1-9][0-9]{5,14}$/.test(to) || to.endsWith('0000'))
      return refuse(400, 21211, 'Invalid To phone number');
    if (!from) return refuse(400, 21603, 'A From phone number is required.');
    if (!body) return refuse(400, 21602, 'Message body is required.');
    if (body.length > 1600) return refuse(400, 21617, 'The message body exceeds 1600 characters.');
    const sid = `SM${randomBytes(16).toString('hex')}`;
    const message = { to, from, body, received_at: clock().toISOString() };
    const values = [sid, JSON.stringify(message)];
    await store.query('insert into sandbox.text_messages (id, doc) values ($1, $2)', values);
    return Response.json({ sid, status: 'queued', to, from, body }, { status: 201 });
  });
  app.get('/api/messages', async ({ req }) => {
    const data = await listMessages(store, req.query('to') ?? null);
    return Response.json({ data }, { headers: { 'cache-control': 'no-store' } });
  });
  app.get('/', async () => listPage(await listMessages(store, null)));
  app.all('*', () =>
    page({
      title: 'Not found',
      body: html`<main><h1>Not found</h1><p><a href="/">All text messages</a></p></main>`,
      status: 404,
    }),
  );
  return {
    fetch: async (request) => app.fetch(request),
    start: () => prepareTables(store, smsGatewayTables),
  };
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ code, message, status }, { status });
}

/** Newest first. @param to null: to all numbers */
async function listMessages(store: SqlStore, to: string | null): Promise<TextMessage[]> {
  const rows = await store.query<{ doc: TextMessage }>(
    `select doc from sandbox.text_messages where $1::text is null or doc ->> 'to' = $1 order by seq desc limit 200`,
    [to],
  );
  return rows.map(({ doc }) => doc);
}

const styles = `
ul{list-style:none;margin:0;padding:0;display:grid;gap:.6rem}
.row{display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;font:inherit}
`;

function listPage(messages: readonly TextMessage[]): Promise<Response> {
  const items = messages.map(
    ({
      to,
      from,
      body,
      received_at,
    }) => html`<li class="card"><span class="row"><strong>${to}</strong><span class="soft">${shortTime(Date.parse(received_at))} UTC</span></span>
<pre>${body}</pre><span class="soft">From ${from}, ${body.length} characters</span></li>`,
  );
  const body = html`<main>
<p><span class="badge">Sandbox</span></p>
<h1>Text messages</h1>
<p class="soft">Every text message to a telephone number, newest first. None leaves this machine.</p>
${messages.length === 0 ? html`<p class="card soft">No text message yet.</p>` : html`<ul>${items}</ul>`}
</main>`;
  return page({ title: 'SMS sandbox', body, styles });
}
