import * as accounts from '#contract/accounts/endpoints.ts';
import type * as customers from '#contract/accounts/schemas.ts';
import type { Filter, PageMeta } from '#contract/common.ts';
import * as signIn from '#contract/sign-in/endpoints.ts';
import type { CamelCased } from './case-conversion.ts';
import { type OlderResult, request, requestOlder, requestPage, requestVerbatim } from './request.ts';
import { type Answer, send } from './send.ts';
import type { ChangeCustomer, Customer, Order, OrderSummary } from './types.ts';

type Signal = { signal?: AbortSignal | undefined };

const PING_TIMEOUT = 3000;
const EXPORT_TIMEOUT = 30_000;

/** Ends the session at the server. Call `clearSession()` beside it: that needs no network. */
export function signOut(): Promise<OlderResult<object>> {
  return requestOlder(signIn.signOut, { keepalive: true, timeoutMs: PING_TIMEOUT });
}

export function pingSession(): Promise<Answer> {
  return send(signIn.pingSession, { timeoutMs: PING_TIMEOUT });
}

export function getDetails({ signal }: Signal = {}): Promise<OlderResult<customers.Customer>> {
  return requestOlder(accounts.getDetails, { signal });
}

export function updateDetails(change: ChangeCustomer): Promise<OlderResult<Partial<customers.Customer>>> {
  return requestOlder(accounts.changeDetails, {
    body: change,
  });
}

/** Nothing changes but what waits to be confirmed: a link goes to the new address. */
export function changeEmail(newEmail: string): Promise<Customer> {
  return request(accounts.changeEmail, { body: { newEmail } });
}

export function resendChangeEmail(): Promise<unknown> {
  return request(accounts.resendEmailChange, {});
}

/** Everything that is kept about the customer, in the words of the wire: it is theirs to read elsewhere. */
export function exportCustomer(): Promise<unknown> {
  return requestVerbatim(accounts.exportCustomer, { timeoutMs: EXPORT_TIMEOUT });
}

export function deleteCustomer(): Promise<unknown> {
  return request(accounts.deleteCustomer, { timeoutMs: EXPORT_TIMEOUT });
}

export type OrdersPage = { data: OrderSummary[]; meta: CamelCased<PageMeta> | null };

export function listOrders(
  page = 1,
  filters: readonly Filter[] = [],
  { signal }: Signal = {},
): Promise<OrdersPage> {
  return requestPage(accounts.listOrders, { page, filters, signal });
}

export function getCustomerOrder(id: string, { signal }: Signal = {}): Promise<Order> {
  return request(accounts.getCustomerOrder, { params: { id }, signal });
}
