import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { Stripe } from 'stripe';
import { type Html, isForeignRequest, page, shortTime } from '../page.ts';
import type { ProviderContext } from './context.ts';
import { formatMoney } from './currencies.ts';
import { deliverAgain } from './deliveries.ts';
import { changeKnobs, defaultKnobs, type Knobs, parseKnobs, readKnobs } from './knobs.ts';
import { testCards } from './test-cards.ts';

const styles = `
form.knobs{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:1rem}
form.knobs label{display:block}
form.knobs .flag{display:flex;gap:.6rem;align-items:center;min-height:44px}
input[type=checkbox]{width:24px;height:24px;accent-color:var(--accent)}
form.knobs button{grid-column:1/-1;justify-self:start}
td code{white-space:nowrap}
td button{min-height:36px;padding:.1rem .8rem}
`;

/** Serves the provider's page for people, and the knobs that simulate failures. */
export function serveDashboard(app: Hono, provider: ProviderContext): void {
  app.get('/', async () => {
    const body = dashboard(
      await readKnobs(provider.store),
      await recentPayments(provider),
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

function dashboard(knobs: Knobs, payments: PaymentRow[], events: EventRow[]): Html {
  return html`<main>
<p><span class="badge">Sandbox</span></p>
<h1>Card provider</h1>
<p class="soft">It stands in for the real one as long as no keys are set. No money moves, and no card number is kept.</p>
<h2>Recent payments</h2>
${payments.length === 0 ? html`<p class="card soft">None yet.</p>` : paymentTable(payments)}
<h2>Recent events</h2>
${events.length === 0 ? html`<p class="card soft">None yet.</p>` : eventTable(events)}
<h2>Let the outside world misbehave</h2>
${knobForm(knobs)}
<h2>Test cards</h2>
<p class="soft">Any expiry in the future, any security code. Every other card is refused.</p>
<div class="card scroll" role="region" tabindex="0" aria-label="Test cards"><table>
<thead><tr><th scope="col">Number</th><th scope="col">Card</th><th scope="col">What it does</th></tr></thead>
<tbody>${testCards.map(
    (card) =>
      html`<tr><td><code>${card.number.replace(/(.{4})(?=.)/g, '$1 ')}</code></td><td>${card.brand} ${card.funding}</td><td>${card.effect}</td></tr>`,
  )}</tbody></table></div>
</main>`;
}

function paymentTable(payments: PaymentRow[]): Html {
  const rows = payments.map(({ doc, card }) => {
    const paid = doc.status === 'succeeded';
    return html`<tr><td>${formatMoney(doc.amount, doc.currency)}</td><td class="${paid ? 'good' : ''}">${doc.status.replaceAll('_', ' ')}</td><td>${card?.card ? `${card.card.brand} ${card.card.last4}` : '–'}</td><td>${shortTime(doc.created * 1000)}</td><td><code>${doc.id}</code></td></tr>`;
  });
  return html`<div class="card scroll" role="region" tabindex="0" aria-label="Recent payments"><table>
<thead><tr><th scope="col">Amount</th><th scope="col">Status</th><th scope="col">Card</th><th scope="col">When (UTC)</th><th scope="col">Id</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function eventTable(events: EventRow[]): Html {
  const rows = events.map(
    (event) =>
      html`<tr><td>${event.type}<br><code class="soft">${event.about}</code></td><td>${event.deliveries ?? '–'}</td><td>${shortTime(event.created * 1000)}</td><td><form method="post" action="/sandbox/events/${event.id}/deliver"><button class="quiet" aria-label="Deliver ${event.type} again">Deliver again</button></form></td></tr>`,
  );
  return html`<div class="card scroll" role="region" tabindex="0" aria-label="Recent events"><table>
<thead><tr><th scope="col">Event</th><th scope="col">Delivery</th><th scope="col">When (UTC)</th><th scope="col">Again</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

const labels: Record<keyof Knobs, string> = {
  duplicate: 'Extra copies of every webhook',
  delay_ms: 'Webhooks wait (ms)',
  reorder: 'Webhooks arrive newest first',
  drop: 'Webhooks are not sent',
  fail_next: 'API calls that fail next',
  lose_next: 'API calls that work but answer 500 next',
  latency_ms: 'Every API call takes longer (ms)',
  api_down: 'API is down',
  no_wallets: 'No wallets are offered',
};

function knobForm(knobs: Knobs): Html {
  const fields = (Object.keys(defaultKnobs) as (keyof Knobs)[]).map((name) => {
    const value = knobs[name];
    return typeof value === 'boolean'
      ? html`<label class="flag"><input type="checkbox" name="${name}"${value ? html` checked` : ''}> ${labels[name]}</label>`
      : html`<label>${labels[name]}<input type="number" min="0" name="${name}" value="${value}" required></label>`;
  });
  return html`<form class="card knobs" method="post" action="/sandbox/knobs">${fields}<button>Set</button></form>`;
}
