import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { page } from '../page.ts';
import type { ProviderContext } from './context.ts';
import { readKnobs } from './knobs.ts';

const styles = `
:root{--pay-text:#30313d;--pay-ground:#fff;--pay-danger:#b3093c;--pay-primary:#0570de;--pay-soft:#6d6e78;--pay-placeholder:#757680;--pay-border:#87919b;--pay-radius:5px;--pay-font:system-ui,sans-serif;--pay-size:16px;--pay-gap:12px}
html,body{background:transparent}
body{font-family:var(--pay-font);font-size:var(--pay-size);color:var(--pay-text);line-height:1.4;overflow:hidden}
#form{padding:2px}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:var(--pay-gap)}
.field.wide{grid-column:1/-1}
label{display:block;font-size:.93em;margin-bottom:4px;color:var(--pay-text)}
.box{position:relative}
input,select{font:inherit;width:100%;min-height:44px;padding:10px 12px;border:1px solid var(--pay-border);border-radius:var(--pay-radius);background:var(--pay-ground);color:var(--pay-text);box-shadow:0 1px 1px rgb(0 0 0/.03),0 3px 6px rgb(0 0 0/.02)}
input::placeholder{color:var(--pay-placeholder);opacity:1}
input:focus,select:focus{outline:2px solid var(--pay-primary);outline-offset:1px;border-color:var(--pay-primary)}
input[aria-invalid=true],select[aria-invalid=true]{border-color:var(--pay-danger);color:var(--pay-danger)}
input:disabled{opacity:.6}
.brand{position:absolute;inset-inline-end:10px;top:50%;translate:0 -50%;font:700 .68em/1 system-ui,sans-serif;letter-spacing:.03em;padding:5px 7px;border-radius:4px;background:#1a1f71;color:#fff;text-transform:uppercase;pointer-events:none}
.brand[hidden]{display:none}
.brand[data-brand=mastercard]{background:#b3001b}
.brand[data-brand=amex]{background:#016fd0}
.brand[data-brand=unknown]{background:#5c6470}
.problem{color:var(--pay-danger);font-size:.9em;margin:4px 0 0}
.problem:empty{display:none}
.wallet{display:block;width:100%;border:0;border-radius:var(--pay-radius);background:#1f1f1f;color:#fff;font:600 18px/1 system-ui,sans-serif;cursor:pointer}
.wallet[data-theme=white]{background:#fff;color:#1f1f1f}
.wallet:focus-visible{outline:3px solid #4285f4;outline-offset:-6px}
.wallet small{font-weight:400;font-size:13px;opacity:.8}
details{margin-top:12px;font-size:.88em;color:var(--pay-soft)}
summary{cursor:pointer;min-height:28px;padding:4px 0}
summary:focus-visible,.try:focus-visible{outline:2px solid var(--pay-primary);outline-offset:2px;border-radius:4px}
.tries{display:flex;flex-wrap:wrap;gap:8px;padding:4px 2px}
.try{font:inherit;min-height:36px;padding:4px 12px;border-radius:99px;border:1px solid var(--pay-border);background:var(--pay-ground);color:var(--pay-text)}
`;

/** Modules of each script, ordered by their dependencies. */
const bundles = {
  'stripe.js': [
    'messages',
    'client',
    'dialog',
    'frame-element',
    'express-checkout',
    'elements-group',
    'confirming',
    'stripe',
  ],
  'frame.js': ['messages', 'client', 'card-rules', 'appearance', 'frame-fields', 'wallet-button', 'frame'],
  'wallet.js': ['messages', 'wallet'],
  'three-d-secure.js': ['messages', 'three-d-secure'],
} as const;

type ScriptName = keyof typeof bundles;

/** Serves the frame in which card details are typed, and the provider's scripts. */
export function serveFrame(app: Hono, provider: ProviderContext): void {
  app.get('/endive/frame', async () => {
    const wallets = (await readKnobs(provider.store)).no_wallets ? '' : 'google_pay';
    return page({
      title: 'Card details',
      body: html`<div id="form" data-origins="${provider.merchantOrigins.join(' ')}" data-key="${provider.keys().publishableKey}" data-wallets="${wallets}"></div>`,
      styles,
      scripts: ['/endive/frame.js'],
      policy: { 'form-action': "'none'" },
      embeddedBy: provider.merchantOrigins,
    });
  });
  for (const name of Object.keys(bundles) as ScriptName[]) {
    let script: Promise<string> | undefined;
    app.get(`/endive/${name}`, async () => {
      script ??= buildScript(name);
      return new Response(await script, {
        headers: {
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'no-cache',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        },
      });
    });
  }
}

/** Builds a browser script from its TypeScript sources: strips the types and joins the modules into one function. */
export async function buildScript(name: ScriptName): Promise<string> {
  const parts = await Promise.all(bundles[name].map(readModule));
  return `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`;
}

async function readModule(module: string): Promise<string> {
  const source = await readFile(new URL(`browser/${module}.ts`, import.meta.url), 'utf8');
  return stripTypeScriptTypes(source)
    .replace(/^import\s[^;]*;$/gm, '')
    .replace(/^export /gm, '');
}
