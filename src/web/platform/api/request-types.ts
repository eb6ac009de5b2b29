import type * as z from 'zod/mini';
import type { api } from '#contract/api.ts';
import type { CamelKey } from '#contract/camel-case.ts';
import type { Call, Endpoint } from '#contract/endpoint.ts';
import type { PathParams } from '#contract/paths.ts';
import type { CamelCased, Verbatim } from './case-conversion.ts';
import type { RequestInput } from './send.ts';

type AnyCall = (typeof api)[keyof typeof api];
type RouteOf<E extends Endpoint> = `${E['method']} ${E['path']}`;
type CallsByRoute = { [C in AnyCall as RouteOf<C>]: C };

/** The whole call that an endpoint belongs to. */
export type CallOf<E extends Endpoint> =
  RouteOf<E> extends infer Route extends keyof CallsByRoute ? CallsByRoute[Route] : never;

/** What a call answers as it comes, and as screens see it. */
export type WireDataOf<E extends Endpoint> =
  CallOf<E> extends { response: infer Schema extends z.ZodMiniType } ? z.infer<Schema> : never;
export type DataOf<E extends Endpoint> = CamelCased<WireDataOf<E>>;

/** What a call takes, in camel case. */
export type InputOf<E extends Endpoint> = Shared &
  ParamsInput<E> &
  BodyInput<CallOf<E>> &
  QueryInputOf<CallOf<E>> &
  ListInput<CallOf<E>> &
  KeyInput<E>;

/** The rest arguments after the endpoint: none are needed where nothing is required. */
export type InputArgs<E extends Endpoint> =
  Record<never, never> extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>];

type Shared = Pick<RequestInput, 'signal' | 'timeoutMs' | 'keepalive'>;

type ParamsInput<E extends Endpoint> = keyof PathParams<E['path']> extends never
  ? unknown
  : { params: PathParams<E['path']> };

type BodyInput<C extends Call> = C extends { body: infer Body extends z.ZodMiniType }
  ? C extends { isBodyOptional: true }
    ? { body?: Sendable<z.input<Body>> | undefined }
    : { body: Sendable<z.input<Body>> }
  : unknown;

/** A wire type in camel case, of which any object within may be sent as another standard spells it. */
type Sendable<Wire> = Wire extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : Wire extends object
    ? {
        [Key in keyof Wire as Key extends string ? CamelKey<Key> : Key]:
          | Sendable<Wire[Key]>
          | (Wire[Key] extends object ? Verbatim : never);
      }
    : Wire;

type QueryInputOf<C extends Call> = C extends { query: infer Query extends z.ZodMiniType }
  ? Record<never, never> extends z.input<Query>
    ? { query?: QueryFields<z.input<Query>> }
    : { query: QueryFields<z.input<Query>> }
  : unknown;

/** Free text may be given as a number. Null and undefined are left out. */
type QueryFields<Wire> = {
  [Key in keyof CamelCased<Wire>]:
    | CamelCased<Wire>[Key]
    | (string extends CamelCased<Wire>[Key] ? number : never)
    | (undefined extends CamelCased<Wire>[Key] ? null : never);
};

type ListInput<C extends Call> = C extends { list: object }
  ? Pick<RequestInput, 'page' | 'filters'>
  : unknown;

type KeyInput<E extends Endpoint> = E extends { idempotency: 'required' }
  ? { idempotencyKey: string }
  : E extends { idempotency: 'optional' }
    ? { idempotencyKey?: string }
    : unknown;
