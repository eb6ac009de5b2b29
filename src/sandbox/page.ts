import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export type PageInput = {
  title: string;
  body: Html;
  status?: number;
  /** Additions to the strict policy. Each replaces the default directive. */
  policy?: Record<string, string>;
  /** Origins whose pages may show it in a frame, besides its own. */
  embeddedBy?: readonly string[];
  /** Additional styles of this page. */
  styles?: string;
  /** Paths of scripts on the same host. */
  scripts?: readonly string[];
};

const baseStyles = `
:root{color-scheme:light dark;--ground:#f4f7f9;--card:#fff;--ink:#0f2533;--soft:#516674;--line:#d3dee5;--accent:#0b6478;--on-accent:#fff;--good:#17633a;--bad:#a3262a}
@media (prefers-color-scheme:dark){:root{--ground:#0c161d;--card:#14222c;--ink:#e7eff4;--soft:#9db1be;--line:#2a3d4a;--accent:#5cc3d8;--on-accent:#05242b;--good:#7bd0a0;--bad:#ff9c98}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.1rem;margin:2rem 0 .75rem}
p{margin:.5rem 0}
a{color:var(--accent);text-underline-offset:.15em}
.soft{color:var(--soft)}
.good{color:var(--good)}
.bad{color:var(--bad)}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1rem}
.badge{display:inline-block;border:1px solid currentColor;border-radius:99px;padding:0 .6rem;font-size:.8rem}
button,.button{font:inherit;min-height:44px;padding:.4rem 1.1rem;border-radius:10px;border:1px solid var(--accent);background:var(--accent);color:var(--on-accent);cursor:pointer;display:inline-flex;align-items:center;text-decoration:none}
button.quiet,.button.quiet{background:transparent;color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
input[type=number],input[type=text],input[type=search]{font:inherit;min-height:44px;width:100%;padding:.3rem .6rem;border:1px solid var(--soft);border-radius:8px;background:var(--card);color:var(--ink)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.95rem}
th,td{text-align:start;padding:.5rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
th{font-weight:600;color:var(--soft);font-size:.85rem}
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
`;

/**
 * Renders a page: no external resources, no inline script, and a single inline style allowed by its hash. Text inserted
 * into `body` with the `html` tag is escaped.
 */
export async function page(input: PageInput): Promise<Response> {
  const styles = baseStyles + (input.styles ?? '');
  const ancestors = input.embeddedBy ? ["'self'", ...input.embeddedBy].join(' ') : "'none'";
  const scripts = (input.scripts ?? []).map((source) => html`<script src="${source}" defer></script>`);
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${input.title}</title>
<style>${raw(styles)}</style>
${scripts}
</head>
<body>${input.body}</body>
</html>`;
  return new Response(String(document), {
    status: input.status ?? 200,
    headers: pageHeaders({
      'style-src': `'sha256-${hashText(styles)}'`,
      'frame-ancestors': ancestors,
      ...input.policy,
    }),
  });
}

export type Cell = Html | string;

/** A table that scrolls sideways on a narrow screen. */
export function table(label: string, headings: readonly string[], rows: readonly Cell[][]): Html {
  return html`<div class="card scroll" role="region" tabindex="0" aria-label="${label}"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function pageHeaders(policy: Record<string, string>): Record<string, string> {
  const rules = {
    'default-src': "'none'",
    'script-src': "'self'",
    'connect-src': "'self'",
    'img-src': 'data:',
    'form-action': "'self'",
    'base-uri': "'none'",
    ...policy,
  };
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': Object.entries(rules)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    'cache-control': 'no-store',
    // With no-referrer a form would send `Origin: null`, but its origin is checked.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

/** Whether a form was sent by another site. Browsers send an origin; other clients are allowed. */
export function isForeignRequest(request: Request, origin: string): boolean {
  const source = request.headers.get('origin');
  return source !== null && source !== origin;
}

/** `14:03:27, 3 May` in UTC. */
export function shortTime(milliseconds: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone: 'UTC',
  }).format(milliseconds);
}
