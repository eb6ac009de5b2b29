import { documentFor, SOURCE_HEADER, VERSION_PATH } from '#contract/worker-messages.ts';
import { broadcastConnection } from './connection.ts';
import { fetchForCache, fetchWithTimeout } from './network.ts';
import { findCached, cacheResponse } from './store.ts';
import type { WorkerContext } from './worker-context.ts';
import { broadcast } from './tabs.ts';
import {
  DOCUMENT_MAX_AGE,
  precacheName,
  isImmutable,
  DATA_CACHE,
  type RequestKind,
  LIMITS,
  VERSION_TEXT,
  withoutTimestamp,
} from './cache-rules.ts';

/** Work that goes on after the answer was given. */
export type WaitUntil = (work: Promise<void>) => void;

type Strategy = (context: WorkerContext, request: Request, waitUntil: WaitUntil) => Promise<Response>;

export const strategies: Record<RequestKind, Strategy> = {
  page: answerPage,
  file: answerFile,
  version: answerVersion,
  settings: answerSettings,
};

/** The kept document, at once; the network only when there is none. */
async function answerPage(context: WorkerContext, request: Request, waitUntil: WaitUntil): Promise<Response> {
  const path = documentFor(context.config.host, new URL(request.url).pathname);
  const kept = await findCached(context, precacheName(context.config.build), path);
  if (kept === null) return fetchWithTimeout(context, request, LIMITS.page);
  if (isOld(kept, context.now())) waitUntil(refresh(context, path));
  return kept;
}

/** Settings, prices and the page's policy change without a release; the next visit has them. */
async function refresh(context: WorkerContext, path: string): Promise<void> {
  try {
    const fresh = await fetchForCache(context, { path, isImmutable: false, limit: LIMITS.refresh });
    await cacheResponse(context, precacheName(context.config.build), path, fresh);
  } catch {
    // Offline, too slow, or another build's by now: what is kept stays good.
  }
}

function isOld(kept: Response, now: number): boolean {
  const age = now - Date.parse(kept.headers.get('date') ?? '');
  return !(age >= 0 && age < DOCUMENT_MAX_AGE);
}

/** This build's file, or the one of the build before that a tab still runs. */
async function answerFile(context: WorkerContext, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const cacheName = isImmutable(pathname) ? null : precacheName(context.config.build);
  return (await findCached(context, cacheName, pathname)) ?? fetchWithTimeout(context, request, LIMITS.file);
}

async function answerVersion(context: WorkerContext, request: Request, waitUntil: WaitUntil): Promise<Response> {
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
  const kept = await findVersion(context);
  if (kept === null) return Response.error();
  await broadcast(context, { v: 1, type: 'VERSION', ...kept, source: 'cache' });
  return cachedResponse(kept.text, { 'Content-Type': 'text/plain' });
}

/** The last version text that the network gave, and when. */
async function findVersion(context: Pick<WorkerContext, 'caches'>): Promise<{ text: string; at: number } | null> {
  const kept = await findCached(context, DATA_CACHE, VERSION_PATH);
  return kept === null ? null : { text: await kept.text(), at: Number(kept.headers.get(CACHED_AT)) };
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
  if (response.status !== 200 || !isSettings(text)) return (await findCached(context, DATA_CACHE, key)) ?? response;
  waitUntil(cacheResponse(context, DATA_CACHE, key, cachedResponse(text, { 'Content-Type': 'application/json' })));
  return response;
}

/** An answer that says of itself that it is not fresh from the network. */
function cachedResponse(text: string, headers: Record<string, string>): Response {
  return new Response(text, { headers: { ...headers, [SOURCE_HEADER]: 'cache' } });
}

const CACHED_AT = 'x-kept-at';

/** An object with something in it: a list, a sign-in page or half a file are not settings. */
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
