import { RESET_PATH, SHELL_PATH, VERSION_PATH, type WorkerConfig } from '#contract/worker-messages.ts';

type Host = WorkerConfig['host'];

/**
 * A file in the build's list. A null revision means that the name contains a hash of the content. `{language}` in a URL
 * stands for the language of the messages.
 */
export type BuiltFile = { url: string; revision: string | null; hosts: readonly Host[] };

/**
 * Timeouts in milliseconds, including the body. A request that hangs keeps the next worker from activating, so every
 * request has one.
 */
export const LIMITS = {
  version: 3_000,
  settings: 3_000,
  refresh: 4_000,
  page: 30_000,
  file: 60_000,
  install: 60_000,
} as const;

/** Timeout of Cache Storage operations, in milliseconds. */
export const STORAGE_TIMEOUT = 1_500;

/** Parallel downloads during installation. Few, so that they do not delay the page's own requests. */
export const INSTALL_CONCURRENCY = 3;

/** Milliseconds after which a cached document is refreshed in the background. */
export const DOCUMENT_MAX_AGE = 5 * 60_000;

/** Milliseconds for which a tab's finding about the connection counts. */
export const FINDING_LIFETIME = 10_000;

export const VERSION_TEXT = /^\P{C}{1,20}$/u;

/** Requests that the worker leaves to the browser. */
const IGNORED_PATHS = [
  /^\/api(\/|$)/,
  /^\/gtfs\//,
  /^\/(routes|vessels|terminals|pictures|help)(\/|$)/,
  /^\/\.well-known\//,
  new RegExp(`^${RESET_PATH}`),
];
const FILE_NAME = /\.(css|html|ico|js|json|map|pdf|png|svg|txt|webmanifest|webp|woff2|xml)$/i;
const ASSETS = '/assets/';

/** Each build has its own cache, because tabs of the previous build may still need their files. */
const PRECACHE_PREFIX = 'ferry-files-';
/** Holds the settings and the version text, keyed by their URLs without the timestamp. */
export const DATA_CACHE = 'ferry-settings';
/** Holds the worker's state: the browser stops and restarts workers at any time. */
export const NOTES_CACHE = 'ferry-notes';

export function precacheName(build: string): string {
  return `${PRECACHE_PREFIX}${build}`;
}

export function isPrecacheName(cacheName: string): boolean {
  return cacheName.startsWith(PRECACHE_PREFIX);
}

/** The URLs of the files that the screens of a host need in a language; null for English, which is in the scripts. */
export function listFiles(host: Host, built: readonly BuiltFile[], language: string | null): string[] {
  const urls = built.filter(({ hosts }) => hosts.includes(host)).map(({ url }) => url);
  return language === null
    ? urls.filter((url) => !url.includes(LANGUAGE_PLACEHOLDER))
    : urls.map((url) => url.replace(LANGUAGE_PLACEHOLDER, language));
}

const LANGUAGE_PLACEHOLDER = '{language}';

/** True if the name contains a hash of the content, so that any cached copy is valid. */
export function isImmutable(pathname: string): boolean {
  return pathname.startsWith(ASSETS);
}

export type RequestKind = 'page' | 'file' | 'version' | 'settings';

type CheckedRequest = Pick<Request, 'method' | 'url' | 'mode'> & { headers: Pick<Headers, 'has'> };

/** Decides how to answer a request. Null leaves it to the browser. */
export function findRequestKind(
  request: CheckedRequest,
  { origin, config, built }: { origin: string; config: WorkerConfig; built: readonly BuiltFile[] },
): RequestKind | null {
  // Range requests would need partial responses, which the caches do not hold.
  if (request.method !== 'GET' || request.headers.has('range')) return null;
  const url = new URL(request.url);
  if (withoutTimestamp(url) === config.settings_url) return 'settings';
  if (url.origin !== origin || IGNORED_PATHS.some((pattern) => pattern.test(url.pathname))) return null;
  const isPage = request.mode === 'navigate';
  if (url.pathname === VERSION_PATH) return isPage ? null : 'version';
  if (isImmutable(url.pathname) || built.some((file) => file.url === url.pathname)) return 'file';
  return isPage && url.pathname !== SHELL_PATH && !FILE_NAME.test(url.pathname) ? 'page' : null;
}

/** The cache key of a URL that carries a timestamp. */
export function withoutTimestamp(url: URL): string {
  const address = new URL(url);
  address.searchParams.delete('t');
  return address.href;
}
