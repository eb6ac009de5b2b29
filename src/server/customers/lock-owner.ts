import type { Database } from '../database/database.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/api.ts';
import { requireLivingSession } from '../sessions/sessions.ts';
import { type CustomerRow, requireLockedCustomer } from './queries.ts';

/** Whoever asks, by the session they ask with. */
export type Owner = Pick<SignedIn, 'customerId' | 'sessionId'>;

/**
 * The customer who asks, with their row locked, if the session they ask with lives still. A request may wait long
 * between the two, on its body or on a hash; whoever was turned out meanwhile changes nothing any more. Whatever
 * turns somebody out locks the row too, so it comes wholly before or wholly after.
 * @throws {ApiError} session_expired
 */
export async function lockOwner(
  tx: Database,
  { clock }: Pick<Deps, 'clock'>,
  { customerId, sessionId }: Owner,
): Promise<CustomerRow> {
  const customer = await requireLockedCustomer(tx, customerId);
  await requireLivingSession(tx, clock, sessionId);
  return customer;
}
