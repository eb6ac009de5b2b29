import type { Filter, PageMeta } from '#contract/common.ts';
import type * as customers from '#contract/customers.ts';
import type * as orders from '#contract/orders.ts';
import { apiPaths, fillPath } from '#contract/paths.ts';
import { call, callList, callOlder, type OlderResult } from './call.ts';
import { type CamelCased, snakeCased } from './case-conversion.ts';
import { type Answer, send } from './send.ts';
import type { ChangeCustomer, Order, OrderSummary, SignIn } from './types.ts';

type Signal = { signal?: AbortSignal | undefined };

const PING_TIMEOUT = 3000;

/** Answers the token; `startSession(token)` makes it this browser's. */
export async function signIn(credentials: SignIn): Promise<{ token: string }> {
  return call<{ token: string }>(apiPaths.signIn, { body: credentials });
}

/** Ends the session at the server. Call `clearSession()` beside it: that needs no network. */
export function signOut(): Promise<OlderResult<object>> {
  return callOlder(apiPaths.signOut, { method: 'DELETE', keepalive: true, timeoutMs: PING_TIMEOUT });
}

export async function pingSession(forPath?: string): Promise<Answer> {
  return send(apiPaths.sessionPing, {
    timeoutMs: PING_TIMEOUT,
    ...(forPath === undefined ? {} : { forPath }),
  });
}

export function getDetails({ signal }: Signal = {}): Promise<OlderResult<customers.Customer>> {
  return callOlder<customers.Customer>(apiPaths.customerDetails, { signal });
}

export function updateDetails(change: ChangeCustomer): Promise<OlderResult<Partial<customers.Customer>>> {
  return callOlder<Partial<customers.Customer>>(apiPaths.customer, {
    method: 'PATCH',
    body: snakeCased(change),
  });
}

export type OrdersPage = { data: OrderSummary[]; meta: CamelCased<PageMeta> | null };

export function listOrders(
  page = 1,
  filters: readonly Filter[] = [],
  { signal }: Signal = {},
): Promise<OrdersPage> {
  return callList<orders.OrderSummary[]>(apiPaths.customerOrders, { page, filters, signal });
}

export function getCustomerOrder(id: string, { signal }: Signal = {}): Promise<Order> {
  return call<orders.Order>(fillPath(apiPaths.customerOrder, { id }), { signal });
}
