import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import type * as z from 'zod/mini';
import type { PageMeta } from '#contract/common.ts';
import { type Call, getSessionKind } from '#contract/endpoint.ts';
import type { SessionKind } from '#contract/hosts.ts';
import type { PathParams } from '#contract/paths.ts';
import { hasPermission, type Permission } from '#contract/staff/permissions.ts';
import type { Context } from '../context.ts';
import type { ApiEnv, CustomerSession, HttpContext, SessionsByKind, StaffSession } from './api.ts';
import { ApiError } from './api-error.ts';
import { type Client, readClient, readToken } from './client.ts';
import { withIdempotency } from './idempotency.ts';
import { type ListQuery, readListQuery } from './list-query.ts';
import type { Middleware } from './middleware.ts';
import { listParams, readJson, readParams, readQuery } from './read.ts';
import { answer, ok } from './respond.ts';

/** A handler's input: the validated parts of the request that the call describes. */
export type CallInput<C extends Call> = {
  params: PathParams<C['path']>;
  query: C extends { query: infer Query extends z.ZodMiniType } ? z.infer<Query> : null;
  list: C extends { list: { fields: infer Fields } } ? ListQuery<keyof Fields & string> : null;
  body: C extends { body: infer Body extends z.ZodMiniType }
    ? C extends { isBodyOptional: true }
      ? z.infer<Body> | null
      : z.infer<Body>
    : null;
  session: SessionOf<C['auth']>;
  /** Id of the idempotent request, the same for each repetition; empty without a key. */
  claim: string;
};

type SessionOf<Auth extends Call['auth']> = {
  none: null;
  optional: CustomerSession | null;
  session: CustomerSession;
  staff: StaffSession;
}[Auth];

/** Data with further properties of its response. */
export class Reply<Data> {
  readonly data: Data;
  readonly meta: PageMeta | undefined;
  /** Cache lifetime in seconds; absent if the response may not be cached. */
  readonly maxAge: number | undefined;

  constructor(data: Data, { meta, maxAge }: { meta?: PageMeta; maxAge?: number } = {}) {
    this.data = data;
    this.meta = meta;
    this.maxAge = maxAge;
  }
}

type DataOf<C extends Call> = C['response'] extends z.ZodMiniType ? z.infer<C['response']> : never;
type ResultOf<C extends Call> = C extends { response: { mediaType: string } } | { isRaw: true }
  ? Response
  : C extends { list: object }
    ? Reply<DataOf<C>>
    : [DataOf<C>] extends [null]
      ? // biome-ignore lint/suspicious/noConfusingVoidType: it becomes the return type of a handler
        void
      : DataOf<C> | Reply<DataOf<C>>;

/**
 * Handles one call: returns its data (nothing for a call without data), or throws an ApiError. `c` is only for cookies,
 * headers, and the caller's address and device.
 */
type Handler<C extends Call> = (input: CallInput<C>, c: HttpContext) => ResultOf<C> | Promise<ResultOf<C>>;

/** A handler for each call of a feature. */
export type Handlers<Calls extends Readonly<Record<string, Call>>> = {
  readonly [Name in keyof Calls]: Handler<Calls[Name]>;
};

/** The token of a request, and its Cookie header. */
export type Credentials = { token: string; cookies: string | undefined };

/** How a session of each kind is found: null if the token is unknown or its session has ended. */
export type SessionFinders = {
  readonly [Kind in SessionKind]: (credentials: Credentials) => Promise<SessionsByKind[Kind] | null>;
};

type Dependencies = Pick<Context, 'db' | 'vault' | 'clock' | 'config'> & {
  findSessions: SessionFinders;
  middleware: Middleware;
  /** Records that the role of a staff member did not allow a call. */
  recordRefusal?: (refusal: { session: StaffSession; call: Call; client: Client }) => Promise<void>;
};

