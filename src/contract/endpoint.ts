import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';

/**
 * What the browser needs to know of a call of the API. Endpoints are plain values without schemas, so that a bundle
 * carries only those it uses; `describeCalls` adds the rest for the server.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to either host's origin. `{id}` and `{…_id}` are ids of ours, any other `{name}` is free text. */
  path: `/${string}`;
  /** `optional`: a valid session changes what is answered, and nothing else is required. */
  auth: 'none' | 'optional' | 'session';
  /** Whether an `Idempotency-Key` must or may be sent. */
  idempotency?: 'required' | 'optional';
  /** Status of success, if not 200. */
  status?: 201;
};

/** A field that a list can be filtered by. `choice` lists its values, so that an unknown one is refused. */
export type FilterField =
  | { type: 'text' }
  | { type: 'instant' }
  | { type: 'choice'; values: readonly string[] };

/** The part of a call that only the server and the OpenAPI document need. */
export type CallDescription = {
  summary: string;
  query?: z.ZodMiniObject;
  /** Lists take `page` and `filters[i][field|op|value]`, over these fields. */
  list?: { fields: Readonly<Record<string, FilterField>>; pageSize: number };
  body?: z.ZodMiniType;
  isBodyOptional?: true;
  /** `data` of the envelope, or the media type of an answer without an envelope. */
  response: z.ZodMiniType | { mediaType: string };
  /** Whether the fields of `data` also stand at the top level, where the older client style reads them. */
  isTopLevel?: true;
  /** Whether the handler makes the whole HTTP response, because it is not quite the envelope. */
  isRaw?: true;
  /** Error codes besides those that follow from the fields above, such as `unauthenticated`. */
  errors: readonly ErrorCode[];
  /** Which limit per network counts the call if it carries no valid session; by path if absent. */
  limit?: 'none' | 'network';
};

/** One call of the API, whole. */
export type Call = Endpoint & CallDescription;

/**
 * Joins the endpoints of a feature with their descriptions, by name. An endpoint without a description, or a description
 * without an endpoint, is a type error.
 */
export function describeCalls<
  const Endpoints extends Readonly<Record<string, Endpoint>>,
  const Descriptions extends { readonly [Name in keyof Endpoints]: CallDescription },
>(
  endpoints: Endpoints,
  descriptions: Descriptions & { readonly [Name in Exclude<keyof Descriptions, keyof Endpoints>]: never },
): { readonly [Name in keyof Endpoints]: Endpoints[Name] & Descriptions[Name] } {
  const names = Object.keys(endpoints);
  const calls = names.map((name) => [name, Object.assign({}, endpoints[name], descriptions[name])]);
  return Object.fromEntries(calls);
}
