import type { Host } from '#contract/page.ts';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import { routePages } from '#contract/route-pages.ts';
import type { Context } from '../context.ts';
import { escapeHtml } from '../core/markup.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import type { LiveData } from './front-end.ts';
import { routeAddress } from './route-page.ts';
import { listNamedRoutes } from './route-pages.ts';

type WellKnownContext = Pick<Context, 'config' | 'db' | 'clock'>;

/** RFC 9116 recommends less than a year. */
const SECURITY_TXT_DAYS = 180;

/** Responses at fixed addresses that browsers, search engines and security researchers look up. Null for other paths. */
export async function answerWellKnown(
  context: WellKnownContext,
  { host, pathname, loadData }: { host: Host; pathname: string; loadData: () => Promise<LiveData> },
): Promise<Response | null> {
  switch (pathname) {
    case '/.well-known/change-password':
      return Response.redirect(context.config.origins.portal + portalPages.security, 302);
    case '/.well-known/security.txt':
      return composeSecurityText(context, host);
    case '/robots.txt':
      return composeRobots(context, host);
    case '/sitemap.xml':
      return host === 'tickets' ? composeSitemap(context, await loadData()) : null;
    default:
      return null;
  }
}

/** Null if the operator has no contact address. */
async function composeSecurityText(
  { config, db, clock }: WellKnownContext,
  host: Host,
): Promise<Response | null> {
  const { contact, language } = await loadWebSettings({ db });
  const journeys = [contact.email === null ? null : `mailto:${contact.email}`, contact.url].filter(Boolean);
  if (journeys.length === 0) return null;
  const expires = new Date(clock.now().getTime() + SECURITY_TXT_DAYS * 24 * 3_600_000);
  return sendText([
    ...journeys.map((direction) => `Contact: ${direction}`),
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${language}`,
    `Canonical: ${config.origins[host]}/.well-known/security.txt`,
  ]);
}

/** Addresses below /orders/ and /shared_tickets/ grant access, and the portal has nothing to find. */
function composeRobots({ config }: WellKnownContext, host: Host): Response {
  if (host === 'portal') return sendText(['User-agent: *', 'Disallow: /']);
  return sendText([
    'User-agent: *',
    'Disallow: /orders/',
    'Disallow: /shared_tickets/',
    'Disallow: /api/',
    `Sitemap: ${config.origins.tickets}/sitemap.xml`,
  ]);
}

function composeSitemap({ config }: WellKnownContext, { home }: LiveData): Response {
  const paths = [
    ticketPages.home,
    ticketPages.departures,
    ...home.catalogue.ports.map(({ code }) => fillPath(ticketPages.portDepartures, { code })),
    routePages.all,
    ...listNamedRoutes(home).map(routeAddress),
  ];
  const urls = paths.map((path) => `<url><loc>${escapeHtml(config.origins.tickets + path)}</loc></url>`);
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
  return send(text, 'application/xml; charset=utf-8');
}

function sendText(lines: readonly string[]): Response {
  return send(`${lines.join('\n')}\n`, 'text/plain; charset=utf-8');
}

function send(text: string, type: string): Response {
  return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' } });
}
