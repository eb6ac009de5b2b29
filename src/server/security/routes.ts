import type { Context } from 'hono';
import type { securityCalls } from '#contract/security/schemas.ts';
import type { Owner } from '../customers/lock-owner.ts';
import { requireCustomer } from '../customers/queries.ts';
import type { Deps } from '../deps.ts';
import type { ApiEnv, SignedIn } from '../http/api.ts';
import { networkOf } from '../http/client-address.ts';
import { deviceOf } from '../http/device-name.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { addPasskey, createPasskeyOptions } from './add-passkey.ts';
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './authenticator.ts';
import { changePassword } from './change-password.ts';
import { keepDeviceKnown } from './known-device.ts';
import { listPasskeys, removePasskey, renamePasskey } from './manage-passkeys.ts';
import { presentSecurity } from './overview.ts';
import { callerOfCustomer, originOf } from './password-limits.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { listSecurityEvents } from './security-events.ts';
import { endOneSession, endOtherSessions, listSessions } from './sessions-list.ts';
import { requireStepUp } from './step-up.ts';

type SecurityHandlers = Handlers<typeof securityCalls>;

/** Handlers for sign-in methods, devices and sessions of the account. */
export function createSecurityHandlers(deps: Deps): SecurityHandlers {
  return {
    getSecurity: ({ session }) => presentSecurity(deps, session.customerId),

    listSecurityEvents: async ({ session, list }) => {
      const { events, meta } = await listSecurityEvents(deps.db, session.customerId, list);
      return new Reply(events, { meta });
    },

    changePassword: async ({ session, body }, c) => {
      await requireStepUp(deps, session);
      const caller = callerOfCustomer(session.customerId, originOf(c));
      await changePassword(deps, caller, ownerOf(session, c), body.password);
      return null;
    },

    ...createPasskeyHandlers(deps),
    ...createAuthenticatorHandlers(deps),
    ...createSessionHandlers(deps),
  };
}

function createPasskeyHandlers(
  deps: Deps,
): Pick<
  SecurityHandlers,
  'listPasskeys' | 'createPasskeyChallenge' | 'addPasskey' | 'renamePasskey' | 'removePasskey'
> {
  return {
    listPasskeys: ({ session }) => listPasskeys(deps.db, session.customerId),

    createPasskeyChallenge: async ({ session }, c) => {
      const who = networkOf(c.var.remoteAddress);
      await rateLimit(deps, { name: 'new-passkey-challenge', who, limit: 60, windowSeconds: 60 });
      await requireStepUp(deps, session);
      return createPasskeyOptions(deps, session.customerId);
    },

    addPasskey: async ({ session, body }, c) => {
      await requireStepUp(deps, session);
      return addPasskey(deps, ownerOf(session, c), body);
    },

    renamePasskey: ({ session, params, body }) =>
      renamePasskey(deps.db, session.customerId, { id: params.id, name: body.name }),

    removePasskey: async ({ session, params }, c) => {
      await requireStepUp(deps, session);
      await removePasskey(deps, ownerOf(session, c), params.id);
      return null;
    },
  };
}

function createAuthenticatorHandlers(
  deps: Deps,
): Pick<
  SecurityHandlers,
  'setUpAuthenticator' | 'confirmAuthenticator' | 'removeAuthenticator' | 'renewRecoveryCodes'
> {
  return {
    setUpAuthenticator: async ({ session }) => {
      await requireStepUp(deps, session);
      return beginAuthenticator(deps, session);
    },

    confirmAuthenticator: async ({ session, body }, c) => {
      await requireStepUp(deps, session);
      return { recovery_codes: await confirmAuthenticator(deps, ownerOf(session, c), body.code) };
    },

    removeAuthenticator: async ({ session }, c) => {
      await requireStepUp(deps, session);
      await removeAuthenticator(deps, ownerOf(session, c));
      return null;
    },

    renewRecoveryCodes: async ({ session }, c) => {
      await requireStepUp(deps, session);
      return { recovery_codes: await renewRecoveryCodes(deps, ownerOf(session, c)) };
    },
  };
}

function createSessionHandlers(
  deps: Deps,
): Pick<SecurityHandlers, 'listSessions' | 'endOtherSessions' | 'endSession'> {
  const keepThisDevice = async (session: SignedIn, c: Context<ApiEnv>, work: () => Promise<void>) =>
    keepDeviceKnown(c, deps, await requireCustomer(deps.db, session.customerId), work);

  return {
    listSessions: ({ session }) => listSessions(deps, session),

    endOtherSessions: async ({ session }, c) => {
      await keepThisDevice(session, c, () => endOtherSessions(deps, ownerOf(session, c)));
      return null;
    },

    endSession: async ({ session, params }, c) => {
      await keepThisDevice(session, c, () => endOneSession(deps, ownerOf(session, c), params.id));
      return null;
    },
  };
}

function ownerOf({ customerId, sessionId }: SignedIn, c: Context<ApiEnv>): Owner & { device: string } {
  return { customerId, sessionId, device: deviceOf(c) };
}
