import type { Hono } from 'hono';
import { ChangeCustomerSchema } from '#contract/customers.ts';
import { apiPaths } from '#contract/paths.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { requireSession, signedInOf } from '../http/session.ts';
import { changeCustomer } from './change-customer.ts';
import { presentCustomer } from './presenter.ts';
import { requireCustomer } from './queries.ts';

/** The signed-in customer: details and orders. */
export function createAccountRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();
  const session = requireSession(deps);

  routes.get(apiPaths.customerDetails, session, async (c) => {
    const customer = presentCustomer(await requireCustomer(deps.db, signedInOf(c).customerId));
    return ok(c, customer, { top: customer });
  });

  routes.patch(apiPaths.customer, session, async (c) => {
    const change = await readJson(c, ChangeCustomerSchema);
    const customer = presentCustomer(await changeCustomer(deps, signedInOf(c).customerId, change));
    return ok(c, customer, { top: customer });
  });

  return routes;
}
