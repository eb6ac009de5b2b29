import type { Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import { EmailOnlySchema, RegisterSchema, ResetPasswordSchema, TokenOnlySchema } from '#contract/sign-in.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { findSession } from '../http/session.ts';
import { askerOf } from './asker.ts';
import { register } from './register.ts';
import { resetPassword, sendResetInstructions } from './reset-password.ts';
import { undoEmailChange } from './undo-email.ts';
import { verifyAccount } from './verify-account.ts';
import { verifyEmailChange } from './verify-email-change.ts';

/** What whoever reads a mailbox can do without being signed in. The mailed token decides whose account it is. */
export function createRegistrationRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();

  routes.post(apiPaths.register, async (c) => {
    await register(deps, await readJson(c, RegisterSchema), askerOf(c));
    return ok(c, null);
  });

  routes.post(honoPath(apiPaths.verifyAccount), async (c) => {
    const customer = await verifyAccount(deps, c.req.param('token') ?? '', askerOf(c));
    return ok(c, { email: customer.email, has_password: customer.passwordHash !== null });
  });

  routes.post(apiPaths.resetInstructions, async (c) => {
    const { email } = await readJson(c, EmailOnlySchema);
    await sendResetInstructions(deps, email, askerOf(c));
    return ok(c, null);
  });

  routes.post(apiPaths.resetPassword, async (c) => {
    await resetPassword(deps, await readJson(c, ResetPasswordSchema), askerOf(c));
    return ok(c, null);
  });

  routes.post(apiPaths.verifyChangeEmail, findSession(deps), async (c) => {
    const { token } = await readJson(c, TokenOnlySchema);
    const follower = { device: askerOf(c).device, session: c.var.signedIn ?? null };
    return ok(c, { email: await verifyEmailChange(deps, token, follower) });
  });

  routes.post(apiPaths.undoChangeEmail, async (c) => {
    const { token } = await readJson(c, TokenOnlySchema);
    return ok(c, { email: await undoEmailChange(deps, token, askerOf(c)) });
  });

  return routes;
}
