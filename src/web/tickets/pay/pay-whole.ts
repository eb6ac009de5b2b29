import type { ProviderWord } from '#web/parts/card-form/provider-word.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { payWithTripCard } from '#web/platform/api/ticket-office.ts';
import type { Order, Payment } from '#web/platform/api/types.ts';
import { isAnswered, runAttempt } from '../attempts.ts';
import { draftStore } from '../draft.ts';

/** Pays all of an order. An answer that got lost is no reason to pay again: the next try is the same one. */
export function payWhole(orderId: string, tripCardId: string): Promise<Payment> {
  return runAttempt(purposeOf(orderId, tripCardId), (key) => payWithTripCard(orderId, key, tripCardId));
}

/** Whether this tab asked for it and has not heard what became of it. */
export function isWholeUnderWay({ id, total }: Order): boolean {
  const { tripCardPart: part, attempts, isPaymentOpen } = draftStore.get();
  return (
    isPaymentOpen && part?.tripCardAmount === total && attempts[purposeOf(id, part.tripCardId)] !== undefined
  );
}

/** Asks for the same payment again, which is done once: the one way to know whether the first asking arrived. */
export async function askAboutWhole({ id }: Order): Promise<ProviderWord> {
  const { tripCardPart: part } = draftStore.get();
  try {
    await payWhole(id, part?.tripCardId ?? '');
    return 'paid';
  } catch (error) {
    if (hasErrorCode(error, 'already_paid')) return 'paid';
    return isAnswered(error) ? 'failed' : 'unknown';
  }
}

function purposeOf(orderId: string, tripCardId: string): string {
  return `trip-card:${orderId}:${tripCardId}`;
}
