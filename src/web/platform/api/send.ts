import { STATUS } from '#contract/client-errors.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { fillPath } from '#contract/paths.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { checkApi, isJson, markUnavailable } from '../connection/connection.ts';
import { pendingRequests } from '../pending-requests.ts';
import { noteServerTime } from '../server-clock.ts';
import { findFirstPaintResult } from '../session/first-paint-result.ts';
import { readToken, rejectSession } from '../session/session.ts';
import { snakeCased } from './case-conversion.ts';
import { type QueryInput, queryString } from './query-string.ts';

export type RequestInput = QueryInput & {
  params?: Readonly<Record<string, string>>;
  /** In camel case; it is sent in snake case. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** A UUID that stays the same over retries, so that the server recognizes them. */
  idempotencyKey?: string;
  /** Lets the request outlive the page. */
  keepalive?: boolean;
};

export type Answer =
  | {
      kind: 'answer';
      status: number;
      body: Record<string, unknown>;
      /** The answer is not from our API but from a firewall or captive portal. */
      isForeign?: boolean;
      retryAfter?: number;
      /** The id under which the server logged the request; null from a server that does not say. */
      requestId?: string | null;
    }
  | { kind: 'network_error' | 'timeout' };

/** Default timeouts in milliseconds. */
const READ_TIMEOUT = 8000;
const WRITE_TIMEOUT = 20_000;

/** Sends one request. Throws only if the caller aborts it. */
export async function send(endpoint: Endpoint, input: RequestInput = {}): Promise<Answer> {
  const { signal, timeoutMs = endpoint.method === 'GET' ? READ_TIMEOUT : WRITE_TIMEOUT } = input;
  // Read first, because a sign-out deletes the token while its own request waits.
  const token = await readValidToken(readToken());
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, timeoutMs);
  const abort = () => controller.abort();
  signal?.addEventListener('abort', abort);
  pendingRequests.set((count) => count + 1);
  const sentAt = Date.now();
  try {
    const response = await fetch(
      buildPath(endpoint, input) + queryString(input),
      requestInit(endpoint, input, token, controller.signal),
    );
    const answer = await readAnswer(response);
    if (answer.kind === 'network_error') markUnavailable('bad-content');
    else if (response.status === STATUS.unauthorized) rejectSession(token);
    else if (answer.kind === 'answer' && answer.isForeign) void checkApi();
    else noteServerTime(response.headers.get('date'), sentAt);
    return { ...answer, ...readHeaders(response) };
  } catch {
    signal?.throwIfAborted();
    markUnavailable(timedOut ? 'timeout' : 'network');
    return { kind: timedOut ? 'timeout' : 'network_error' };
  } finally {
    pendingRequests.set((count) => count - 1);
    clearTimeout(limit);
    signal?.removeEventListener('abort', abort);
  }
}

/** Null if this browser has signed out of the token's session. */
async function readValidToken(token: string | null): Promise<string | null> {
  const isLeft = token !== null && token === (await findFirstPaintResult().signedOutToken);
  return isLeft ? null : token;
}

/** The path with its ids filled in. */
export function buildPath({ path }: Endpoint, { params = {} }: RequestInput = {}): string {
  return fillPath<string>(path, params);
}

function requestInit(
  { method }: Endpoint,
  { body, idempotencyKey, keepalive = false }: RequestInput,
  token: string | null,
  signal: AbortSignal,
): RequestInit {
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-language': textLanguage(),
  };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (body !== undefined) headers['content-type'] = 'application/json';
  return {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(snakeCased(body)),
    // The server checks the bearer token; the cookie only binds it to this browser.
    credentials: 'same-origin',
    keepalive,
    signal,
  };
}

async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  if (status === 204) return { kind: 'answer', status, body: { success: true, data: null } };
  if (!isJson(response)) {
    // HTML with a success status comes from a proxy or a captive portal.
    if (response.ok) return { kind: 'network_error' };
    const isForeign = status < STATUS.serverError && status !== 429;
    return { kind: 'answer', status, body: {}, isForeign };
  }
  const body: unknown = await response.json();
  return { kind: 'answer', status, body: isRecord(body) ? body : { data: body } };
}

/** The request's id, and the seconds to wait if the server named them. */
function readHeaders({ headers }: Response): { requestId: string | null; retryAfter?: number } {
  const text = headers.get('retry-after') ?? '';
  const requestId = headers.get('x-request-id');
  return /^\d{1,6}$/.test(text) ? { requestId, retryAfter: Number(text) } : { requestId };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
