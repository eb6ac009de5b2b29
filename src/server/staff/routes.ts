import type { StaffSession, staffCalls } from '#contract/staff/schemas.ts';
import type { Context } from '../context.ts';
import type { HttpContext } from '../http/api.ts';
import { readClient, writeCookies } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { acceptInvitation, createInvitedPasskey, readInvitation } from './invitations.ts';
import { createStaffPasskeyRequest } from './passkeys.ts';
import {
  createStaffCookie,
  endStaffSessions,
  presentStaffSession,
  type StartedStaffSession,
} from './sessions.ts';
import { signInStaff, signInStaffWithPasskey } from './sign-in.ts';
import { stepUpStaff } from './step-up.ts';

/** Handlers for invitations, sign-in and the session of a staff member. */
export function createStaffHandlers(context: Context): Handlers<typeof staffCalls> {
  const deliver = (c: HttpContext, { token, session }: StartedStaffSession): StaffSession => {
    writeCookies(c, context.config, [createStaffCookie(token)], 'staff');
    return presentStaffSession(session);
  };
  const removeCookie = (c: HttpContext) =>
    writeCookies(c, context.config, [createStaffCookie(null)], 'staff');
  return {
    readStaffInvitation: ({ body: { token } }) => readInvitation(context, token),
    createInvitedPasskey: ({ body: { token } }) => createInvitedPasskey(context, token),
    acceptStaffInvitation: async ({ body }, c) =>
      deliver(c, await acceptInvitation(context, { ...body, client: readClient(c) })),
    signInStaff: async ({ body }, c) => {
      const outcome = await signInStaff(context, { ...body, client: readClient(c) });
      return 'next' in outcome ? outcome : deliver(c, outcome);
    },
    getStaffPasskeyChallenge: (_, c) => createStaffPasskeyRequest(context, readClient(c)),
    signInStaffWithPasskey: async ({ body }, c) =>
      deliver(c, await signInStaffWithPasskey(context, { ...body, client: readClient(c) })),
    getStaffSession: ({ session }) => presentStaffSession(session),
    endStaffSession: async ({ session: { staffId, staffSessionId } }, c) => {
      await endStaffSessions(context, { staffId, staffSessionId });
      removeCookie(c);
    },
    endStaffSessions: async ({ session: { staffId } }, c) => {
      await endStaffSessions(context, { staffId });
      removeCookie(c);
    },
    stepUpStaff: ({ session, body }, c) =>
      stepUpStaff(context, { client: readClient(c), session, proof: body }),
  };
}
