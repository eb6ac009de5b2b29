import type { securityCalls } from '#contract/security/schemas.ts';
import type { Context } from '../context.ts';
import { type OwnerOnDevice, requireCustomer } from '../customers/queries.ts';
import type { HttpContext, SignedIn } from '../http/api.ts';
import { readClient, writeCookies } from '../http/client.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { addPasskey, createPasskeyOptions } from './add-passkey.ts';
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './authenticator.ts';
import { changePassword } from './change-password.ts';
import { createDeviceCookie, findKnownDevice } from './known-device.ts';
import { presentSecurity } from './overview.ts';
import { listPasskeys, removePasskey, renamePasskey } from './passkeys.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { listSecurityEvents } from './security-events.ts';
import { endOneSession, endOtherSessions, listSessions } from './sessions-list.ts';
import { requireStepUp } from './step-up.ts';

type SecurityHandlers = Handlers<typeof securityCalls>;

/** Handlers for sign-in methods, devices and sessions of the account. */
export function createSecurityHandlers(context: Context): SecurityHandlers {
  return {
    getSecurity: ({ session }) => presentSecurity(context, session.customerId),

    listSecurityEvents: async ({ session, list }) => {
      const { events, meta } = await listSecurityEvents(context.db, {
        customerId: session.customerId,
        query: list,
      });
      return new Reply(events, { meta });
    },

    changePassword: async ({ session, body }, c) => {
      await requireStepUp(context, session);
      await changePassword(context, { client: readClient(c), owner: session, password: body.password });
      return null;
    },

    ...createPasskeyHandlers(context),
    ...createAuthenticatorHandlers(context),
    ...createSessionHandlers(context),
  };
}

function createPasskeyHandlers(
  context: Context,
): Pick<
  SecurityHandlers,
  'listPasskeys' | 'createPasskeyChallenge' | 'addPasskey' | 'renamePasskey' | 'removePasskey'
> {
  return {
    listPasskeys: ({ session }) => listPasskeys(context.db, session.customerId),

    createPasskeyChallenge: async ({ session }, c) => {
      const who = readClient(c).network;
      await rateLimit(context, { name: 'new-passkey-challenge', who, limit: 60, windowSeconds: 60 });
      await requireStepUp(context, session);
      return createPasskeyOptions(context, session.customerId);
    },

    addPasskey: async ({ session, body }, c) => {
      await requireStepUp(context, session);
      return addPasskey(context, { ...ownerOf(session, c), ...body });
    },

    renamePasskey: ({ session, params, body }) =>
      renamePasskey(context.db, { customerId: session.customerId, id: params.id, name: body.name }),

    removePasskey: async ({ session, params }, c) => {
      await requireStepUp(context, session);
      await removePasskey(context, { ...ownerOf(session, c), id: params.id });
      return null;
    },
  };
}

function createAuthenticatorHandlers(
  context: Context,
): Pick<
  SecurityHandlers,
  'setUpAuthenticator' | 'confirmAuthenticator' | 'removeAuthenticator' | 'renewRecoveryCodes'
> {
  return {
    setUpAuthenticator: async ({ session }) => {
      await requireStepUp(context, session);
      return beginAuthenticator(context, session);
    },

    confirmAuthenticator: async ({ session, body }, c) => {
      await requireStepUp(context, session);
      return {
        recovery_codes: await confirmAuthenticator(context, { ...ownerOf(session, c), code: body.code }),
      };
    },

    removeAuthenticator: async ({ session }, c) => {
      await requireStepUp(context, session);
      await removeAuthenticator(context, ownerOf(session, c));
      return null;
    },

    renewRecoveryCodes: async ({ session }, c) => {
      await requireStepUp(context, session);
      return { recovery_codes: await renewRecoveryCodes(context, ownerOf(session, c)) };
    },
  };
}

function createSessionHandlers(
  context: Context,
): Pick<SecurityHandlers, 'listSessions' | 'endOtherSessions' | 'endSession'> {
  /** Runs work that invalidates all remembered devices of a customer, and remembers this one again. */
  const keepThisDevice = async (session: SignedIn, c: HttpContext, work: () => Promise<void>) => {
    const input = { client: readClient(c), customer: await requireCustomer(context.db, session.customerId) };
    const isKnown = findKnownDevice(context, input) !== null;
    await work();
    if (isKnown) writeCookies(c, context.config, [createDeviceCookie(context, input)]);
  };

  return {
    listSessions: ({ session }) => listSessions(context, session),

    endOtherSessions: async ({ session }, c) => {
      await keepThisDevice(session, c, () => endOtherSessions(context, ownerOf(session, c)));
      return null;
    },

    endSession: async ({ session, params }, c) => {
      await keepThisDevice(session, c, () =>
        endOneSession(context, { ...ownerOf(session, c), id: params.id }),
      );
      return null;
    },
  };
}

function ownerOf({ customerId, sessionId }: SignedIn, c: HttpContext): OwnerOnDevice {
  return { customerId, sessionId, device: readClient(c).device };
}
