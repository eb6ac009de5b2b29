import type { Hono } from 'hono';
import { ChangeCustomerSchema } from '#contract/customers.ts';
import { apiPaths } from '#contract/paths.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { notFound } from '../http/api-error.ts';
import { readListQuery } from '../http/list-query.ts';
import { readId } from '../http/params.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { requireSession, signedInOf } from '../http/session.ts';
import { presentOrder, presentOrderSummaries } from '../orders/presenter.ts';
import { changeCustomer } from './change-customer.ts';
import { findOrderPage, isOrderOf, ORDERS_PAGE_SIZE, orderFilterFields } from './order-list.ts';
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

  routes.get(apiPaths.customerOrders, session, async (c) => {
    const query = readListQuery(c, { fields: orderFilterFields, pageSize: ORDERS_PAGE_SIZE });
    const { ids, meta } = await findOrderPage(deps.db, signedInOf(c).customerId, query);
    return ok(c, await presentOrderSummaries(deps, ids), { meta });
  });

  routes.get(honoPath(apiPaths.customerOrder), session, async (c) => {
    const id = readId(c);
    if (!(await isOrderOf(deps.db, id, signedInOf(c).customerId))) throw notFound();
    const order = await presentOrder(deps, id, { isOwner: true });
    if (!order) throw notFound();
    return ok(c, order);
  });

  return routes;
}
