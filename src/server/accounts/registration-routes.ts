import type { registrationCalls } from '#contract/registration/schemas.ts';
import type { Context } from '../context.ts';
import { REGISTRATION_SECONDS } from '../customers/account-links.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { startSession } from '../sign-in/start-session.ts';
import { getCaller } from './caller.ts';
import { register } from './register.ts';
import { resetPassword, sendResetInstructions } from './reset-password.ts';
import { undoEmailChange } from './undo-email.ts';
import { verifyAccount } from './verify-account.ts';
import { verifyEmailChange } from './verify-email-change.ts';

/** Handlers for registration and for mailed links, without a session. */
export function createRegistrationHandlers(context: Context): Handlers<typeof registrationCalls> {
  return {
    register: async ({ body }, c) => ({
      temp: await register(context, body, getCaller(c)),
      expires_in: REGISTRATION_SECONDS,
    }),

    verifyAccount: async ({ params, body }, c) => {
      const { customer, isSameBrowser } = await verifyAccount(
        context,
        params.token,
        body?.temp,
        getCaller(c),
      );
      const verified = { email: customer.email, has_password: customer.passwordHash !== null };
      if (!isSameBrowser) return verified;
      const token = await startSession(c, context, {
        customerId: customer.id,
        kind: 'magic_link',
        isFresh: false,
        isFirst: true,
      });
      return { ...verified, token };
    },

    sendResetInstructions: async ({ body }, c) => {
      await sendResetInstructions(context, body.email, getCaller(c));
      return null;
    },

    resetPassword: async ({ body }, c) => {
      await resetPassword(context, body, getCaller(c));
      return null;
    },

    verifyEmailChange: async ({ session, body }, c) => {
      const follower = { device: getCaller(c).device, session };
      return { email: await verifyEmailChange(context, body.token, follower) };
    },

    undoEmailChange: async ({ body }, c) => ({
      email: await undoEmailChange(context, body.token, getCaller(c)),
    }),
  };
}
