import { importProvider } from '#web/parts/card-form/import-provider.ts';
import { askIntent, type ProviderWord } from '#web/parts/card-form/provider-word.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { startPayment } from '#web/platform/api/ticket-office.ts';
import type { Order, StartedPayment } from '#web/platform/api/types.ts';
import { endAttempt, isAnswered, keepAttempt, runAttempt } from '../attempts.ts';
import { changeDraft, draftStore } from '../draft.ts';
import { askAboutWhole, isWholeUnderWay } from './pay-whole.ts';
import type { TripCardPart } from './trip-card-part.ts';

/** One payment until it is known to be over: after a reload the same one goes on. */
export async function startOrResume(orderId: string, part: TripCardPart = null): Promise<StartedPayment> {
  const purpose = purposeOf(orderId, part);
  try {
    const payment = await startPayment(orderId, keepAttempt(purpose), { ...part });
    changeDraft({ paymentId: payment.id });
    return payment;
  } catch (error) {
    if (isAnswered(error)) endAttempt(purpose);
    throw error;
  }
}

/**
 * Says before the card is charged whether it is kept for next time, and has the trip card's part set aside once more
 * if a decline let go of it.
 * @returns the payment to confirm: another one, when the one in hand was over
 */
export function agreeOn(orderId: string, isToBeSaved: boolean, part: TripCardPart): Promise<StartedPayment> {
  return runAttempt(`saving:${isToBeSaved}:${purposeOf(orderId, part)}`, (key) =>
    startPayment(orderId, key, { saveCard: isToBeSaved, ...part }),
  );
}

/** Charges a saved card. An answer that got lost is no reason to charge again: the next try is the same one. */
export async function paySaved(
  orderId: string,
  paymentCardId: string,
  part: TripCardPart,
): Promise<StartedPayment> {
  const payment = await runAttempt(`saved-card:${paymentCardId}:${purposeOf(orderId, part)}`, (key) =>
    startPayment(orderId, key, { paymentCardId, ...part }),
  );
  changeDraft({ paymentId: payment.id });
  return payment;
}

/** The next start makes another payment. */
export function endPayment(orderId: string, part: TripCardPart): void {
  endAttempt(purposeOf(orderId, part));
}

/** What the card provider says became of the order's payment, for a page that was loaded anew and has nothing in hand. */
export async function askProviderAgain(order: Order): Promise<ProviderWord> {
  if (isWholeUnderWay(order)) return askAboutWhole(order);
  const { tripCardPart } = draftStore.get();
  const part = tripCardPart?.tripCardAmount === order.total ? null : tripCardPart;
  try {
    const [stripe, payment] = await Promise.all([importProvider(), startOrResume(order.id, part)]);
    return await askIntent(stripe, payment.clientSecret);
  } catch (error) {
    return hasErrorCode(error, 'already_paid') ? 'paid' : 'unknown';
  }
}

function purposeOf(orderId: string, part: TripCardPart): string {
  const whole = `payment:${orderId}`;
  return part ? `${whole}:${part.tripCardId}:${part.tripCardAmount}` : whole;
}
