import type { securityCalls } from '#contract/identity/security/schemas.ts';
import type { Context } from '#server/context.ts';
import type { CustomerSession, HttpContext } from '#server/http/api.ts';
import { readClient, writeCookies } from '#server/http/client.ts';
import { type Handlers, Reply } from '#server/http/handle-calls.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import { type OwnerOnDevice, requireCustomer } from '../customers.ts';
import { addPasskey, createPasskeyOptions } from './add-passkey.ts';
import { beginAuthenticator, confirmAuthenticator, removeAuthenticator } from './authenticator.ts';
import { changePassword } from './change-password.ts';
import { createDeviceCookie, findKnownDevice } from './known-device.ts';
import { presentSecurity } from './overview.ts';
import { listPasskeys, removePasskey, renamePasskey } from './passkeys.ts';
import { renewRecoveryCodes } from './recovery-codes.ts';
import { listSecurityEvents } from './security-events.ts';
import { endOneSession, endOtherSessions, listSessions } from './sessions-list.ts';
import { requireStepUp, withStepUp } from './step-up.ts';

/** Handlers for sign-in methods, devices and sessions of the account. */
export function createSecurityHandlers(context: Context): Handlers<typeof securityCalls> {
  /** Runs work that invalidates all remembered devices of a customer, and remembers this one again. */
  const keepThisDevice = async (session: CustomerSession, c: HttpContext, work: () => Promise<void>) => {
    const input = { client: readClient(c), customer: await requireCustomer(context.db, session.customerId) };
    const isKnown = findKnownDevice(context, input) !== null;
    await work();
    if (isKnown) writeCookies(c, context.config, [createDeviceCookie(context, input)]);
  };

  return {
    getSecurity: ({ session }) => presentSecurity(context, session.customerId),

    listSecurityEvents: async ({ session: { customerId }, list }) => {
      const { events, meta } = await listSecurityEvents(context.db, { customerId, list });
      return new Reply(events, { meta });
    },

    changePassword: withStepUp(context, ({ session, body: { password } }, c) =>
      changePassword(context, { ...session, client: readClient(c), password }),
    ),

    listPasskeys: ({ session }) => listPasskeys(context.db, session.customerId),

    createPasskeyChallenge: async ({ session }, c) => {
      const who = readClient(c).network;
      await rateLimit(context, { name: 'new-passkey-challenge', who, limit: 60, windowSeconds: 60 });
      await requireStepUp(context, session);
      return createPasskeyOptions(context, session.customerId);
    },

    addPasskey: withStepUp(context, ({ session, body }, c) =>
      addPasskey(context, { ...getOwner(session, c), ...body }),
    ),
    renamePasskey: ({ session, params, body }) =>
      renamePasskey(context.db, { customerId: session.customerId, id: params.id, name: body.name }),
    removePasskey: withStepUp(context, ({ session, params }, c) =>
      removePasskey(context, { ...getOwner(session, c), id: params.id }),
    ),

    setUpAuthenticator: withStepUp(context, ({ session }) => beginAuthenticator(context, session)),
    confirmAuthenticator: withStepUp(context, async ({ session, body: { code } }, c) => ({
      recovery_codes: await confirmAuthenticator(context, { ...getOwner(session, c), code }),
    })),
    removeAuthenticator: withStepUp(context, ({ session }, c) =>
      removeAuthenticator(context, getOwner(session, c)),
    ),
    renewRecoveryCodes: withStepUp(context, async ({ session }, c) => ({
      recovery_codes: await renewRecoveryCodes(context, getOwner(session, c)),
    })),

    listSessions: ({ session }) => listSessions(context, session),
    endOtherSessions: ({ session }, c) =>
      keepThisDevice(session, c, () => endOtherSessions(context, getOwner(session, c))),
    endSession: ({ session, params: { id } }, c) =>
      keepThisDevice(session, c, () => endOneSession(context, { ...getOwner(session, c), id })),
  };
}

function getOwner({ customerId, sessionId }: CustomerSession, c: HttpContext): OwnerOnDevice {
  return { customerId, sessionId, device: readClient(c).device };
}
