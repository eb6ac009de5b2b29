import { type SessionKind, sessionCookies } from '#contract/hosts.ts';
import { UNKNOWN_DEVICE } from '#domain/device.ts';
import { COOKIE_PREFIX } from '#messages/languages.ts';
import type { Config } from '../config.ts';
import type { HttpContext } from './api.ts';
import { getNetwork } from './client-address.ts';
import { requestLanguage } from './request-language.ts';

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];
/** Order matters: Chrome's user agent also contains Safari, and browsers based on Chrome also contain Chrome. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** The sender of a request, as plain values for limits, mails and remembered devices. */
export type Client = {
  /** The network of its address, for limits only; never logged. */
  readonly network: string;
  /** "Safari on iPhone". Enough to distinguish sessions, too little to identify a device. */
  readonly device: string;
  /** Of the texts in the response. */
  readonly language: string;
  /** Browsers send Origin or Sec-Fetch headers; other clients keep no cookies. */
  readonly isBrowser: boolean;
  /** The Cookie header. */
  readonly cookies: string | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
};

/** The client of a request. Values are read on demand, because most calls need only one or two. */
export function readClient(c: HttpContext): Client {
  return {
    get network() {
      return getNetwork(c.get('readRemoteAddress')());
    },
    get device() {
      return describeDevice(c.req.header('user-agent') ?? '');
    },
    get language() {
      return requestLanguage(c);
    },
    get isBrowser() {
      return c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') !== undefined;
    },
    get cookies() {
      return c.req.header('cookie');
    },
    get signal() {
      return c.req.raw.signal;
    },
  };
}

/**
 * The bearer of the authorization header. Never a cookie or the query, so that browsers cannot send it unintentionally.
 */
export function readBearer(c: HttpContext): string | null {
  return /^bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null;
}

function describeDevice(userAgent: string): string {
  const find = (names: typeof SYSTEMS) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = find(SYSTEMS);
  const browser = find(BROWSERS);
  if (system && browser) return `${browser} on ${system}`;
  return browser ?? system ?? UNKNOWN_DEVICE;
}

/**
 * The token of the kind of session that a call is for. Where the server keeps it in a cookie, that is the first one of the
 * name: browsers with HTTPS refuse one of its prefix from any other host.
 */
export function readToken(c: HttpContext, config: Pick<Config, 'origins'>, kind: SessionKind): string | null {
  const { name, usedBy } = sessionCookies[kind];
  if (usedBy === 'scripts') return readBearer(c);
  return readOwnCookie(c, config, COOKIE_PREFIX + name);
}

/** The value of a cookie that only its host gets; null if there is none. */
export function readOwnCookie(c: HttpContext, config: Pick<Config, 'origins'>, name: string): string | null {
  return readCookies(c.req.header('cookie'), ownHostPrefix(config) + name)[0] ?? null;
}

/** A cookie to set, its value of cookie characters only; an age of 0 removes it. */
export type Cookie = { name: string; value: string; maxAgeSeconds: number };

/** All values of a cookie name, because another site on the parent domain may set one of the same name. */
export function readCookies(header: string | undefined, name: string): string[] {
  const start = `${name}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .map((pair) => pair.slice(start.length));
}

/** Adds cookies to the response that scripts cannot read, for the hosts of a kind of session. */
export function writeCookies(
  c: HttpContext,
  config: Pick<Config, 'parentDomain' | 'origins'>,
  cookies: readonly Cookie[],
  kind: SessionKind = 'customer',
): void {
  const isShared = sessionCookies[kind].domain === 'parent';
  const prefix = isShared ? '' : ownHostPrefix(config);
  const domain = isShared ? `; Domain=${config.parentDomain}` : '';
  const sameSite = isShared ? 'Lax' : 'Strict';
  const secure = isSecure(config) ? '; Secure' : '';
  const lines = cookies.map(
    ({ name, value, maxAgeSeconds }) =>
      `${prefix}${name}=${value}${domain}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`,
  );
  c.set('cookies', [...(c.get('cookies') ?? []), ...lines]);
}

/** With it, browsers accept a cookie only from the host itself and over HTTPS. */
function ownHostPrefix(config: Pick<Config, 'origins'>): string {
  return isSecure(config) ? '__Host-' : '';
}

function isSecure({ origins }: Pick<Config, 'origins'>): boolean {
  return origins.portal.startsWith('https:');
}
