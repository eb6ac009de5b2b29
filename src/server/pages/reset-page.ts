import { createHash } from 'node:crypto';
import { RESET_PATH } from '#contract/worker-messages.ts';

const TEXT = {
  ask: {
    title: 'Start over on this device',
    body: `<p>If this site does not open or shows old pages, this deletes what it keeps on this device: saved screens,
      orders and settings. You stay signed in, and your account, orders and trip cards are not touched. Tickets bought
      without an account open again from the link in our email.</p>
      <form method="post" action="${RESET_PATH}"><button>Delete and start over</button></form>
      <p><a href="/">Go back without deleting</a></p>`,
  },
  done: {
    title: 'Done',
    body: '<p>Nothing is kept on this device any more.</p><p><a href="/">Open the site again</a></p>',
  },
} as const;

const STYLE =
  'body{max-width:34rem;margin:2rem auto;padding:0 1rem;font:1.125rem/1.5 system-ui,sans-serif}' +
  'button{min-height:3rem;padding:0 1.25rem;font:inherit;font-weight:600}a{display:inline-block;padding:.625rem 0}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * A page that clears all site data, for when cached data breaks the site. It works without scripts and worker. It
 * deletes only on a POST from our own page, because saved tickets would be lost.
 */
export function handleReset(request: Request, origin: string): Response {
  if (request.method === 'GET' || request.method === 'HEAD') return page(request, 'ask', 200);
  if (request.method !== 'POST')
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD, POST' } });
  if (request.headers.get('origin') !== origin) return page(request, 'ask', 403);
  return page(request, 'done', 200, { 'Clear-Site-Data': '"storage"' });
}

function page(
  request: Request,
  kind: keyof typeof TEXT,
  status: number,
  headers: Record<string, string> = {},
): Response {
  const { title, body } = TEXT[kind];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  return new Response(request.method === 'HEAD' ? null : html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      // With "no-referrer" a browser would omit the origin of our own form.
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      ...headers,
    },
  });
}
