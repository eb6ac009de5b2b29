import { listDocuments } from '#contract/documents.ts';
import { RELEASE_PARAMETER } from '#contract/worker-messages.ts';
import type { WorkerContext } from './worker-context.ts';

/** Fetches with a timeout in milliseconds that covers the body too. */
export function fetchWithTimeout(
  context: Pick<WorkerContext, 'fetch'>,
  request: Request | string,
  limit: number,
  init: RequestInit = {},
): Promise<Response> {
  return context.fetch(request, { ...init, signal: AbortSignal.timeout(limit) });
}

const TYPES: Record<string, RegExp> = { js: /javascript/, css: /text\/css/, svg: /svg/, woff2: /font/ };

/** False for a captive portal's page, which must not be cached. */
export function isExpectedFile(pathname: string, response: Response): boolean {
  const expected = TYPES[pathname.split('.').at(-1) ?? ''];
  const type = response.headers.get('content-type') ?? '';
  return response.status === 200 && !response.redirected && expected?.test(type) === true;
}

/** False for a document of another build, which a server sends once it no longer has this one. */
export async function isExpectedDocument(build: string, response: Response): Promise<boolean> {
  if (response.status !== 200 || response.redirected) return false;
  return (await response.clone().text()).includes(`"version":${JSON.stringify(build)}`);
}

/**
 * Fetches a file or document and checks that it may be cached.
 * @throws {Error} if the response is something else
 */
export async function fetchForCache(
  context: Pick<WorkerContext, 'fetch' | 'config'>,
  { path, isImmutable, limit }: { path: string; isImmutable: boolean; limit: number },
): Promise<Response> {
  // The HTTP cache may have immutable files from the first visit.
  const cache = isImmutable ? 'default' : 'no-cache';
  const { build, host } = context.config;
  const isDocument = listDocuments(host).includes(path);
  const address = isDocument ? `${path}?${RELEASE_PARAMETER}=${build}` : path;
  const response = await fetchWithTimeout(context, address, limit, {
    cache,
    credentials: 'same-origin',
    priority: 'low',
  });
  const isExpected = isDocument ? await isExpectedDocument(build, response) : isExpectedFile(path, response);
  if (!isExpected) throw new Error(`${path} had an unexpected answer (status ${response.status}).`);
  return response;
}
