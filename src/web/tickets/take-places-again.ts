import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Quote } from '#web/platform/api/types.ts';
import { takeNewHold } from './hold.ts';
import { readRefusal } from './sailings/refusal.ts';

/** Whether the server does not know the hold any more: a crash of its database may lose the holds taken just before. */
export function isHoldLost(error: unknown): boolean {
  return hasErrorCode(error, 'not_found');
}

/**
 * Takes the same places once more.
 * @param askOffer asks for a new quote of the same trip, in case the old one is no longer valid
 * @returns the quote the places are held for now; its total may be another one
 * @throws {ApiError} sold_out, sales_closed, sailing_cancelled
 */
export async function takePlacesAgain(quote: Quote, askOffer: () => Promise<Quote>): Promise<Quote> {
  try {
    await takeNewHold(quote);
    return quote;
  } catch (error) {
    const refusal = readRefusal(error);
    if (refusal.kind !== 'price_changed') throw error;
    const fresh = refusal.quote ?? (await askOffer());
    await takeNewHold(fresh);
    return fresh;
  }
}
