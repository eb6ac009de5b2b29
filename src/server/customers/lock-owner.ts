import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { SignedIn } from '../http/api.ts';
import { requireActiveSession } from '../sessions/sessions.ts';
import { type CustomerRow, requireLockedCustomer } from './queries.ts';

/** The caller, identified by their session. */
export type Owner = Pick<SignedIn, 'customerId' | 'sessionId'>;
/** The caller with the device's name, for the mail about a change. */
export type OwnerOnDevice = Owner & { device: string };

/**
 * Locks and returns the caller's customer row if their session is still active. A request may wait long for its body or
 * a hash, and a session revoked meanwhile must not change anything. Revocations lock the row too, so they come entirely
 * before or after.
 * @throws {ApiError} session_expired
 */
export async function lockOwner(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { customerId, sessionId }: Owner,
): Promise<CustomerRow> {
  const customer = await requireLockedCustomer(tx, customerId);
  await requireActiveSession(tx, { clock }, sessionId);
  return customer;
}
