import type { Context, Hono } from 'hono';
import type { Envelope } from '#contract/common.ts';
import { apiErrors } from '#contract/errors.ts';
import { apiPaths } from '#contract/paths.ts';
import {
  MagicLinkSchema,
  ReauthenticateSchema,
  type SignInOutcome,
  SignInSchema,
  VerifyAuthenticatorSchema,
  VerifyMagicLinkSchema,
  VerifyPasskeySchema,
} from '#contract/sign-in/schemas.ts';
import { findCustomerByEmail } from '../customers/queries.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { readJson } from '../http/read.ts';
import { answerJson, ok } from '../http/respond.ts';
import { endSession, findSession, readBearer, requireSession } from '../http/session.ts';
import { resendEmailCode, signInWithEmailCode, signInWithLink, startEmailCode } from './email-code.ts';
import { finishFirstStep } from './finish-first-step.ts';
import { offerPasskey, signInWithPasskey } from './passkey.ts';
import { checkPassword } from './password.ts';
import { reauthenticate } from './reauthenticate.ts';
import { signInWithSecondStep } from './second-step.ts';
import { removeProof, writeProof } from './start-session.ts';

/** Every way into an account, out of it, and asking whether a session still lives. */
export function createSignInRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();

  routes.post(apiPaths.signIn, async (c) => {
    const { email, password } = await readJson(c, SignInSchema);
    const customer = await findCustomerByEmail(deps.db, email);
    if (password === undefined) return tell(c, await startEmailCode(c, deps, customer, email));
    const within = await checkPassword(c, deps, customer, { email, password });
    const first = { customerId: customer?.id ?? '', kind: 'password', within } as const;
    return tell(c, await finishFirstStep(c, deps, first));
  });

  // Nothing and null ask for another mail; an empty code is a mistake and sends none.
  routes.post(apiPaths.magicLink, async (c) => {
    const { temp, code } = await readJson(c, MagicLinkSchema);
    if (code === undefined || code === null) return tell(c, await resendEmailCode(c, deps, temp));
    return tell(c, await signInWithEmailCode(c, deps, { temp, code }));
  });

  routes.post(apiPaths.verifyMagicLink, async (c) => {
    const { token, code, temp } = await readJson(c, VerifyMagicLinkSchema);
    if (code === undefined || code === null) return tell(c, await signInWithLink(c, deps, token));
    if (temp === undefined || temp === null) throw new ApiError('invalid_input', { field: 'temp' });
    return tell(c, { token: await signInWithSecondStep(c, deps, { temp, code, link: token }) });
  });

  routes.post(apiPaths.verifyAuthenticator, async (c) => {
    const step = await readJson(c, VerifyAuthenticatorSchema);
    return tell(c, { token: await signInWithSecondStep(c, deps, step) });
  });

  routes.get(apiPaths.passkeyChallenge, async (c) => {
    const challenge = await offerPasskey(c, deps);
    return ok(c, challenge, { top: challenge });
  });

  routes.post(apiPaths.verifyPasskey, async (c) => {
    const answer = await readJson(c, VerifyPasskeySchema);
    return tell(c, await signInWithPasskey(c, deps, answer));
  });

  routes.post(apiPaths.reauthenticate, requireSession(deps), async (c) => {
    const proof = await readJson(c, ReauthenticateSchema);
    return tell(c, await reauthenticate(c, deps, proof));
  });

  routes.delete(apiPaths.signOut, async (c) => {
    const token = readBearer(c);
    if (token !== null) await endSession(deps, token);
    removeProof(c, deps);
    return ok(c, null);
  });

  routes.get(apiPaths.sessionPing, findSession(deps), (c) => {
    if (c.var.signedIn) {
      const { proof } = c.var.signedIn;
      // Browsers let a cookie live a year at most; whoever comes again gets it for another.
      if (proof !== null) writeProof(c, deps, proof);
      return ok(c, { errorCode: null }, { top: { errorCode: null } });
    }
    if (c.req.header('authorization') === undefined) return refusePing(c, 'unauthenticated', 200);
    return refusePing(c, 'session_expired', apiErrors.session_expired.status);
  });

  return routes;
}

/** The outcome, for both client styles. */
function tell(c: Context<ApiEnv>, outcome: SignInOutcome): Response {
  return ok(c, outcome, { top: outcome });
}

/** The ping's refusals also name their code at the top, where its callers look for it. */
function refusePing(
  c: Context<ApiEnv>,
  code: 'unauthenticated' | 'session_expired',
  status: number,
): Response {
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
