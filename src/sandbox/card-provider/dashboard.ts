import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Stripe } from 'stripe';
import { type Cell, type Html, isForeignRequest, page, shortTime, table } from '../page.ts';
import type { ProviderContext } from './context.ts';
import { formatMoney } from './currencies.ts';
import { deliverAgain } from './deliveries.ts';
import { changeKnobs, type Knobs, knobRules, parseKnobs, readKnobs } from './knobs.ts';
import { payOut } from './payouts.ts';
import { type TestCard, testCards } from './test-cards.ts';

const styles = `
form.knobs{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:1rem}
form.knobs label{display:block}
form.knobs .flag{display:flex;gap:.6rem;align-items:center;min-height:44px}
input[type=checkbox]{width:24px;height:24px;accent-color:var(--accent)}
form.knobs button{grid-column:1/-1;justify-self:start}
form.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:.75rem 0}
td code{white-space:nowrap}
td button{min-height:36px;padding:.1rem .8rem}
`;

/** Serves the provider's page for people, and the knobs that simulate failures. */
export function serveDashboard(app: Hono, provider: ProviderContext): void {
  app.get('/', async () => {
    const body = dashboard(
      await readKnobs(provider.store),
      await recentPayments(provider),
      await recentPayouts(provider),
      await recentEvents(provider),
    );
    return page({ title: 'Card provider sandbox', body, styles });
  });
  app.get('/sandbox/knobs', async () => Response.json(await readKnobs(provider.store)));
  app.post('/sandbox/knobs', async (context) => {
    const request = context.req.raw;
    if (isForeignRequest(request, provider.origin)) return problem(403, 'Only from this host.');
    const isJson = request.headers.get('content-type')?.startsWith('application/json') ?? false;
    const input = isJson ? await readJson(request) : readForm(await request.text());
    if (!input) return problem(422, 'The body is not an object.');
    const parsed = parseKnobs(input);
    if ('problem' in parsed) return problem(422, parsed.problem);
    const knobs = await changeKnobs(provider.store, parsed.knobs);
    return isJson ? Response.json(knobs) : context.redirect('/', 303);
  });
  app.post('/sandbox/payouts', async (context) => {
    const request = context.req.raw;
    if (isForeignRequest(request, provider.origin)) return problem(403, 'Only from this host.');
    const outcome = new URLSearchParams(await request.text()).get('outcome');
    if (outcome !== 'paid' && outcome !== 'returned') return problem(422, 'The outcome is paid or returned.');
    await payOut(provider, { isAtOnce: true, isReturned: outcome === 'returned' });
    return context.redirect('/', 303);
  });
  app.post('/sandbox/events/:id/deliver', async (context) => {
    if (isForeignRequest(context.req.raw, provider.origin)) return problem(403, 'Only from this host.');
    if (!(await deliverAgain(provider, context.req.param('id'))))
      return problem(404, 'There is no such event.');
    return context.redirect('/', 303);
  });
}

function problem(status: number, message: string): Response {
  return Response.json({ error: message }, { status });
}

async function readJson(request: Request): Promise<Record<string, unknown> | null> {
  try {
    const body: unknown = await request.json();
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : null;
  } catch {
    return null;
  }
}

/** Forms omit unticked boxes, which means off. */
function readForm(text: string): Record<string, unknown> {
  const flags = { reorder: 'off', drop: 'off', api_down: 'off', no_wallets: 'off' };
  return { ...flags, ...Object.fromEntries(new URLSearchParams(text)) };
}

type PaymentRow = { doc: Stripe.PaymentIntent; card: Stripe.PaymentMethod | null };
type EventRow = { id: string; type: string; created: number; about: string; deliveries: string | null };

async function recentPayments(provider: ProviderContext): Promise<PaymentRow[]> {
  return provider.store.query<PaymentRow>(
    `select i.doc, m.doc as card from sandbox.objects i
     left join sandbox.objects m on m.id = i.doc->>'payment_method'
     where i.object = 'payment_intent' order by i.seq desc limit 20`,
    [],
  );
}

async function recentPayouts(provider: ProviderContext): Promise<Stripe.Payout[]> {
  const rows = await provider.store.query<{ doc: Stripe.Payout }>(
    `select doc from sandbox.objects where object = 'payout' order by seq desc limit 10`,
    [],
  );
  return rows.map(({ doc }) => doc);
}

