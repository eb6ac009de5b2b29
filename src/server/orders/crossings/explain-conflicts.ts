import { ApiError } from '#server/http/api-error.ts';
import { TripCardGone } from '../pay/refund-payments.ts';
import { TicketsChanged } from './cancel-tickets.ts';

/**
 * Runs a cancellation or a change and explains what prevented it.
 * @param remedy what we do for the customer if the trip card that paid is gone
 * @throws {ApiError} version_conflict, refund_not_allowed
 */
export async function explainConflicts<Result>(work: () => Promise<Result>, remedy: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TicketsChanged) throw new ApiError('version_conflict');
    if (!(error instanceof TripCardGone)) throw error;
    throw new ApiError('refund_not_allowed', {
      message: `The trip card that paid is no longer in use. Call us, and we will ${remedy}.`,
    });
  }
}
