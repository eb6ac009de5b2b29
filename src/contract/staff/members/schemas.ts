import * as z from 'zod/mini';
import { EmailSchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import { STAFF_ROLES } from '../permissions.ts';
import * as endpoints from './endpoints.ts';

export const StaffMemberSchema = z.object({
  id: IdSchema,
  name: z.string(),
  email: z.string(),
  role: z.enum(STAFF_ROLES),
  /** `invited`: has not chosen how to sign in yet. `disabled`: may no longer sign in. */
  state: z.enum(['invited', 'active', 'disabled']),
  has_authenticator: z.boolean(),
  passkeys: z.int(),
  last_seen_at: z.nullable(InstantSchema),
});
export type StaffMember = z.infer<typeof StaffMemberSchema>;

const InviteStaffSchema = z.strictObject({
  email: EmailSchema,
  name: plainText(1, PERSON_NAME_LENGTH),
  role: z.enum(STAFF_ROLES),
});
const ChangeRoleSchema = z.strictObject({ role: z.enum(STAFF_ROLES) });

export const staffMemberCalls = describeCalls(endpoints, {
  listStaffMembers: {
    summary: 'List everyone who works here, by name',
    response: z.array(StaffMemberSchema),
  },
  inviteStaffMember: {
    summary: 'Mail someone an invitation to work here; a second one replaces the first',
    body: InviteStaffSchema,
    response: z.null(),
    errors: ['step_up_required', 'staff_exists'],
  },
  changeStaffRole: {
    summary: 'Give a staff member another role',
    body: ChangeRoleSchema,
    response: z.null(),
    errors: ['step_up_required', 'last_manager'],
  },
  disableStaffMember: {
    summary: 'End all access of a staff member',
    response: z.null(),
    errors: ['step_up_required', 'last_manager'],
  },
  resetStaffMember: {
    summary: 'Remove what a staff member signs in with, and mail a link to choose new ways',
    response: z.null(),
    errors: ['step_up_required', 'last_manager'],
  },
  endStaffMemberSessions: {
    summary: 'Sign a staff member out on all devices',
    response: z.null(),
  },
});
