import { ApiError } from '#server/http/api-error.ts';
import { TripCardGone } from '../pay/refund-payments.ts';
import { TicketsChanged } from './cancel-tickets.ts';

/**
 * Runs a cancellation or a change and explains what prevented it.
 * @param cardGone the reason if the trip card that paid is gone
 * @throws {ApiError} version_conflict, refund_not_allowed
 */
export async function explainConflicts<Result>(
  work: () => Promise<Result>,
  cardGone: 'card_gone_at_refund' | 'card_gone_at_change',
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TicketsChanged) throw new ApiError('version_conflict');
    if (!(error instanceof TripCardGone)) throw error;
    throw new ApiError('refund_not_allowed', { reason: cardGone });
  }
}
