import {
  type StaffMember,
  StaffMemberSchema,
  type staffMemberCalls,
} from '#contract/staff/members/schemas.ts';
import type { Context } from '../context.ts';
import { present } from '../core/present.ts';
import type { HttpContext, StaffSession } from '../http/api.ts';
import { readClient } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { describeStaffActor } from './actor.ts';
import { inviteStaff, resetStaff } from './invitations.ts';
import { changeStaffRole, disableStaff, endSessionsOf, listStaff, type StaffWithCounts } from './manage.ts';
import { getStaffState } from './members.ts';
import { withStaffStepUp } from './step-up.ts';

/** Handlers for what managers do about the people who work here. */
export function createStaffMemberHandlers(context: Context): Handlers<typeof staffMemberCalls> {
  const actorOf = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  return {
    listStaffMembers: async () => (await listStaff(context.db)).map(presentMember),
    inviteStaffMember: withStaffStepUp(context, async ({ session, body }, c) => {
      const { mailId } = await inviteStaff(context, { ...body, actor: actorOf(session, c) });
      sendSoon(context.jobs, mailId);
    }),
    changeStaffRole: withStaffStepUp(context, ({ session, params: { id }, body: { role } }, c) =>
      changeStaffRole(context, { id, role, actor: actorOf(session, c) }),
    ),
    disableStaffMember: withStaffStepUp(context, ({ session, params: { id } }, c) =>
      disableStaff(context, { id, actor: actorOf(session, c) }),
    ),
    resetStaffMember: withStaffStepUp(context, async ({ session, params: { id } }, c) => {
      const { mailId } = await resetStaff(context, { id, actor: actorOf(session, c) });
      sendSoon(context.jobs, mailId);
    }),
    endStaffMemberSessions: ({ session, params: { id } }, c) =>
      endSessionsOf(context, { id, actor: actorOf(session, c) }),
  };
}

function presentMember(member: StaffWithCounts): StaffMember {
  return present(StaffMemberSchema, {
    ...member,
    state: getStaffState(member),
    hasAuthenticator: member.encryptedAuthenticator !== null,
  });
}
