import { documentFor, SOURCE_HEADER, VERSION_PATH } from '#contract/worker-messages.ts';
import { tellConnection } from './connection.ts';
import { fetchToKeep, fetchWithin } from './network.ts';
import { findKept, keep } from './store.ts';
import type { Surroundings } from './surroundings.ts';
import { tell } from './tabs.ts';
import {
  DOCUMENT_FRESH_FOR,
  generationOf,
  isImmutable,
  KEPT_CACHE,
  type Kind,
  LIMITS,
  VERSION_TEXT,
  withoutTimestamp,
} from './what-is-kept.ts';

/** Work that goes on after the answer was given. */
export type Afterwards = (work: Promise<void>) => void;

type Strategy = (env: Surroundings, request: Request, afterwards: Afterwards) => Promise<Response>;

export const strategies: Record<Kind, Strategy> = {
  page: answerPage,
  file: answerFile,
  version: answerVersion,
  settings: answerSettings,
};

/** The kept document, at once; the network only when there is none. */
async function answerPage(env: Surroundings, request: Request, afterwards: Afterwards): Promise<Response> {
  const path = documentFor(env.config.host, new URL(request.url).pathname);
  const kept = await findKept(env, generationOf(env.config.build), path);
  if (kept === null) return fetchWithin(env, request, LIMITS.page);
  if (isOld(kept, env.now())) afterwards(refresh(env, path));
  return kept;
}

/** Settings, prices and the page's policy change without a release; the next visit has them. */
async function refresh(env: Surroundings, path: string): Promise<void> {
  try {
    const fresh = await fetchToKeep(env, { path, isImmutable: false, limit: LIMITS.refresh });
    await keep(env, generationOf(env.config.build), path, fresh);
  } catch {
    // Offline, too slow, or another build's by now: what is kept stays good.
  }
}

function isOld(kept: Response, now: number): boolean {
  const age = now - Date.parse(kept.headers.get('date') ?? '');
  return !(age >= 0 && age < DOCUMENT_FRESH_FOR);
}

/** This build's file, or the one of the build before that a tab still runs. */
async function answerFile(env: Surroundings, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const cacheName = isImmutable(pathname) ? null : generationOf(env.config.build);
  return (await findKept(env, cacheName, pathname)) ?? fetchWithin(env, request, LIMITS.file);
}

async function answerVersion(env: Surroundings, request: Request, afterwards: Afterwards): Promise<Response> {
  let response: Response;
  let text: string;
  try {
    response = await fetchWithin(env, request, LIMITS.version, { cache: 'no-store' });
    text = (await response.clone().text()).trim();
  } catch {
    await tellConnection(env, 'unavailable', 'version');
    return keptVersion(env);
  }
  const isText = /^text\/plain\b/.test(response.headers.get('content-type') ?? '');
  if (response.status !== 200 || !isText || !VERSION_TEXT.test(text)) return response;
  const at = env.now();
  const copy = keptAnswer(text, { 'Content-Type': 'text/plain', [KEPT_AT]: String(at) });
  afterwards(keep(env, KEPT_CACHE, VERSION_PATH, copy));
  await tell(env, { v: 1, type: 'VERSION', text, source: 'network', at });
  return response;
}

async function keptVersion(env: Surroundings): Promise<Response> {
  const kept = await findVersion(env);
  if (kept === null) return Response.error();
  await tell(env, { v: 1, type: 'VERSION', ...kept, source: 'cache' });
  return keptAnswer(kept.text, { 'Content-Type': 'text/plain' });
}

/** The last version text that the network gave, and when. */
async function findVersion(env: Pick<Surroundings, 'caches'>): Promise<{ text: string; at: number } | null> {
  const kept = await findKept(env, KEPT_CACHE, VERSION_PATH);
  return kept === null ? null : { text: await kept.text(), at: Number(kept.headers.get(KEPT_AT)) };
}

async function answerSettings(
  env: Surroundings,
  request: Request,
  afterwards: Afterwards,
): Promise<Response> {
  const key = withoutTimestamp(new URL(request.url));
  let response: Response;
  let text: string;
  try {
    response = await fetchWithin(env, request, LIMITS.settings);
    text = await response.clone().text();
  } catch {
    return (await findKept(env, KEPT_CACHE, key)) ?? Response.error();
  }
  if (response.status !== 200 || !isSettings(text)) return (await findKept(env, KEPT_CACHE, key)) ?? response;
  afterwards(keep(env, KEPT_CACHE, key, keptAnswer(text, { 'Content-Type': 'application/json' })));
  return response;
}

/** An answer that says of itself that it is not fresh from the network. */
function keptAnswer(text: string, headers: Record<string, string>): Response {
  return new Response(text, { headers: { ...headers, [SOURCE_HEADER]: 'cache' } });
}

const KEPT_AT = 'x-kept-at';

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
