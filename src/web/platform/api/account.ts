import type * as customers from '#contract/accounts/schemas.ts';
import type { Filter, PageMeta } from '#contract/common.ts';
import type * as orders from '#contract/orders/schemas.ts';
import { apiPaths, fillPath } from '#contract/paths.ts';
import { call, callList, callOlder, callVerbatim, type OlderResult } from './call.ts';
import { type CamelCased, snakeCased } from './case-conversion.ts';
import { type Answer, send } from './send.ts';
import type { ChangeCustomer, Customer, Order, OrderSummary } from './types.ts';

type Signal = { signal?: AbortSignal | undefined };

const PING_TIMEOUT = 3000;
const EXPORT_TIMEOUT = 30_000;

/** Ends the session at the server. Call `clearSession()` beside it: that needs no network. */
export function signOut(): Promise<OlderResult<object>> {
  return callOlder(apiPaths.signOut, { method: 'DELETE', keepalive: true, timeoutMs: PING_TIMEOUT });
}

export function pingSession(): Promise<Answer> {
  return send(apiPaths.sessionPing, { timeoutMs: PING_TIMEOUT });
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

/** Nothing changes but what waits to be confirmed: a link goes to the new address. */
export function changeEmail(newEmail: string): Promise<Customer> {
  return call<customers.Customer>(apiPaths.changeEmail, { body: { newEmail } });
}

export function resendChangeEmail(): Promise<unknown> {
  return call(apiPaths.resendChangeEmail, { method: 'POST', body: {} });
}

/** Everything that is kept about the customer, in the words of the wire: it is theirs to read elsewhere. */
export function exportCustomer(): Promise<unknown> {
  return callVerbatim(apiPaths.customerExport, { method: 'POST', body: {}, timeoutMs: EXPORT_TIMEOUT });
}

export function deleteCustomer(): Promise<unknown> {
  return call(apiPaths.customer, { method: 'DELETE', timeoutMs: EXPORT_TIMEOUT });
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
