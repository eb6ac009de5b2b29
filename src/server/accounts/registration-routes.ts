import type { Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import {
  type AccountVerified,
  EmailOnlySchema,
  RegisterSchema,
  type RegistrationStarted,
  ResetPasswordSchema,
  TokenOnlySchema,
  VerifyAccountSchema,
} from '#contract/sign-in/schemas.ts';
import { REGISTRATION_SECONDS } from '../customers/account-links.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { findSession } from '../http/session.ts';
import { startSession } from '../sign-in/start-session.ts';
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
    const temp = await register(deps, await readJson(c, RegisterSchema), askerOf(c));
    return ok(c, { temp, expires_in: REGISTRATION_SECONDS } satisfies RegistrationStarted);
  });

  routes.post(honoPath(apiPaths.verifyAccount), async (c) => {
    const hasBody = c.req.header('content-type') !== undefined;
    const { temp } = hasBody ? await readJson(c, VerifyAccountSchema) : {};
    const { customer, isSameBrowser } = await verifyAccount(
      deps,
      c.req.param('token') ?? '',
      temp,
      askerOf(c),
    );
    const verified = { email: customer.email, has_password: customer.passwordHash !== null };
    if (!isSameBrowser) return ok(c, verified satisfies AccountVerified);
    const token = await startSession(c, deps, {
      customerId: customer.id,
      kind: 'magic_link',
      isFresh: false,
      isFirst: true,
    });
    return ok(c, { ...verified, token } satisfies AccountVerified);
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
