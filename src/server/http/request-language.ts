import { parseAccept } from 'hono/utils/accept';
import type { Host } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { chooseLanguage, LANGUAGE_PARAMETER, localize, readChosenLanguage } from '#messages/languages.ts';
import type { HttpContext } from './api.ts';

/**
 * The language tag for a page of a host: that of the address, the one that the visitor has chosen, the first of the browser
 * that the product has where the host starts in the browser's, or the operator's.
 */
export function findPageLanguage(host: Host, { url, headers }: Request, operatorTag: string): string {
  const requested = new URL(url).searchParams.get(LANGUAGE_PARAMETER);
  const chosen = readChosenLanguage(headers.get('cookie') ?? '');
  const accepted = servedHosts[host].startLanguage === 'browser' ? readAccepted(headers) : [];
  return localize(chooseLanguage([requested, chosen, ...accepted], operatorTag), operatorTag);
}

/** The language tag for the texts of the API's answers: calls of the app name their page's language as the browser's. */
export function findCallLanguage(headers: Headers, operatorTag: string): string {
  return localize(chooseLanguage(readAccepted(headers), operatorTag), operatorTag);
}

/** The language of the texts in the response to a request. */
export function requestLanguage(c: HttpContext): string {
  return findCallLanguage(c.req.raw.headers, c.get('getOperatorLanguage')());
}

/** The same for a response that may be cached: once for each language. */
export function cachedLanguage(c: HttpContext): string {
  c.var.headers.Vary = 'Origin, Accept-Language';
  return requestLanguage(c);
}

/** The language of a file that a link on a page of the ticket host downloads: the one of such a page. */
export function downloadLanguage(c: HttpContext): string {
  return findPageLanguage('tickets', c.req.raw, c.get('getOperatorLanguage')());
}

/** The browser's language tags, best first. */
function readAccepted(headers: Headers): string[] {
  const accepted = parseAccept(headers.get('accept-language') ?? '');
  return accepted.filter(({ q }) => q > 0).map(({ type }) => type);
}
