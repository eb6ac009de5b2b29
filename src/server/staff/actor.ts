import type { StaffActor } from '../audit/record-audit.ts';
import type { StaffSession } from '../http/api.ts';
import type { Client } from '../http/client.ts';

/** The staff member of a request, for the audit log. */
export function describeStaffActor(
  { staffId, role }: Pick<StaffSession, 'staffId' | 'role'>,
  { device, network }: Pick<Client, 'device' | 'network'>,
): StaffActor {
  return { kind: 'staff', staffId, role, device, network };
}
