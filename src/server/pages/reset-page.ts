import { RESET_PATH } from '#contract/worker-messages.ts';
import { sendPlainPage } from './plain-page.ts';

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
  // With "no-referrer" a browser would omit the origin of our own form.
  return sendPlainPage(request, TEXT[kind], status, { 'Referrer-Policy': 'same-origin', ...headers });
}
