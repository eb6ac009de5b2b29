import { documentFor } from '#contract/documents.ts';
import { SOURCE_HEADER, VERSION_PATH } from '#contract/worker-messages.ts';
import {
  DATA_CACHE,
  DOCUMENT_MAX_AGE,
  isImmutable,
  LIMITS,
  precacheName,
  type RequestKind,
  VERSION_TEXT,
  withoutTimestamp,
} from './cache-rules.ts';
import { broadcastConnection } from './connection.ts';
import { fetchForCache, fetchWithTimeout } from './network.ts';
import { cacheResponse, findCached } from './store.ts';
import { broadcast } from './tabs.ts';
import type { WorkerContext } from './worker-context.ts';

/** Extends the worker's lifetime for work that continues after the response. */
export type WaitUntil = (work: Promise<void>) => void;

type Strategy = (context: WorkerContext, request: Request, waitUntil: WaitUntil) => Promise<Response>;

export const strategies: Record<RequestKind, Strategy> = {
  page: answerPage,
  file: answerFile,
  version: answerVersion,
  settings: answerSettings,
};

/** Cache first, refreshed in the background once it is old. */
async function answerPage(context: WorkerContext, request: Request, waitUntil: WaitUntil): Promise<Response> {
  const path = documentFor(context.config.host, new URL(request.url).pathname);
  const cached = await findCached(context, precacheName(context.config.build), path);
  if (cached === null) return fetchWithTimeout(context, request, LIMITS.page);
  if (isOld(cached, context.now())) waitUntil(refresh(context, path));
  return cached;
}

/** Settings, prices and security headers change without a release: the next visit gets them. */
async function refresh(context: WorkerContext, path: string): Promise<void> {
  try {
    const fresh = await fetchForCache(context, { path, isImmutable: false, limit: LIMITS.refresh });
    await cacheResponse(context, precacheName(context.config.build), path, fresh);
  } catch {
    // Offline, too slow or from another build: the cached document stays.
  }
}

function isOld(cached: Response, now: number): boolean {
  const age = now - Date.parse(cached.headers.get('date') ?? '');
  return !(age >= 0 && age < DOCUMENT_MAX_AGE);
}

/** Immutable files come from any cache, because a tab may still run the previous build. */
async function answerFile(context: WorkerContext, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const cacheName = isImmutable(pathname) ? null : precacheName(context.config.build);
  return (await findCached(context, cacheName, pathname)) ?? fetchWithTimeout(context, request, LIMITS.file);
}

async function answerVersion(
  context: WorkerContext,
  request: Request,
  waitUntil: WaitUntil,
): Promise<Response> {
  let response: Response;
  let text: string;
  try {
    response = await fetchWithTimeout(context, request, LIMITS.version, { cache: 'no-store' });
    text = (await response.clone().text()).trim();
  } catch {
    await broadcastConnection(context, 'unavailable', 'version');
    return cachedVersion(context);
  }
  const isText = /^text\/plain\b/.test(response.headers.get('content-type') ?? '');
  if (response.status !== 200 || !isText || !VERSION_TEXT.test(text)) return response;
  const at = context.now();
  const copy = cachedResponse(text, { 'Content-Type': 'text/plain', [CACHED_AT]: String(at) });
  waitUntil(cacheResponse(context, DATA_CACHE, VERSION_PATH, copy));
  await broadcast(context, { v: 1, type: 'VERSION', text, source: 'network', at });
  return response;
}

async function cachedVersion(context: WorkerContext): Promise<Response> {
  const cached = await findVersion(context);
  if (cached === null) return Response.error();
  await broadcast(context, { v: 1, type: 'VERSION', ...cached, source: 'cache' });
  return cachedResponse(cached.text, { 'Content-Type': 'text/plain' });
}

/** The last version text from the network, with its time in epoch milliseconds. */
async function findVersion(
  context: Pick<WorkerContext, 'caches'>,
): Promise<{ text: string; at: number } | null> {
  const cached = await findCached(context, DATA_CACHE, VERSION_PATH);
  return cached === null ? null : { text: await cached.text(), at: Number(cached.headers.get(CACHED_AT)) };
}

async function answerSettings(
  context: WorkerContext,
  request: Request,
  waitUntil: WaitUntil,
): Promise<Response> {
  const key = withoutTimestamp(new URL(request.url));
  let response: Response;
  let text: string;
  try {
    response = await fetchWithTimeout(context, request, LIMITS.settings);
    text = await response.clone().text();
  } catch {
    return (await findCached(context, DATA_CACHE, key)) ?? Response.error();
  }
  if (response.status !== 200 || !isSettings(text))
    return (await findCached(context, DATA_CACHE, key)) ?? response;
  waitUntil(
    cacheResponse(context, DATA_CACHE, key, cachedResponse(text, { 'Content-Type': 'application/json' })),
  );
  return response;
}

/** A response with a header that marks it as cached. */
function cachedResponse(text: string, headers: Record<string, string>): Response {
  return new Response(text, { headers: { ...headers, [SOURCE_HEADER]: 'cache' } });
}

const CACHED_AT = 'x-cached-at';

/** True for a non-empty JSON object: a captive portal's page or a truncated file is not cached. */
function isSettings(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    );
  } catch {
    return false;
  }
}
