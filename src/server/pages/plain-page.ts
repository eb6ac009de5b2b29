import { createHash } from 'node:crypto';
import { openingTag } from './page-language.ts';

const STYLE =
  'body{max-width:34rem;margin:2rem auto;padding:0 1rem;font:1.125rem/1.5 system-ui,sans-serif}' +
  'button{min-height:3rem;padding:0 1.25rem;font:inherit;font-weight:600}a{display:inline-block;padding:.625rem 0}';
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Sends a page that needs no script, worker or database.
 * @param page the body is HTML
 */
export function sendPlainPage(
  request: Request,
  { title, body, language }: { title: string; body: string; language: string },
  status: number,
  headers: Record<string, string> = {},
): Response {
  const html = `<!doctype html>${openingTag(language)}<head><meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" /><meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
  return new Response(request.method === 'HEAD' ? null : html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      ...headers,
    },
  });
}