async function recentEvents(provider: ProviderContext): Promise<EventRow[]> {
  return provider.store.query<EventRow>(
    `select o.id, o.doc->>'type' as type, (o.doc->>'created')::double precision as created,
       o.doc->'data'->'object'->>'id' as about,
       (select string_agg(d.state || coalesce(' (' || d.last_answer || ')', '') || case when d.attempts > 1 then ' ×' || d.attempts else '' end, ', ' order by d.id)
        from sandbox.deliveries d where d.event_id = o.id) as deliveries
     from sandbox.objects o where o.object = 'event' order by o.seq desc limit 30`,
    [],
  );
}

function dashboard(knobs: Knobs, payments: PaymentRow[], payouts: Stripe.Payout[], events: EventRow[]): Html {
  return html`<main>
<p><span class="badge">Sandbox</span></p>
<h1>Card provider</h1>
<p class="soft">It stands in for the real one as long as no keys are set. No money moves, and no card number is kept.</p>
<h2>Recent payments</h2>
${payments.length === 0 ? html`<p class="card soft">None yet.</p>` : paymentTable(payments)}
<h2>Payouts</h2>
<p class="soft">Money of payments reaches the bank after two days, with one payout a day. Or now, with all there is:</p>
<form class="actions" method="post" action="/sandbox/payouts">
<button name="outcome" value="paid">Pay out now</button>
<button name="outcome" value="returned" class="quiet">Pay out now, and let the bank return it</button>
</form>
${payouts.length === 0 ? '' : payoutTable(payouts)}
<h2>Recent events</h2>
${events.length === 0 ? html`<p class="card soft">None yet.</p>` : eventTable(events)}
<h2>Let the outside world misbehave</h2>
${knobForm(knobs)}
<h2>Test cards</h2>
<p class="soft">Any expiry in the future, any security code. Every other card is refused.</p>
${table('Test cards', ['Number', 'Card', 'What it does'], testCards.map(cardCells))}
</main>`;
}

function cardCells({ number, brand, funding, effect }: TestCard): Cell[] {
  return [html`<code>${number.replace(/(.{4})(?=.)/g, '$1 ')}</code>`, `${brand} ${funding}`, effect];
}

function paymentTable(payments: PaymentRow[]): Html {
  const rows = payments.map(({ doc, card }): Cell[] => [
    formatMoney(doc.amount, doc.currency),
    html`<span class="${doc.status === 'succeeded' ? 'good' : ''}">${doc.status.replaceAll('_', ' ')}</span>`,
    card?.card ? `${card.card.brand} ${card.card.last4}` : '–',
    shortTime(doc.created * 1000),
    html`<code>${doc.id}</code>`,
  ]);
  return table('Recent payments', ['Amount', 'Status', 'Card', 'When (UTC)', 'Id'], rows);
}

function payoutTable(payouts: Stripe.Payout[]): Html {
  const rows = payouts.map((doc): Cell[] => [
    formatMoney(doc.amount, doc.currency),
    html`<span class="${doc.status === 'paid' ? 'good' : doc.status === 'failed' ? 'bad' : ''}">${doc.status.replaceAll('_', ' ')}</span>`,
    new Date(doc.arrival_date * 1000).toISOString().slice(0, 10),
    html`<code>${doc.id}</code>`,
  ]);
  return table('Payouts', ['Amount', 'Status', 'Arrives', 'Id'], rows);
}

function eventTable(events: EventRow[]): Html {
  const rows = events.map(({ id, type, about, deliveries, created }): Cell[] => [
    html`${type}<br><code class="soft">${about}</code>`,
    deliveries ?? '–',
    shortTime(created * 1000),
    html`<form method="post" action="/sandbox/events/${id}/deliver"><button class="quiet" aria-label="Deliver ${type} again">Deliver again</button></form>`,
  ]);
  return table('Recent events', ['Event', 'Delivery', 'When (UTC)', 'Again'], rows);
}

function knobForm(knobs: Knobs): Html {
  const fields = Object.entries(knobRules).map(([name, { label }]) => {
    const value = knobs[name as keyof Knobs];
    return typeof value === 'boolean'
      ? html`<label class="flag"><input type="checkbox" name="${name}"${value ? html` checked` : ''}> ${label}</label>`
      : html`<label>${label}<input type="number" min="0" name="${name}" value="${value}" required></label>`;
  });
  return html`<form class="card knobs" method="post" action="/sandbox/knobs">${fields}<button>Set</button></form>`;
}
