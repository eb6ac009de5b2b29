import { calls } from '#contract/api.ts';
import type { HttpContext } from './api.ts';
import { ApiError, notFound } from './api-error.ts';

/** The error for a request without a route: 405 if another method exists, otherwise 404. */
export function createUnmatchedError(c: HttpContext): ApiError {
  const methods = patterns.filter(({ pattern }) => pattern.test(c.req.path)).map(({ method }) => method);
  if (methods.length === 0) return notFound();
  c.var.headers.Allow = [...new Set(methods)].join(', ');
  return new ApiError('method_not_allowed');
}

const patterns = calls.map(({ method, path }) => ({ method, pattern: pathPattern(path) }));

/** Matches the URLs of a contract's path. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}
