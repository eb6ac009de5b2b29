import type { accountCalls } from '#contract/accounts/schemas.ts';
import { presentCustomer } from '../customers/presenter.ts';
import { requireCustomer } from '../customers/queries.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../http/api-error.ts';
import { deviceOf } from '../http/device-name.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { findOrderPage } from '../orders/order-list.ts';
import { presentRecord, presentSummary } from '../orders/presenter.ts';
import { findOrders, requireOrder } from '../orders/queries.ts';
import { requireStepUp } from '../security/step-up.ts';
import { removeProof } from '../sign-in/start-session.ts';
import { changeCustomer } from './change-customer.ts';
import { changeEmail, resendChangeEmail } from './change-email.ts';
import { deleteCustomer } from './delete-customer.ts';
import { exportCustomer } from './export-customer.ts';

/** Handlers for the customer's own data and orders. */
export function createAccountHandlers(deps: Deps): Handlers<typeof accountCalls> {
  return {
    getDetails: async ({ session }) => presentCustomer(await requireCustomer(deps.db, session.customerId)),

    changeDetails: async ({ session, body }, c) => {
      const changing = {
        ...session,
        device: deviceOf(c),
        requireStepUp: () => requireStepUp(deps, session),
      };
      return presentCustomer(await changeCustomer(deps, changing, body));
    },

    deleteCustomer: async ({ session }, c) => {
      await requireStepUp(deps, session);
      await deleteCustomer(deps, session);
      removeProof(c, deps);
      return null;
    },

    exportCustomer: async ({ session }, c) => {
      await requireStepUp(deps, session);
      return exportCustomer(deps, { ...session, device: deviceOf(c) });
    },

    changeEmail: async ({ session, body }, c) => {
      await requireStepUp(deps, session);
      const change = { newEmail: body.new_email, device: deviceOf(c) };
      return presentCustomer(await changeEmail(deps, session, change));
    },

    resendEmailChange: async ({ session }) => {
      await resendChangeEmail(deps, session);
      return null;
    },

    listOrders: async ({ session, list }) => {
      const { ids, meta } = await findOrderPage(deps.db, session.customerId, list);
      const now = deps.clock.now();
      const records = await findOrders(deps.db, ids);
      return new Reply(
        records.map((record) => presentSummary(record, now)),
        { meta },
      );
    },

    getCustomerOrder: async ({ session, params }) => {
      const record = await requireOrder(deps, params.id);
      if (record.order.customerId !== session.customerId) throw notFound();
      const { clock, ticketSigner } = deps;
      return presentRecord(record, clock.now(), { isOwner: true, ticketSigner });
    },
  };
}
