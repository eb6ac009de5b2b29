import type { registrationCalls } from '#contract/registration/schemas.ts';
import type { Context } from '../context.ts';
import { REGISTRATION_SECONDS } from '../customers/account-links.ts';
import { readClient } from '../http/client.ts';
import { writeCookies } from '../http/cookies.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { startSession } from '../sign-in/start-session.ts';
import { register } from './register.ts';
import { resetPassword, sendResetInstructions } from './reset-password.ts';
import { undoEmailChange } from './undo-email.ts';
import { verifyAccount } from './verify-account.ts';
import { verifyEmailChange } from './verify-email-change.ts';

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

    sendResetInstructions: async ({ body }, c) => {
      await sendResetInstructions(context, { ...body, client: readClient(c) });
      return null;
    },

    resetPassword: async ({ body }, c) => {
      await resetPassword(context, { ...body, client: readClient(c) });
      return null;
    },

    verifyEmailChange: async ({ session, body: { token } }, c) => {
      const { device } = readClient(c);
      return { email: await verifyEmailChange(context, { token, device, session }) };
    },

    undoEmailChange: async ({ body: { token } }, c) => ({
      email: await undoEmailChange(context, { token, device: readClient(c).device }),
    }),
  };
}
