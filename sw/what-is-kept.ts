import { RESET_PATH, SHELL_PATH, VERSION_PATH, type WorkerConfig } from '#contract/worker-messages.ts';

type Host = WorkerConfig['host'];

/** A file as the build lists it; without a revision its name changes with its content. */
export type BuiltFile = { url: string; revision: string | null; hosts: readonly Host[] };

/**
 * How long each kind of request may take, in milliseconds, body included. A request that hangs keeps the next
 * worker from taking over, so nothing here is without a limit.
 */
export const LIMITS = {
  version: 3_000,
  settings: 3_000,
  refresh: 4_000,
  page: 30_000,
  file: 60_000,
  install: 60_000,
} as const;

/** How long the browser's own storage may take. */
export const STORAGE_WITHIN = 1_500;

/** Files fetched at once while installing: the page's own calls must not wait behind them. */
export const INSTALLED_AT_ONCE = 3;

/** A kept document younger than this is not asked for again. */
export const DOCUMENT_FRESH_FOR = 5 * 60_000;

/** What a tab found out about the connection is believed for this long. */
export const BELIEVED_FOR = 10_000;

export const VERSION_TEXT = /^\P{C}{1,20}$/u;

/** Never answered here, not even with the network's answer. */
const LEFT_ALONE = [/^\/api(\/|$)/, /^\/\.well-known\//, new RegExp(`^${RESET_PATH}`)];
const FILE_NAME = /\.(css|html|ico|js|json|map|pdf|png|svg|txt|webmanifest|webp|woff2|xml)$/i;
const ASSETS = '/assets/';

/** One cache for each build, so that a tab of the build before finds its files until it is gone as well. */
const GENERATION = 'ferry-files-';
/** Settings and the version text, each under one address without its timestamp. */
export const KEPT_CACHE = 'ferry-kept';
/** What the worker remembers between two of its lives. */
export const NOTES_CACHE = 'ferry-notes';

export function generationOf(build: string): string {
  return `${GENERATION}${build}`;
}

export function isGeneration(cacheName: string): boolean {
  return cacheName.startsWith(GENERATION);
}

/** The files this host's screens are made of. */
export function filesOf(host: Host, built: readonly BuiltFile[]): readonly BuiltFile[] {
  return built.filter(({ hosts }) => hosts.includes(host));
}

/** Named after its content: any copy of it is the right one. */
export function isImmutable(pathname: string): boolean {
  return pathname.startsWith(ASSETS);
}

export type Kind = 'page' | 'file' | 'version' | 'settings';

type Asked = Pick<Request, 'method' | 'url' | 'mode'> & { headers: Pick<Headers, 'has'> };

/** How a request is answered; null leaves it to the browser. */
export function findKind(
  request: Asked,
  { origin, config, built }: { origin: string; config: WorkerConfig; built: readonly BuiltFile[] },
): Kind | null {
  // Part of a file cannot be cut from a kept whole without a mistake sooner or later.
  if (request.method !== 'GET' || request.headers.has('range')) return null;
  const url = new URL(request.url);
  if (withoutTimestamp(url) === config.settings_url) return 'settings';
  if (url.origin !== origin || LEFT_ALONE.some((pattern) => pattern.test(url.pathname))) return null;
  const isPage = request.mode === 'navigate';
  if (url.pathname === VERSION_PATH) return isPage ? null : 'version';
  if (isImmutable(url.pathname) || built.some((file) => file.url === url.pathname)) return 'file';
  return isPage && url.pathname !== SHELL_PATH && !FILE_NAME.test(url.pathname) ? 'page' : null;
}

/** The address that the same thing is kept under each time. */
export function withoutTimestamp(url: URL): string {
  const address = new URL(url);
  address.searchParams.delete('t');
  return address.href;
}
