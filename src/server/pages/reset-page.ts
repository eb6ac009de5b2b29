import { RESET_PATH } from '#contract/worker-messages.ts';
import { textsIn } from '#server/core/texts.ts';
import { sendPlainPage } from './plain-page.ts';

/**
 * A page that clears all site data, for when cached data breaks the site. It works without scripts and worker. It
 * deletes only on a POST from our own page, because saved tickets would be lost.
 */
export function handleReset(
  request: Request,
  { origin, language }: { origin: string; language: string },
): Response {
  const t = textsIn(language);
  const ask = {
    title: t('Start over on this device'),
    body: `<p>${t('If this site does not open or shows old pages, this deletes what it keeps on this device: saved screens, orders and settings. You stay signed in, and your account, orders and trip cards are not touched. Tickets bought without an account open again from the link in our email.')}</p>
      <form method="post" action="${RESET_PATH}"><button>${t('Delete and start over')}</button></form>
      <p><a href="/">${t('Go back without deleting')}</a></p>`,
    language,
  };
  const done = {
    title: t('Done'),
    body: `<p>${t('Nothing is kept on this device any more.')}</p><p><a href="/">${t('Open the site again')}</a></p>`,
    language,
  };
  if (request.method === 'GET' || request.method === 'HEAD') return page(request, ask, 200);
  if (request.method !== 'POST')
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD, POST' } });
  if (request.headers.get('origin') !== origin) return page(request, ask, 403);
  return page(request, done, 200, { 'Clear-Site-Data': '"storage"' });
}

function page(
  request: Request,
  content: Parameters<typeof sendPlainPage>[1],
  status: number,
  headers: Record<string, string> = {},
): Response {
  // With "no-referrer" a browser would omit the origin of our own form.
  return sendPlainPage(request, content, status, { 'Referrer-Policy': 'same-origin', ...headers });
}
