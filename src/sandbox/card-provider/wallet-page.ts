import type { Hono } from 'hono';
import { html } from 'hono/html';
import { page } from '../page.ts';
import type { ProviderContext } from './context.ts';
import { formatMoney } from './currencies.ts';
import { findCardByName } from './test-cards.ts';

const styles = `
body{background:var(--card)}
form{max-width:26rem;margin:0 auto;padding:1.5rem 1.25rem;display:grid;gap:1rem}
h1{margin:0}
fieldset{border:0;margin:0;padding:0;display:grid;gap:.5rem}
legend{padding:0;margin-bottom:.5rem}
label{display:flex;gap:.75rem;align-items:center;min-height:44px;padding:.25rem .75rem;border:1px solid var(--line);border-radius:10px}
input{width:20px;height:20px;flex:none;accent-color:var(--accent)}
.sum{font-size:1.5rem;font-weight:700;margin:0}
button{justify-content:center}
`;

const cards = ['visa', 'visa_chargeDeclined', 'authenticationRequired'];

/** Serves the sheet of the stand-in wallet, in a frame over the merchant's page, to choose a test card. */
export function serveWallet(app: Hono, provider: ProviderContext): void {
  app.get('/endive/wallet', (context) => {
    const { amount, currency = '' } = context.req.query();
    const isSum = /^\d{1,10}$/.test(amount ?? '') && /^[a-z]{3}$/.test(currency);
    const sum = isSum ? formatMoney(Number(amount), currency) : '';
    return page({
      title: 'Google Pay',
      body: html`<form data-origins="${provider.merchantOrigins.join(' ')}">
<h1>Google Pay <span class="badge">Test</span></h1>
<p class="sum">${sum}</p>
<fieldset><legend class="soft">A stand-in wallet: no money moves.</legend>
${cards.map((name, index) => {
  const card = findCardByName(name);
  return html`<label><input type="radio" name="card" value="${name}"${index === 0 ? html` checked` : ''}> <span>Visa •••• ${card?.number.slice(-4)}<br><span class="soft">${card?.effect}</span></span></label>`;
})}
</fieldset>
<button>Pay ${sum}</button>
</form>`,
      styles,
      scripts: ['/endive/wallet.js'],
      policy: { 'form-action': "'none'" },
      embeddedBy: provider.merchantOrigins,
    });
  });
}
