import { documentsOf, RELEASE_PARAMETER } from '#contract/worker-messages.ts';
import type { Surroundings } from './surroundings.ts';

/** Fetches within so many milliseconds, body included. */
export function fetchWithin(
  env: Pick<Surroundings, 'fetch'>,
  request: Request | string,
  limit: number,
  init: RequestInit = {},
): Promise<Response> {
  return env.fetch(request, { ...init, signal: AbortSignal.timeout(limit) });
}

const TYPES: Record<string, RegExp> = { js: /javascript/, css: /text\/css/, svg: /svg/, woff2: /font/ };

/** A network that wants a sign-in first answers everything with its own page: none of that may be kept. */
export function isRightFile(pathname: string, response: Response): boolean {
  const expected = TYPES[pathname.split('.').at(-1) ?? ''];
  const type = response.headers.get('content-type') ?? '';
  return response.status === 200 && !response.redirected && expected?.test(type) === true;
}

/** A document of this build: a server that no longer knows it answers with another release's. */
export async function isRightDocument(build: string, response: Response): Promise<boolean> {
  if (response.status !== 200 || response.redirected) return false;
  return (await response.clone().text()).includes(`"version":${JSON.stringify(build)}`);
}

/** Fetches a file or document so that it may be kept. @throws {Error} when it is not what it should be */
export async function fetchToKeep(
  env: Pick<Surroundings, 'fetch' | 'config'>,
  { path, isImmutable, limit }: { path: string; isImmutable: boolean; limit: number },
): Promise<Response> {
  // What is named after its content may come from the browser's own cache, where the first visit left it.
  const cache = isImmutable ? 'default' : 'no-cache';
  const { build, host } = env.config;
  const isDocument = documentsOf(host).includes(path);
  const address = isDocument ? `${path}?${RELEASE_PARAMETER}=${build}` : path;
  const response = await fetchWithin(env, address, limit, {
    cache,
    credentials: 'same-origin',
    priority: 'low',
  });
  const isRight = isDocument ? await isRightDocument(build, response) : isRightFile(path, response);
  if (!isRight) throw new Error(`${path} was answered with something else (status ${response.status}).`);
  return response;
}
