import type { StaffRole } from '#contract/staff/permissions.ts';
import { type Message, message, type Translate } from '#messages/translate.ts';

const ROLES: Readonly<Record<StaffRole, Message>> = {
  gate: message('Gate|a role of staff'),
  desk: message('Ticket desk|a role of staff'),
  office: message('Office|a role of staff'),
  manager: message('Manager|a role of staff'),
};

/** The name of a role of staff. */
export function nameRole(t: Translate, role: StaffRole): string {
  return t(ROLES[role]);
}
