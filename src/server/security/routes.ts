import type { Context, Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import {
  AddPasskeySchema,
  ChangePasswordSchema,
  ConfirmAuthenticatorSchema,
  RenamePasskeySchema,
} from '#contract/security/schemas.ts';
import { requireCustomer } from '../customers/queries.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { networkOf } from '../http/client-address.ts';
import { deviceOf } from '../http/device-name.ts';
import { readListQuery } from '../http/list-query.ts';
import { readId } from '../http/params.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { requireSession, signedInOf } from '../http/session.ts';
import { addPasskey, createPasskeyOptions } from './add-passkey.ts';
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './authenticator.ts';
import { changePassword } from './change-password.ts';
import { keepDeviceKnown } from './known-device.ts';
import { listPasskeys, removePasskey, renamePasskey } from './manage-passkeys.ts';
import { presentSecurity } from './overview.ts';
import { callerOfCustomer, originOf } from './password-limits.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { listSecurityEvents, SECURITY_EVENTS_PAGE_SIZE } from './security-events.ts';
import { endOneSession, endOtherSessions, listSessions } from './sessions-list.ts';
import { requireStepUp } from './step-up.ts';

/** How the signed-in customer's account is entered: password, passkeys, authenticator, sessions, and what happened. */
export function createSecurityRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();
  const session = requireSession(deps);

  routes.get(apiPaths.security, session, async (c) =>
    ok(c, await presentSecurity(deps, signedInOf(c).customerId)),
  );

  routes.get(apiPaths.securityEvents, session, async (c) => {
    const query = readListQuery(c, { fields: {}, pageSize: SECURITY_EVENTS_PAGE_SIZE });
    const { events, meta } = await listSecurityEvents(deps.db, signedInOf(c).customerId, query);
    return ok(c, events, { meta });
  });

  routes.post(apiPaths.changePassword, session, async (c) => {
    const { password } = await readJson(c, ChangePasswordSchema);
    await requireStepUp(deps, c);
    const caller = callerOfCustomer(signedInOf(c).customerId, originOf(c));
    await changePassword(deps, caller, ownerOf(c), password);
    return ok(c, null);
  });

  addPasskeyRoutes(routes, deps);
  addAuthenticatorRoutes(routes, deps);
  addSessionRoutes(routes, deps);
  return routes;
}

function addPasskeyRoutes(routes: Hono<ApiEnv>, deps: Deps): void {
  const session = requireSession(deps);

  routes.get(apiPaths.passkeys, session, async (c) =>
    ok(c, await listPasskeys(deps.db, signedInOf(c).customerId)),
  );

  routes.post(apiPaths.newPasskeyChallenge, session, async (c) => {
    const who = networkOf(c.var.remoteAddress);
    await rateLimit(deps, { name: 'new-passkey-challenge', who, limit: 60, windowSeconds: 60 });
    await requireStepUp(deps, c);
    return ok(c, await createPasskeyOptions(deps, signedInOf(c).customerId));
  });

  routes.post(apiPaths.passkeys, session, async (c) => {
    const added = await readJson(c, AddPasskeySchema);
    await requireStepUp(deps, c);
    return ok(c, await addPasskey(deps, ownerOf(c), added), { status: 201 });
  });

  routes.patch(honoPath(apiPaths.passkey), session, async (c) => {
    const id = readId(c);
    const { name } = await readJson(c, RenamePasskeySchema);
    return ok(c, await renamePasskey(deps.db, signedInOf(c).customerId, { id, name }));
  });

  routes.delete(honoPath(apiPaths.passkey), session, async (c) => {
    const id = readId(c);
    await requireStepUp(deps, c);
    await removePasskey(deps, ownerOf(c), id);
    return ok(c, null);
  });
}

function addAuthenticatorRoutes(routes: Hono<ApiEnv>, deps: Deps): void {
  const session = requireSession(deps);

  routes.post(apiPaths.authenticator, session, async (c) => {
    await requireStepUp(deps, c);
    return ok(c, await beginAuthenticator(deps, signedInOf(c)));
  });

  routes.post(apiPaths.confirmAuthenticator, session, async (c) => {
    const { code } = await readJson(c, ConfirmAuthenticatorSchema);
    await requireStepUp(deps, c);
    return ok(c, { recovery_codes: await confirmAuthenticator(deps, ownerOf(c), code) });
  });

  routes.delete(apiPaths.authenticator, session, async (c) => {
    await requireStepUp(deps, c);
    await removeAuthenticator(deps, ownerOf(c));
    return ok(c, null);
  });

  routes.post(apiPaths.recoveryCodes, session, async (c) => {
    await requireStepUp(deps, c);
    return ok(c, { recovery_codes: await renewRecoveryCodes(deps, ownerOf(c)) });
  });
}

function addSessionRoutes(routes: Hono<ApiEnv>, deps: Deps): void {
  const session = requireSession(deps);

  const keepThisDevice = async (c: Context<ApiEnv>, work: () => Promise<void>) =>
    keepDeviceKnown(c, deps, await requireCustomer(deps.db, signedInOf(c).customerId), work);

  routes.get(apiPaths.sessions, session, async (c) => ok(c, await listSessions(deps, signedInOf(c))));

  routes.delete(apiPaths.sessions, session, async (c) => {
    await keepThisDevice(c, () => endOtherSessions(deps, ownerOf(c)));
    return ok(c, null);
  });

  routes.delete(honoPath(apiPaths.session), session, async (c) => {
    await keepThisDevice(c, () => endOneSession(deps, ownerOf(c), readId(c)));
    return ok(c, null);
  });
}

function ownerOf(c: Context<ApiEnv>): { customerId: string; sessionId: string; device: string } {
  const { customerId, sessionId } = signedInOf(c);
  return { customerId, sessionId, device: deviceOf(c) };
}
