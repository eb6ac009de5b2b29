import type { accountCalls } from '#contract/identity/accounts/schemas.ts';
import type { registrationCalls } from '#contract/identity/registration/schemas.ts';
import type { Context } from '#server/context.ts';
import { readClient, writeCookies } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { REGISTRATION_SECONDS } from '../account-links.ts';
import { presentCustomer, requireCustomer } from '../customers.ts';
import { requireStepUp, withStepUp } from '../security/step-up.ts';
import { startSession } from '../sign-in/start-session.ts';
import { changeCustomer } from './change-customer.ts';
import { changeEmail, resendChangeEmail } from './change-email.ts';
import { undoEmailChange, verifyEmailChange } from './email-change-links.ts';
import { register, verifyAccount } from './register.ts';
import { resetPassword, sendResetInstructions } from './reset-password.ts';

/** Handlers for the customer's own data. */
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

    changeEmail: withStepUp(context, async ({ session, body }, c) => {
      const input = { ...session, newEmail: body.new_email, device: readClient(c).device };
      return presentCustomer(await changeEmail(context, input));
    }),

    resendEmailChange: ({ session }) => resendChangeEmail(context, session),
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
