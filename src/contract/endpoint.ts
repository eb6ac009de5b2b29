import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { SessionKind } from './hosts.ts';
import type { Permission } from './staff/permissions.ts';

/**
 * The properties of a call that the browser needs. Endpoints contain no schemas, so a bundle contains only the
 * endpoints it uses; `describeCalls` adds the rest for the server.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to any host's origin. `{id}` and `{…_id}` are our ids, any other `{name}` is free text. */
  path: `/${string}`;
  /** Whether an `Idempotency-Key` must or may be sent. */
  idempotency?: 'required' | 'optional';
  /** Status of success, if not 200. */
  status?: 201;
} & (CustomerAccess | StaffAccess);

type CustomerAccess = {
  /** `session`: a customer's is required. `optional`: the response differs for a valid one. */
  auth: 'none' | 'optional' | 'session';
  permission?: never;
  /** A call by which staff sign in: only pages of a host with their sessions may write. */
  isForStaff?: true;
};

type StaffAccess = {
  /** A staff member's session is required, and only pages of a host with such sessions may write. */
  auth: 'staff';
  /** Staff whose role lacks it are refused before the request is read. */
  permission: Permission;
  isForStaff?: never;
};

type EndpointOptions = Pick<Endpoint, 'idempotency' | 'status'>;

/**
 * Defines an endpoint for customers and the public, with the literal types of its parts.
 * @__NO_SIDE_EFFECTS__ so that a bundle drops the endpoints it does not use
 */
export function endpoint<
  const Method extends Endpoint['method'],
  const Path extends Endpoint['path'],
  const Auth extends CustomerAccess['auth'],
  const Options extends EndpointOptions = Record<never, never>,
>(method: Method, path: Path, auth: Auth, options?: Options) {
  return { method, path, auth, ...(options as Options) };
}

/**
 * Defines an endpoint for staff whose role has the permission.
 * @__NO_SIDE_EFFECTS__ so that a bundle drops the endpoints it does not use
 */
export function staffEndpoint<
  const Method extends Endpoint['method'],
  const Path extends Endpoint['path'],
  const Needed extends Permission,
  const Options extends EndpointOptions = Record<never, never>,
>(method: Method, path: Path, permission: Needed, options?: Options) {
  return { method, path, auth: 'staff' as const, permission, ...(options as Options) };
}

/**
 * Defines an endpoint by which staff sign in.
 * @__NO_SIDE_EFFECTS__ so that a bundle drops the endpoints it does not use
 */
export function staffSignInEndpoint<
  const Method extends Endpoint['method'],
  const Path extends Endpoint['path'],
>(method: Method, path: Path) {
  return { method, path, auth: 'none' as const, isForStaff: true as const };
}

/** The kind of session that a call is about. */
export function getSessionKind({ auth, isForStaff }: Pick<Endpoint, 'auth' | 'isForStaff'>): SessionKind {
  return auth === 'staff' || isForStaff ? 'staff' : 'customer';
}

/** Of a call that creates something, and must not do so twice. */
export const CREATES = { idempotency: 'required', status: 201 } as const;

/** A field that a list can be filtered by. `choice` lists its values, so that an unknown one is refused. */
export type FilterField =
  | { type: 'text' }
  | { type: 'instant' }
  | { type: 'choice'; values: readonly string[] };

/** The part of a call that only the server and the OpenAPI document need. */
export type CallDescription = {
  /** One imperative sentence, without a full stop. */
  summary: string;
  query?: z.ZodMiniObject;
  /** Lists take `page` and `filters[i][field|op|value]`, over these fields. */
  list?: { fields: Readonly<Record<string, FilterField>>; pageSize: number };
  body?: z.ZodMiniType;
  isBodyOptional?: true;
  /** Bytes that the body may have, if more than 64 KiB. */
  bodyLimit?: number;
  /** Schema of `data` in the envelope, or the media type of a response without an envelope. */
  response: z.ZodMiniType | { mediaType: string };
  /** Whether the fields of `data` are repeated at the top level, where older clients read them. */
  isTopLevel?: true;
  /** Whether the handler builds the whole HTTP response, because it differs from the envelope. */
  isRaw?: true;
  /** Error codes besides those that follow from the fields above, such as `unauthenticated`. */
  errors?: readonly ErrorCode[];
  /** The per-network rate limit that counts a call without a valid session; derived from the path if absent. */
  limit?: 'none' | 'network';
};

/** A complete call of the API. */
export type Call = Endpoint & CallDescription;

/**
 * Joins the endpoints of a feature with their descriptions by name. A missing counterpart on either side is a type
 * error.
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
