import type { Hono } from 'hono';
import { ChangeCustomerSchema } from '#contract/accounts/schemas.ts';
import { apiPaths } from '#contract/paths.ts';
import { ChangeEmailSchema } from '#contract/security/schemas.ts';
import { presentCustomer } from '../customers/presenter.ts';
import { requireCustomer } from '../customers/queries.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { notFound } from '../http/api-error.ts';
import { deviceOf } from '../http/device-name.ts';
import { readListQuery } from '../http/list-query.ts';
import { readId } from '../http/params.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { requireSession, signedInOf } from '../http/session.ts';
import { presentRecord, presentSummary } from '../orders/presenter.ts';
import { findOrders, requireOrder } from '../orders/queries.ts';
import { requireStepUp } from '../security/step-up.ts';
import { removeProof } from '../sign-in/start-session.ts';
import { changeCustomer } from './change-customer.ts';
import { changeEmail, resendChangeEmail } from './change-email.ts';
import { deleteCustomer } from './delete-customer.ts';
import { exportCustomer } from './export-customer.ts';
import { findOrderPage, ORDERS_PAGE_SIZE, orderFilterFields } from './order-list.ts';

/** The signed-in customer: details, orders, change of address, a copy of everything, and the end of it. */
export function createAccountRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();
  const session = requireSession(deps);

  routes.get(apiPaths.customerDetails, session, async (c) => {
    const customer = presentCustomer(await requireCustomer(deps.db, signedInOf(c).customerId));
    return ok(c, customer, { top: customer });
  });

  routes.patch(apiPaths.customer, session, async (c) => {
    const change = await readJson(c, ChangeCustomerSchema);
    const changing = {
      ...signedInOf(c),
      device: deviceOf(c),
      requireStepUp: () => requireStepUp(deps, c),
    };
    const customer = presentCustomer(await changeCustomer(deps, changing, change));
    return ok(c, customer, { top: customer });
  });

  routes.delete(apiPaths.customer, session, async (c) => {
    await requireStepUp(deps, c);
    await deleteCustomer(deps, signedInOf(c));
    removeProof(c, deps);
    return ok(c, null);
  });

  routes.post(apiPaths.customerExport, session, async (c) => {
    await requireStepUp(deps, c);
    return ok(c, await exportCustomer(deps, { ...signedInOf(c), device: deviceOf(c) }));
  });

  routes.post(apiPaths.changeEmail, session, async (c) => {
    const { new_email: newEmail } = await readJson(c, ChangeEmailSchema);
    await requireStepUp(deps, c);
    const change = { newEmail, device: deviceOf(c) };
    return ok(c, presentCustomer(await changeEmail(deps, signedInOf(c), change)));
  });

  routes.post(apiPaths.resendChangeEmail, session, async (c) => {
    await resendChangeEmail(deps, signedInOf(c));
    return ok(c, null);
  });

  routes.get(apiPaths.customerOrders, session, async (c) => {
    const query = readListQuery(c, { fields: orderFilterFields, pageSize: ORDERS_PAGE_SIZE });
    const { ids, meta } = await findOrderPage(deps.db, signedInOf(c).customerId, query);
    const now = deps.clock.now();
    const records = await findOrders(deps.db, ids);
    return ok(
      c,
      records.map((record) => presentSummary(record, now)),
      { meta },
    );
  });

  routes.get(honoPath(apiPaths.customerOrder), session, async (c) => {
    const record = await requireOrder(deps, readId(c));
    if (record.order.customerId !== signedInOf(c).customerId) throw notFound();
    const { clock, ticketSigner } = deps;
    return ok(c, presentRecord(record, clock.now(), { isOwner: true, ticketSigner }));
  });

  return routes;
}
