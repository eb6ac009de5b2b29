import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Envelope, PageMeta } from '#contract/common.ts';
import type { ApiError } from './api-error.ts';

type Extras = {
  status?: ContentfulStatusCode;
  meta?: PageMeta;
  /** Fields the older call style expects at the top level, beside the envelope. */
  top?: Record<string, unknown>;
};

/** Answers `data` in the envelope both client styles read. */
export function ok<Data>(c: Context, data: Data, extras: Extras = {}): Response {
  const status = extras.status ?? 200;
  const body: Envelope<Data> = {
    success: true,
    data,
    errors: [],
    status_code: status,
    ...(extras.meta ? { meta: extras.meta } : {}),
  };
  return c.json({ ...extras.top, ...body }, status);
}

/** Answers a refusal in the envelope both client styles read. */
export function refuse(c: Context, error: ApiError): Response {
  const body: Envelope<never> = {
    success: false,
    data: null,
    errors: [...error.errors],
    status_code: error.status,
    error: error.errors.map((each) => each.message).join(', '),
  };
  const headers = error.retryAfter === undefined ? {} : { 'Retry-After': String(error.retryAfter) };
  return c.json(body, error.status as ContentfulStatusCode, headers);
}
