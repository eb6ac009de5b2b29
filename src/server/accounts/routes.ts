import type { accountCalls } from '#contract/accounts/schemas.ts';
import type { registrationCalls } from '#contract/registration/schemas.ts';
import type { Context } from '../context.ts';
import { REGISTRATION_SECONDS } from '../customers/account-links.ts';
import { presentCustomer, requireCustomer } from '../customers/queries.ts';
import { notFound } from '../http/api-error.ts';
import { readClient, writeCookies } from '../http/client.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { findOrderPage } from '../orders/order-list.ts';
import { presentRecord, presentSummary } from '../orders/presenter.ts';
import { findOrders, requireOrder } from '../orders/queries.ts';
import { requireStepUp, withStepUp } from '../security/step-up.ts';
import { createProofCookie } from '../sessions/sessions.ts';
import { startSession } from '../sign-in/start-session.ts';
import { changeCustomer } from './change-customer.ts';
import { changeEmail, resendChangeEmail } from './change-email.ts';
import { deleteCustomer } from './delete-customer.ts';
import { undoEmailChange, verifyEmailChange } from './email-change-links.ts';
import { exportCustomer } from './export-customer.ts';
import { register, verifyAccount } from './register.ts';
import { resetPassword, sendResetInstructions } from './reset-password.ts';

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

    deleteCustomer: withStepUp(context, async ({ session }, c) => {
      await deleteCustomer(context, session);
      writeCookies(c, context.config, [createProofCookie(null)]);
    }),

    exportCustomer: withStepUp(context, ({ session }, c) =>
      exportCustomer(context, { ...session, device: readClient(c).device }),
    ),

    changeEmail: withStepUp(context, async ({ session, body }, c) => {
      const input = { ...session, newEmail: body.new_email, device: readClient(c).device };
      return presentCustomer(await changeEmail(context, input));
    }),

    resendEmailChange: ({ session }) => resendChangeEmail(context, session),

    listOrders: async ({ session, list, query }) => {
      const { ids, meta } = await findOrderPage(context.db, {
        customerId: session.customerId,
        list,
        ...query,
      });
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

/** Handlers for registration and for mailed links, without a session. */
export function createRegistrationHandlers(context: Context): Handlers<typeof registrationCalls> {
  return {
    register: async ({ body }, c) => ({
      temp: await register(context, { ...body, client: readClient(c) }),
      expires_in: REGISTRATION_SECONDS,
    }),

    verifyAccount: async ({ params: { token }, body }, c) => {
      const client = readClient(c);
      const input = { token, temp: body?.temp, device: client.device };
      const { customer, isSameBrowser } = await verifyAccount(context, input);
      const verified = { email: customer.email, has_password: customer.passwordHash !== null };
      if (!isSameBrowser) return verified;
      const session = await startSession(context, {
        client,
        customerId: customer.id,
        kind: 'magic_link',
        isFresh: false,
        isFirst: true,
      });
      writeCookies(c, context.config, session.cookies);
      return { ...verified, token: session.token };
    },

    sendResetInstructions: ({ body }, c) =>
      sendResetInstructions(context, { ...body, client: readClient(c) }),
    resetPassword: ({ body }, c) => resetPassword(context, { ...body, client: readClient(c) }),

    verifyEmailChange: async ({ session, body: { token } }, c) => {
      const { device } = readClient(c);
      return { email: await verifyEmailChange(context, { token, device, session }) };
    },

    undoEmailChange: async ({ body: { token } }, c) => ({
      email: await undoEmailChange(context, { token, device: readClient(c).device }),
    }),
  };
}
