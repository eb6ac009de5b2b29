import { type Host, hostDescriptions } from '#contract/hosts.ts';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import { terminalAddress, vesselAddress } from '#contract/place-pages.ts';
import { HELP_PATH, routePages } from '#contract/route-pages.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { listOfferedLanguages } from '#messages/languages.ts';
import type { Context } from '../context.ts';
import { escapeHtml } from '../core/markup.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import type { LiveData } from './front-end.ts';
import { addressInLanguage } from './page-language.ts';
import { listNamedRoutes, routeAddress } from './site/named-route.ts';

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
      return hostDescriptions[host].session.kind === 'customer'
        ? Response.redirect(context.config.origins.portal + portalPages.security, 302)
        : null;
    case '/.well-known/security.txt':
      return composeSecurityText(context, host);
    case '/robots.txt':
      return composeRobots(context, host);
    case '/sitemap.xml':
      return servedHosts[host].isPublic ? composeSitemap(context, await loadData()) : null;
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

/** Addresses below /orders/ and /shared_tickets/ grant access, and hosts that are not public have nothing to find. */
function composeRobots({ config }: WellKnownContext, host: Host): Response {
  if (!servedHosts[host].isPublic) return sendText(['User-agent: *', 'Disallow: /']);
  return sendText([
    'User-agent: *',
    'Disallow: /orders/',
    'Disallow: /shared_tickets/',
    'Disallow: /api/',
    `Sitemap: ${config.origins.tickets}/sitemap.xml`,
  ]);
}

function composeSitemap({ config }: WellKnownContext, { settings, ...data }: LiveData): Response {
  const home = data.home.inLanguage(settings.language);
  const paths = [
    ticketPages.home,
    ticketPages.departures,
    ...home.catalogue.ports.map(({ code }) => fillPath(ticketPages.portDepartures, { code })),
    routePages.all,
    ...listNamedRoutes(home).map(routeAddress),
    ...home.catalogue.ports.map(({ code }) => terminalAddress(code)),
    ...new Set(data.home.catalogue.vessels.map(({ name }) => vesselAddress(name))),
    HELP_PATH,
  ];
  const urls = paths.flatMap((path) => describeVersions(config.origins.tickets + path, settings.language));
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
  return send(text, 'application/xml; charset=utf-8');
}

/**
 * A page in each language, with links to the others. They stand here because in the page they would not fit into its first
 * round trip.
 */
function describeVersions(address: string, operatorTag: string): string[] {
  const versions = listOfferedLanguages().map((language) => ({
    language,
    href: escapeHtml(addressInLanguage(address, { page: language, operator: operatorTag })),
  }));
  const links = [...versions, { language: 'x-default', href: escapeHtml(address) }].map(
    ({ language, href }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`,
  );
  return versions.map(({ href }) => `<url><loc>${href}</loc>${links.join('')}</url>`);
}

function sendText(lines: readonly string[]): Response {
  return send(`${lines.join('\n')}\n`, 'text/plain; charset=utf-8');
}

function send(text: string, type: string): Response {
  return new Response(text, { headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=3600' } });
}
