import type { Envelope, PageMeta, ApiError as WireError } from '#contract/common.ts';
import { textsIn } from '../core/texts.ts';
import type { HttpContext } from './api.ts';
import type { ApiError } from './api-error.ts';
import { requestLanguage } from './request-language.ts';

type Extras = {
  status?: number;
  meta?: PageMeta;
  /** Fields that older clients expect at the top level beside the envelope. */
  top?: Record<string, unknown>;
};

/** Where the paths of all calls of staff begin. */
const STAFF_CALLS = '/api/staff/';

/** Characters of JSON. Smaller answers are sent as they are, because compressing them costs more than it saves. */
const COMPRESSED_FROM = 100_000;

/** Responds with `data` in the envelope. */
export function ok<Data>(c: HttpContext, data: Data, { status = 200, meta, top }: Extras = {}): Response {
  const body: Envelope<Data> = {
    success: true,
    data,
    errors: [],
    status_code: status,
    ...(meta ? { meta } : {}),
  };
  return answerJson(c, { ...top, ...body }, status);
}

/** The envelope of errors; `error` joins their texts for older clients. */
export function errorEnvelope(status: number, errors: readonly WireError[]): Envelope<never> {
  const error = errors.map(({ message }) => message).join(', ');
  return { success: false, data: null, errors: [...errors], status_code: status, error };
}

/** Responds with an error in the envelope. */
export function answerError(c: HttpContext, error: ApiError): Response {
  const headers = error.retryAfter === undefined ? {} : { 'Retry-After': String(error.retryAfter) };
  const reader = c.req.path.startsWith(STAFF_CALLS) ? 'clerk' : 'customer';
  const errors = error.present(textsIn(requestLanguage(c)), reader);
  return answerJson(c, errorEnvelope(error.status, errors), error.status, headers);
}

/** Responds with JSON that differs from the envelope. */
export function answerJson(
  c: HttpContext,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  const text = JSON.stringify(body);
  c.set('answered', text);
  const response = answer(c, text, status, { 'Content-Type': 'application/json', ...headers });
  return text.length < COMPRESSED_FROM ? response : compress(c, response);
}

/** Compresses in a thread of its own, because a gate's list of passengers may have megabytes. */
function compress(c: HttpContext, response: Response): Response {
  const { headers, status } = response;
  headers.append('Vary', 'Accept-Encoding');
  if (!response.body || !/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return response;
  headers.set('Content-Encoding', 'gzip');
  return new Response(response.body.pipeThrough(new CompressionStream('gzip')), { status, headers });
}

/** Responds with a file to download, which is never cached. */
export function answerFile(c: HttpContext, content: Buffer, file: { type: string; name: string }): Response {
  return answer(c, new Uint8Array(content), 200, {
    'Content-Type': file.type,
    'Content-Disposition': `attachment; filename="${file.name}"`,
    'Cache-Control': 'no-store',
  });
}

/** Responds with any content and the headers collected so far; the headers given here take precedence. */
export function answer(
  c: HttpContext,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  // `c.var` would copy all variables into a new object.
  const all = { ...c.get('headers'), ...headers };
  const cookies = c.get('cookies');
  if (cookies === undefined) return new Response(body, { status, headers: all });
  const lines = cookies.map((cookie): [string, string] => ['Set-Cookie', cookie]);
  return new Response(body, { status, headers: [...Object.entries(all), ...lines] });
}