/** Adds a feature's calls with their handlers to a router. */
export function handleCalls<Calls extends Readonly<Record<string, Call>>>(
  router: Hono<ApiEnv>,
  context: Dependencies,
  { calls, handlers }: { calls: Calls; handlers: Handlers<Calls> },
): void {
  for (const [name, call] of Object.entries(calls)) {
    // `Handlers` relates each handler to its call, which TypeScript cannot follow in a loop.
    const handler = handlers[name] as unknown as Handler<Call>;
    const path = call.path.replace(/\{(\w+)\}/g, ':$1');
    const route = { handler, paramNames: listParams(call.path) };
    const handleRequest = (c: HttpContext) => handleCall(c, context, call, route);
    router.on(call.method, path, context.middleware(path, handleRequest, getSessionKind(call)));
  }
}

/**
 * Session and permission, path, query and body are checked in this order, so that a caller without access learns
 * nothing about invalid input.
 */
async function handleCall(
  c: HttpContext,
  context: Dependencies,
  call: Call,
  { handler, paramNames }: { handler: Handler<Call>; paramNames: readonly string[] },
): Promise<Response> {
  const session = await readSession(c, context, call);
  const params = readParams(c, paramNames);
  const query = call.query ? readQuery(c, call.query, { isList: call.list !== undefined }) : null;
  const list = call.list ? readListQuery(c, call.list) : null;
  const body = await readBody(c, call);
  const respond = async (claim: string) => {
    const input = { params, query, list, body, session, claim } as CallInput<Call>;
    return toResponse(c, call, await handler(input, c));
  };
  const { idempotency } = call;
  if (!idempotency) return respond('');
  return withIdempotency(context, c, { body, idempotency }, respond);
}

async function readSession(
  c: HttpContext,
  { findSessions, config, recordRefusal }: Dependencies,
  call: Call,
): Promise<CustomerSession | StaffSession | null> {
  if (call.auth === 'none') return null;
  const kind = getSessionKind(call);
  const token = readToken(c, config, kind);
  const session =
    token === null ? null : await findSessions[kind]({ token, cookies: c.req.header('cookie') });
  if (session) c.set('signedInId', 'staffId' in session ? session.staffId : session.customerId);
  else if (call.auth !== 'optional') {
    throw new ApiError(token === null ? 'unauthenticated' : 'session_expired');
  }
  if (call.auth === 'staff' && session && !isPermitted(session, call.permission)) {
    if ('staffId' in session) await recordRefusal?.({ session, call, client: readClient(c) });
    throw new ApiError('not_permitted');
  }
  return session;
}

function isPermitted(session: CustomerSession | StaffSession, permission: Permission): boolean {
  return 'role' in session && hasPermission(session.role, permission);
}

async function readBody(c: HttpContext, call: Call): Promise<unknown> {
  if (!call.body) return null;
  if (call.isBodyOptional && c.req.header('content-type') === undefined) return null;
  return readJson(c, call.body, call.bodyLimit);
}

function toResponse(c: HttpContext, call: Call, result: unknown): Response {
  if (result instanceof Response) return result;
  const { data, meta, maxAge } = result instanceof Reply ? result : new Reply(result ?? null);
  if (maxAge !== undefined) {
    Object.assign(c.var.headers, cacheHeaders(data, maxAge));
    if (isUnchanged(c)) return answer(c, null, 304);
  }
  return ok(c, data, {
    status: call.status ?? 200,
    ...(meta ? { meta } : {}),
    ...(call.isTopLevel && data !== null ? { top: data } : {}),
  });
}

/** Headers for cacheable public data. The ETag ignores `as_of`, which changes without the content. */
function cacheHeaders(data: unknown, maxAgeSeconds: number): { ETag: string; 'Cache-Control': string } {
  const content = JSON.stringify(data, (name, value: unknown) => (name === 'as_of' ? undefined : value));
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { ETag: `W/"${tag}"`, 'Cache-Control': `public, max-age=${maxAgeSeconds}` };
}

/** Whether the client's copy matches the collected headers. */
function isUnchanged(c: HttpContext): boolean {
  const tag = c.var.headers.ETag?.replace(/^W\//, '');
  const clientTags = c.req.header('if-none-match')?.split(',') ?? [];
  return clientTags.some((each) => each.trim().replace(/^W\//, '') === tag);
}
