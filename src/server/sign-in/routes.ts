import type { Context, Hono } from 'hono';
import type { Envelope } from '#contract/common.ts';
import { apiErrors } from '#contract/errors.ts';
import { apiPaths } from '#contract/paths.ts';
import { SignInSchema } from '#contract/sign-in.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { readJson } from '../http/read.ts';
import { answerJson, ok } from '../http/respond.ts';
import { endSession, findSession, readBearer } from '../http/session.ts';
import { deviceName } from './device-name.ts';
import { signInWithPassword } from './sign-in.ts';

/** Signing in with a password, signing out, and asking whether a session still lives. */
export function createSignInRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();

  routes.post(apiPaths.signIn, async (c) => {
    const credentials = await readJson(c, SignInSchema);
    const token = await signInWithPassword(deps, credentials, {
      address: c.var.remoteAddress,
      device: deviceName(c.req.header('user-agent') ?? ''),
    });
    return ok(c, { token }, { top: { token } });
  });

  routes.delete(apiPaths.signOut, async (c) => {
    const token = readBearer(c);
    if (token !== null) await endSession(deps, token);
    return ok(c, null);
  });

  routes.get(apiPaths.sessionPing, findSession(deps), (c) => {
    if (c.var.signedIn) return ok(c, { errorCode: null }, { top: { errorCode: null } });
    if (c.req.header('authorization') === undefined) return refusePing(c, 'unauthenticated', 200);
    return refusePing(c, 'session_expired', apiErrors.session_expired.status);
  });

  return routes;
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
