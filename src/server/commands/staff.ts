import { EmailSchema } from '#contract/common.ts';
import { STAFF_ROLES, type StaffRole } from '#contract/staff/permissions.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import type { CommandContext } from '../context.ts';
import { formatTable } from '../csv/format-table.ts';
import { getDemoStaffCode } from '../demo/demo-staff.ts';
import { inviteStaff, resetStaff, type SentInvitation } from '../staff/invitations.ts';
import {
  changeStaffRole,
  disableStaff,
  endSessionsOf,
  listStaff,
  type StaffWithCounts,
} from '../staff/manage.ts';
import { findStaffByEmail, getStaffState, type StaffRow } from '../staff/members.ts';
import { type Command, readArguments, readCommandActor, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Manages the people who work here, in the configured database. Roles: ${STAFF_ROLES.join(', ')}.

  npm run staff -- invite EMAIL ROLE [--name NAME]
      Mails a link with which the person chooses how to sign in. It works once, within seven days; a second invitation
      replaces the first. Prints the link where no mail server is set up.

  npm run staff -- list
      Lists everyone: role, state, second factor, and when they were last here.

  npm run staff -- role EMAIL ROLE
  npm run staff -- disable EMAIL
  npm run staff -- end-sessions EMAIL
      Changes a role, ends all access, or signs a person out everywhere. The last manager stays one.

  npm run staff -- reset EMAIL
      For a lost phone: removes the password, authenticator and passkeys, and mails a link to choose new ones.

  npm run staff -- code EMAIL
      Prints the current code of one of the demo's people.
`;

const ACTIONS = ['invite', 'role', 'disable', 'end-sessions', 'reset', 'code'] as const;
type StaffInput =
  | { kind: 'list' }
  | { kind: 'invite' | 'role'; email: string; role: StaffRole; name: string; actor: AuditActor }
  | { kind: Exclude<(typeof ACTIONS)[number], 'invite' | 'role'>; email: string; actor: AuditActor };

class UnknownStaffError extends Error {}

export const staffCommand: Command<StaffInput> = {
  name: 'staff',
  usage,
  refusals: [UnknownStaffError],
  read: readStaffArguments,
  run: runStaffCommand,
};

if (import.meta.main) await runCommand(staffCommand);

function readStaffArguments(args: readonly string[]): StaffInput {
  const { values, positionals } = readArguments(args, { name: { type: 'string' } });
  const [name, email = '', role, ...more] = positionals;
  if (name === 'list' && positionals.length === 1) return { kind: name };
  const kind = ACTIONS.find((each) => each === name);
  if (kind === undefined) throw new UsageError(`Name what to do: list, ${ACTIONS.join(', ')}.`);
  if (!EmailSchema.safeParse(email).success) throw new UsageError('Name one e-mail address.');
  const actor = readCommandActor();
  if (kind !== 'invite' && kind !== 'role') {
    if (role !== undefined) throw new UsageError('Name one e-mail address.');
    return { kind, email, actor };
  }
  const chosen = STAFF_ROLES.find((each) => each === role);
  if (chosen === undefined || more.length > 0) {
    throw new UsageError(`Name one role: ${STAFF_ROLES.join(', ')}.`);
  }
  const [localPart = ''] = email.split('@');
  return { kind, email, role: chosen, name: values.name?.trim() || localPart, actor };
}

async function runStaffCommand(context: CommandContext, input: StaffInput): Promise<string> {
  if (input.kind === 'list') return formatStaff(await listStaff(context.db));
  if (input.kind === 'invite')
    return describeInvitation(context, input.email, await inviteStaff(context, input));
  const { actor, email } = input;
  const member = await requireStaff(context, email);
  const change = { id: member.id, actor };
  switch (input.kind) {
    case 'role':
      await changeStaffRole(context, { ...change, role: input.role });
      return `${member.email} has the role ${input.role}.`;
    case 'disable':
      await disableStaff(context, change);
      return `${member.email} can no longer sign in.`;
    case 'end-sessions':
      await endSessionsOf(context, change);
      return `${member.email} is signed out on all devices.`;
    case 'reset':
      return describeInvitation(context, email, await resetStaff(context, change));
    case 'code':
      return getDemoStaffCode(context, member) ?? 'Only the demo’s people have a code that can be printed.';
  }
}

async function requireStaff({ db }: CommandContext, email: string): Promise<StaffRow> {
  const member = await findStaffByEmail(db, email);
  if (!member) throw new UnknownStaffError(`No one with the address ${email} works here.`);
  return member;
}

function describeInvitation({ config }: CommandContext, email: string, { link }: SentInvitation): string {
  const sent = `An invitation is on its way to ${email}. Its link works once, within seven days.`;
  return config.smtpUrl ? sent : `${sent}\nNo mail server is set up, so pass the link on yourself:\n${link}`;
}

function formatStaff(people: readonly StaffWithCounts[]): string {
  if (people.length === 0) return 'No one is invited yet.';
  return formatTable({
    columns: ['email', 'name', 'role', 'state', 'second factor', 'last seen'],
    rows: people.map((each) => [
      each.email,
      each.name,
      each.role,
      getStaffState(each),
      describeFactors(each),
      each.lastSeenAt?.toISOString() ?? '',
    ]),
  });
}

function describeFactors({ passkeys, encryptedAuthenticator }: StaffWithCounts): string {
  const factors = [passkeys > 0 ? 'passkey' : '', encryptedAuthenticator === null ? '' : 'authenticator'];
  return factors.filter((factor) => factor !== '').join(', ');
}
