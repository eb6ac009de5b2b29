import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { html } from 'hono/html';
import { page, shortTime } from '../page.ts';
import { prepareTables, type SqlStore } from '../sql-store.ts';
import { type Browser, createBrowser, decryptPush } from './browsers.ts';
import { checkRequest, RefusedPush } from './check-request.ts';
import { pushServiceTables } from './tables.ts';

export type PushServiceOptions = {
  store: SqlStore;
  /** Its origin, with which the endpoints of its browsers begin. */
  origin: string;
  clock?: () => Date;
};

/** A push as its browser reads it. */
type KeptPush = {
  text: string;
  ttl: number;
  urgency: string;
  topic: string | null;
  received_at: string;
};

export type PushService = {
  /**
   * Serves `POST /push/{id}` as push services do (RFC 8030), a page with all pushes, and for tests `POST /api/browsers`,
   * which invents a browser and answers its subscription, `DELETE /api/browsers/{id}`, and `GET /api/pushes?endpoint=`,
   * newest first.
   */
  fetch(request: Request): Promise<Response>;
  start(): Promise<void>;
};

/** Creates a push service that keeps all pushes and shows them decrypted, because it has the keys of its browsers. */
export function createPushService({
  store,
  origin,
  clock = () => new Date(),
}: PushServiceOptions): PushService {
  const app = new Hono();
  app.post('/push/:id', async (context) => {
    const browser = await findBrowser(store, context.req.param('id'));
    if (!browser) return new Response('This subscription has ended.', { status: 410 });
    try {
      const { body, ...sent } = await checkRequest(context.req.raw, { origin, now: clock() });
      const text = decryptPush(browser, body);
      await keep(store, browser.id, { text, ...sent, received_at: clock().toISOString() });
      return new Response(null, { status: 201, headers: { location: `${origin}/push/${browser.id}` } });
    } catch (error) {
      if (error instanceof RefusedPush) return new Response(error.message, { status: error.status });
      return new Response('The push cannot be decrypted.', { status: 400 });
    }
  });
  app.post('/api/browsers', async () => {
    const browser = createBrowser();
    await store.query('insert into sandbox.browsers (id, doc) values ($1, $2)', [
      browser.id,
      JSON.stringify(browser),
    ]);
    const { id, p256dh, auth } = browser;
    return Response.json({ endpoint: `${origin}/push/${id}`, keys: { p256dh, auth } }, { status: 201 });
  });
  app.delete('/api/browsers/:id', async (context) => {
    await store.query('delete from sandbox.browsers where id = $1', [context.req.param('id')]);
    return new Response(null, { status: 204 });
  });
  app.get('/api/pushes', async (context) => {
    const endpoint = context.req.query('endpoint');
    const browser = endpoint === undefined ? null : (endpoint.split('/').at(-1) ?? '');
    const data = await listPushes(store, browser);
    return Response.json({ data }, { headers: { 'cache-control': 'no-store' } });
  });
  app.get('/', async () => listPage(await listPushes(store, null)));
  app.all('*', () =>
    page({
      title: 'Not found',
      body: html`<main><h1>Not found</h1><p><a href="/">All pushes</a></p></main>`,
      status: 404,
    }),
  );
  return {
    fetch: async (request) => app.fetch(request),
    start: () => prepareTables(store, pushServiceTables),
  };
}

async function findBrowser(store: SqlStore, id: string): Promise<Browser | null> {
  const [row] = await store.query<{ doc: Browser }>('select doc from sandbox.browsers where id = $1', [id]);
  return row?.doc ?? null;
}

async function keep(store: SqlStore, browser: string, push: KeptPush): Promise<void> {
  const id = randomBytes(16).toString('base64url');
  await store.query('insert into sandbox.pushes (id, browser, doc) values ($1, $2, $3)', [
    id,
    browser,
    JSON.stringify(push),
  ]);
}

/** Newest first. @param browser null: of all */
async function listPushes(store: SqlStore, browser: string | null): Promise<KeptPush[]> {
  const rows = await store.query<{ doc: KeptPush }>(
    'select doc from sandbox.pushes where $1::text is null or browser = $1 order by seq desc limit 200',
    [browser],
  );
  return rows.map(({ doc }) => doc);
}

const styles = `
ul{list-style:none;margin:0;padding:0;display:grid;gap:.6rem}
.row{display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;font:inherit}
`;

function listPage(pushes: readonly KeptPush[]): Promise<Response> {
  const items = pushes.map(({ text, ttl, urgency, received_at }) => {
    const { title, body } = readText(text);
    return html`<li class="card"><span class="row"><strong>${title}</strong><span class="soft">${shortTime(Date.parse(received_at))} UTC</span></span>
<pre>${body}</pre><span class="soft">Waits ${Math.round(ttl / 60)} minutes for the phone, urgency ${urgency}</span></li>`;
  });
  const body = html`<main>
<p><span class="badge">Sandbox</span></p>
<h1>Pushes</h1>
<p class="soft">Every push to a browser of this sandbox, newest first, as the browser decrypts it. Pushes to real browsers go to their own push services and are not here.</p>
${pushes.length === 0 ? html`<p class="card soft">No push yet.</p>` : html`<ul>${items}</ul>`}
</main>`;
  return page({ title: 'Push sandbox', body, styles });
}

function readText(text: string): { title: string; body: string } {
  try {
    const { title, body } = JSON.parse(text) as Record<string, unknown>;
    return { title: String(title), body: String(body) };
  } catch {
    return { title: 'Push', body: text };
  }
}
