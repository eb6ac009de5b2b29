import Cookies from 'js-cookie';
import { pageConfig } from '../page-config.ts';

const PREFIX = 'my-';
const DEFAULT_DAYS = 7;

export function readCookie(name: string): string | null {
  return typeof document === 'undefined' ? null : (Cookies.get(PREFIX + name) ?? null);
}

export function writeCookie(name: string, value: string, days = DEFAULT_DAYS): void {
  Cookies.set(PREFIX + name, value, { ...attributes(), expires: days });
}

export function removeCookie(name: string): void {
  Cookies.remove(PREFIX + name, attributes());
}

/** On the parent domain, so that both hosts share the session. */
function attributes(): Cookies.CookieAttributes {
  const { parent_domain, secure_cookies } = pageConfig();
  return { domain: parent_domain, path: '/', sameSite: 'Lax', secure: secure_cookies };
}
