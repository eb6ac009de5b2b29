import Cookies from 'js-cookie';
import { COOKIE_PREFIX } from '#messages/languages.ts';
import { pageConfig } from '../page-config.ts';

const DEFAULT_DAYS = 7;

export function readCookie(name: string): string | null {
  return typeof document === 'undefined' ? null : (Cookies.get(COOKIE_PREFIX + name) ?? null);
}

export function writeCookie(name: string, value: string, days = DEFAULT_DAYS): void {
  Cookies.set(COOKIE_PREFIX + name, value, { ...attributes(), expires: days });
}

export function removeCookie(name: string): void {
  Cookies.remove(COOKIE_PREFIX + name, attributes());
}

/** On the parent domain, so that the hosts of customers share the session. */
function attributes(): Cookies.CookieAttributes {
  const { parent_domain, origins } = pageConfig();
  return { domain: parent_domain, path: '/', sameSite: 'Lax', secure: origins.tickets.startsWith('https:') };
}
