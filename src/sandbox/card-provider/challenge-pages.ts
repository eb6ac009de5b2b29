import type { Hono } from 'hono';
import { html } from 'hono/html';
import { type Html, isForeignRequest, page } from '../page.ts';
import { failAuthentication, settlePayment } from './api/payments.ts';
import { failSetup, finishSetup } from './api/setup-intents.ts';
import type { ProviderContext } from './context.ts';
import { formatMoney } from './currencies.ts';
import { authenticationFailure } from './errors.ts';
import { readKnobs } from './knobs.ts';
import type { Stored } from './records.ts';
import { beginUnit, Outdated, type UnitOfWork } from './unit-of-work.ts';

type Intent = Stored<'payment_intent'> | Stored<'setup_intent'>;
type Question = { challenge: Stored<'challenge'>; intent: Intent; open: boolean };

const styles = `
body{background:var(--card)}
section{max-width:26rem;margin:0 auto;padding:2rem 1.25rem}
.bank{display:flex;justify-content:space-between;align-items:center;border-bottom:1px solid var(--line);padding-bottom:.75rem;margin-bottom:1rem}
form{display:grid;gap:.75rem;margin-top:1.5rem}
button{justify-content:center}
.sum{font-size:1.5rem;font-weight:700}
`;

/** Serves the simulated bank's page, in a frame over the merchant's page or standalone. */
export function serveChallenges(app: Hono, provider: ProviderContext): void {
  app.get('/3ds/:id', async (context) => {
    const unit = beginUnit(provider, await readKnobs(provider.store));
    const question = await findQuestion(unit, context.req.param('id'));
    if (!question) return bankPage(provider, notFound(), 404);
    return bankPage(provider, question.open ? renderQuestion(question) : renderClosed(provider));
  });
  app.post('/3ds/:id', async (context) => {
    if (isForeignRequest(context.req.raw, provider.origin))
      return bankPage(provider, renderClosed(provider), 403);
    const form = await context.req.parseBody();
    const completed = form.outcome === 'complete';
    const intent = await answerChallenge(provider, context.req.param('id'), completed);
    return bankPage(provider, intent ? renderAnswered(provider, intent) : renderClosed(provider));
  });
}

/** Applies the cardholder's decision to the intent; null if the intent no longer waits for this challenge. */
export async function answerChallenge(
  provider: ProviderContext,
  id: string,
  completed: boolean,
): Promise<Intent | null> {
  for (let attempt = 1; ; attempt += 1) {
    const unit = beginUnit(provider, await readKnobs(provider.store));
    const question = await findQuestion(unit, id);
    if (!question?.open) return null;
    try {
      await settle(unit, question, completed);
      await unit.commit();
      provider.triggerDelivery();
      return question.intent;
    } catch (error) {
      if (!(error instanceof Outdated) || attempt === 10) throw error;
    }
  }
}

async function findQuestion(unit: UnitOfWork, id: string): Promise<Question | null> {
  const challenge = await unit.find('challenge', id);
  if (!challenge) return null;
  const intent =
    (await unit.find('payment_intent', challenge.doc.intent)) ??
    (await unit.find('setup_intent', challenge.doc.intent));
  if (!intent) return null;
  const waits = intent.doc.status === 'requires_action' && intent.secret.challenge === id;
  return { challenge, intent, open: waits && challenge.doc.state === 'open' };
}

async function settle(unit: UnitOfWork, { challenge, intent }: Question, completed: boolean): Promise<void> {
  challenge.doc.state = completed ? 'completed' : 'failed';
  unit.save(challenge);
  const method = await unit.find('payment_method', String(intent.doc.payment_method));
  if (!method) throw new Error(`The payment method of ${intent.id} is gone.`);
  if (intent.object === 'payment_intent') {
    if (completed) settlePayment(unit, intent, method, true);
    else failAuthentication(unit, intent, method);
    return;
  }
  if (completed) finishSetup(unit, intent, method, true);
  else failSetup(unit, intent, method, authenticationFailure('setup_intent'));
}

function bankPage(provider: ProviderContext, body: Html, status = 200): Promise<Response> {
  return page({
    title: 'Confirm it is you',
    body: html`<section><div class="bank"><strong>Sandbox Bank</strong><span class="badge">Test</span></div>${body}</section>`,
    status,
    styles,
    scripts: ['/endive/three-d-secure.js'],
    embeddedBy: provider.merchantOrigins,
  });
}

function renderQuestion({ intent }: Question): Html {
  const what =
    intent.object === 'payment_intent'
      ? html`<p>A payment of</p><p class="sum">${formatMoney(intent.doc.amount, intent.doc.currency)}</p><p>needs your confirmation.</p>`
      : html`<p>Saving this card for later payments needs your confirmation.</p>`;
  return html`<h1>Confirm it is you</h1>
${what}
<p class="soft">A real bank would ask for its app or a code here. No money moves.</p>
<form method="post">
<button name="outcome" value="complete">Complete authentication</button>
<button name="outcome" value="fail" class="quiet">Fail authentication</button>
</form>`;
}

/** The page's script notifies the merchant's page, or redirects to it. */
function renderAnswered(provider: ProviderContext, intent: Intent): Html {
  return html`<h1>Thank you</h1><p>You can go back to the shop.</p>
<p id="outcome" data-origins="${provider.merchantOrigins.join(' ')}" data-return-url="${returnAddress(intent)}"></p>`;
}

function returnAddress(intent: Intent): string {
  const address = intent.secret.confirmation?.returnUrl;
  if (!address) return '';
  const url = new URL(address);
  url.searchParams.set(intent.object, intent.id);
  url.searchParams.set(`${intent.object}_client_secret`, String(intent.doc.client_secret));
  url.searchParams.set('redirect_status', intent.doc.status === 'succeeded' ? 'succeeded' : 'failed');
  return url.href;
}

function renderClosed(provider: ProviderContext): Html {
  return html`<h1>Nothing to confirm</h1><p>This confirmation was already answered, or the payment was given up.</p><p id="outcome" data-origins="${provider.merchantOrigins.join(' ')}" data-return-url=""></p>`;
}

function notFound(): Html {
  return html`<h1>Not found</h1><p>There is no such confirmation.</p>`;
}
