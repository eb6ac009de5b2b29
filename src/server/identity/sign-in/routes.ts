import type { NextStep, SignInOutcome, signInCalls } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import type { HttpContext } from '#server/http/api.ts';
import { ApiError } from '#server/http/api-error.ts';
import { readBearer, readClient, writeCookies } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { answerJson, errorEnvelope, ok } from '#server/http/respond.ts';
import { findCustomerByEmail } from '../customers.ts';
import { createProofCookie, endSession } from '../sessions.ts';
import { resendEmailCode, signInWithEmailCode, signInWithLink, startEmailCode } from './email-code.ts';
import { createPasskeyRequest, signInWithPasskey } from './passkey.ts';
import { checkPassword } from './password.ts';
import { reauthenticate } from './reauthenticate.ts';
import { signInWithSecondStep } from './second-step.ts';
import { finishFirstStep, type StartedSession } from './start-session.ts';

/** Handlers for sign-in by password, mailed code, mailed link, authenticator or passkey. */
export function createSignInHandlers(context: Context): Handlers<typeof signInCalls> {
  const deliverSession = (c: HttpContext, { token, cookies }: StartedSession) => {
    writeCookies(c, context.config, cookies);
    return { token };
  };
  const deliver = (c: HttpContext, result: NextStep | StartedSession): SignInOutcome =>
    'next' in result ? result : deliverSession(c, result);
  return {
    signIn: async ({ body: { email, password } }, c) => {
      const client = readClient(c);
      const customer = await findCustomerByEmail(context.db, email);
      if (password === undefined) return startEmailCode(context, { client, customer, email });
      const within = await checkPassword(context, { client, customer, email, password });
      const first = { client, customerId: customer?.id ?? '', kind: 'password', within } as const;
      return deliver(c, await finishFirstStep(context, first));
    },

    // Absent and null request another mail; an empty code is an error and sends none.
    signInWithEmailCode: async ({ body: { temp, code } }, c) => {
      const client = readClient(c);
      if (code === undefined || code === null) return resendEmailCode(context, { client, temp });
      return deliver(c, await signInWithEmailCode(context, { client, temp, code }));
    },

    signInWithLink: async ({ body: { token, code, temp } }, c) => {
      const client = readClient(c);
      if (code === undefined || code === null) {
        return deliver(c, await signInWithLink(context, { client, token }));
      }
      if (temp === undefined || temp === null) throw new ApiError('invalid_input', { field: 'temp' });
      return deliver(c, await signInWithSecondStep(context, { client, temp, code, link: token }));
    },

    verifySecondStep: async ({ body }, c) =>
      deliverSession(c, await signInWithSecondStep(context, { ...body, client: readClient(c) })),
    getPasskeyChallenge: (_, c) => createPasskeyRequest(context, readClient(c)),
    signInWithPasskey: async ({ body }, c) =>
      deliver(c, await signInWithPasskey(context, { ...body, client: readClient(c) })),
    reauthenticate: ({ session, body }, c) =>
      reauthenticate(context, { client: readClient(c), session, proof: body }),

    signOut: async (_, c) => {
      const token = readBearer(c);
      if (token !== null) await endSession(context, token);
      writeCookies(c, context.config, [createProofCookie(null)]);
    },

    pingSession: ({ session }, c) => {
      if (session) {
        // Browsers limit a cookie's lifetime to a year or so, so each visit renews it.
        if (session.proof !== null) writeCookies(c, context.config, [createProofCookie(session.proof)]);
        return ok(c, { errorCode: null }, { top: { errorCode: null } });
      }
      if (c.req.header('authorization') === undefined) return refusePing(c, 'unauthenticated', 200);
      return refusePing(c, 'session_expired', 401);
    },
  };
}

/** Failed pings also have their code at the top level, where older clients read it. */
function refusePing(c: HttpContext, code: 'unauthenticated' | 'session_expired', status: number): Response {
  const body = errorEnvelope(status, new ApiError(code).present(textsIn(requestLanguage(c))));
  return answerJson(c, { errorCode: code, ...body }, status);
}
