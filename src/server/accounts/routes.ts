import type { accountCalls } from '#contract/accounts/schemas.ts';
import type { Context } from '../context.ts';
import { presentCustomer } from '../customers/presenter.ts';
import { requireCustomer } from '../customers/queries.ts';
import { notFound } from '../http/api-error.ts';
import { readClient } from '../http/client.ts';
import { writeCookies } from '../http/cookies.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { findOrderPage } from '../orders/order-list.ts';
import { presentRecord, presentSummary } from '../orders/presenter.ts';
import { findOrders, requireOrder } from '../orders/queries.ts';
import { requireStepUp } from '../security/step-up.ts';
import { createProofCookie } from '../sessions/sessions.ts';
import { changeCustomer } from './change-customer.ts';
import { changeEmail, resendChangeEmail } from './change-email.ts';
import { deleteCustomer } from './delete-customer.ts';
import { exportCustomer } from './export-customer.ts';

/** Handlers for the customer's own data and orders. */
export function createAccountHandlers(context: Context): Handlers<typeof accountCalls> {
  return {
    getDetails: async ({ session }) => presentCustomer(await requireCustomer(context.db, session.customerId)),

    changeDetails: async ({ session, body }, c) => {
      const input = {
        ...session,
        device: readClient(c).device,
        change: body,
        requireStepUp: () => requireStepUp(context, session),
      };
      return presentCustomer(await changeCustomer(context, input));
    },

    deleteCustomer: async ({ session }, c) => {
      await requireStepUp(context, session);
      await deleteCustomer(context, session);
      writeCookies(c, context.config, [createProofCookie(null)]);
      return null;
    },

    exportCustomer: async ({ session }, c) => {
      await requireStepUp(context, session);
      return exportCustomer(context, { ...session, device: readClient(c).device });
    },

    changeEmail: async ({ session, body }, c) => {
      await requireStepUp(context, session);
      const input = { ...session, newEmail: body.new_email, device: readClient(c).device };
      return presentCustomer(await changeEmail(context, input));
    },

    resendEmailChange: async ({ session }) => {
      await resendChangeEmail(context, session);
      return null;
    },

    listOrders: async ({ session, list }) => {
      const { ids, meta } = await findOrderPage(context.db, session.customerId, list);
      const now = context.clock.now();
      const records = await findOrders(context.db, ids);
      return new Reply(
        records.map((record) => presentSummary(record, now)),
        { meta },
      );
    },

    getCustomerOrder: async ({ session, params }) => {
      const record = await requireOrder(context, params.id);
      if (record.order.customerId !== session.customerId) throw notFound();
      const { clock, ticketSigner } = context;
      return presentRecord(record, clock.now(), { isOwner: true, ticketSigner });
    },
  };
}
