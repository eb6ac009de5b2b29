import type { Envelope } from '#contract/common.ts';
import { apiErrors } from '#contract/errors.ts';
import type { signInCalls } from '#contract/sign-in/schemas.ts';
import type { Context } from '../context.ts';
import { findCustomerByEmail } from '../customers/queries.ts';
import type { HttpContext } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { readBearer } from '../http/bearer.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { answerJson, ok } from '../http/respond.ts';
import { endSession } from '../sessions/sessions.ts';
import { resendEmailCode, signInWithEmailCode, signInWithLink, startEmailCode } from './email-code.ts';
import { finishFirstStep } from './finish-first-step.ts';
import { createPasskeyRequest, signInWithPasskey } from './passkey.ts';
import { checkPassword } from './password.ts';
import { reauthenticate } from './reauthenticate.ts';
import { signInWithSecondStep } from './second-step.ts';
import { removeProof, writeProof } from './start-session.ts';

/** Handlers for sign-in by password, mailed code, mailed link, authenticator or passkey. */
export function createSignInHandlers(context: Context): Handlers<typeof signInCalls> {
  return {
    signIn: async ({ body: { email, password } }, c) => {
      const customer = await findCustomerByEmail(context.db, email);
      if (password === undefined) return startEmailCode(c, context, customer, email);
      const within = await checkPassword(c, context, customer, { email, password });
      return finishFirstStep(c, context, { customerId: customer?.id ?? '', kind: 'password', within });
    },

    // Absent and null request another mail; an empty code is an error and sends none.
    signInWithEmailCode: ({ body: { temp, code } }, c) =>
      code === undefined || code === null
        ? resendEmailCode(c, context, temp)
        : signInWithEmailCode(c, context, { temp, code }),

    signInWithLink: async ({ body: { token, code, temp } }, c) => {
      if (code === undefined || code === null) return signInWithLink(c, context, token);
      if (temp === undefined || temp === null) throw new ApiError('invalid_input', { field: 'temp' });
      return { token: await signInWithSecondStep(c, context, { temp, code, link: token }) };
    },

    verifySecondStep: async ({ body }, c) => ({ token: await signInWithSecondStep(c, context, body) }),
    getPasskeyChallenge: (_, c) => createPasskeyRequest(c, context),
    signInWithPasskey: ({ body }, c) => signInWithPasskey(c, context, body),
    reauthenticate: ({ session, body }, c) => reauthenticate(c, context, session, body),

    signOut: async (_, c) => {
      const token = readBearer(c);
      if (token !== null) await endSession(context, token);
      removeProof(c, context);
      return null;
    },

    pingSession: ({ session }, c) => {
      if (session) {
        // Browsers limit a cookie's lifetime to a year or so, so each visit renews it.
        if (session.proof !== null) writeProof(c, context, session.proof);
        return ok(c, { errorCode: null }, { top: { errorCode: null } });
      }
      if (c.req.header('authorization') === undefined) return refusePing(c, 'unauthenticated', 200);
      return refusePing(c, 'session_expired', apiErrors.session_expired.status);
    },
  };
}

/** Failed pings also have their code at the top level, where older clients read it. */
function refusePing(c: HttpContext, code: 'unauthenticated' | 'session_expired', status: number): Response {
  const { message } = apiErrors[code];
  const body: Envelope<never> = {
    success: false,
    data: null,
    errors: [{ code, message }],
    status_code: status,
    error: message,
  };
  return answerJson(c, { errorCode: code, ...body }, status);
}
