import { changeHold, takeHold } from '#contract/checkout/endpoints.ts';
import { cancelOrder } from '#contract/orders/endpoints.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';

import type { Hold, Quote } from '#web/platform/api/types.ts';

import { changeDraft, type Draft, draftStore, type HeldPlaces } from './draft.ts';
import { writes } from './writes.ts';

export const LAPSED = 'Your hold expired. Your trip is still here. Tap Continue to try again.';

/** Takes the places of a quote, or swaps the ones already kept for them, and notes both in the draft. */
export async function keepPlaces(quote: Quote): Promise<void> {
  const { hold, quote: held, orderId } = draftStore.get();
  if (hold !== null && held?.id === quote.id && !isOver(hold)) return;
  if (orderId !== null) await giveUpOrder(orderId);
  if (orderId === null && hold !== null) await swapHold(hold.id, quote);
  else await takeNewHold(quote);
}

/** Takes the places of a quote beside whatever is kept already, and notes them in the draft. */
export async function takeNewHold(quote: Quote): Promise<void> {
  noteHold(
    await writes.run(`hold:${quote.id}`, (key) =>
      request(takeHold, { body: { quoteId: quote.id }, idempotencyKey: key }),
    ),
    quote,
  );
}

/** The chosen sailings, outward first. */
export function chosenIds({ outward, back }: Pick<Draft, 'outward' | 'back'>): string[] {
  return [outward, back].filter((sailing) => sailing !== null).map(({ id }) => id);
}

/** Grants more time once; fails with hold_not_extendable or hold_expired. */
export async function extendHold(id: string): Promise<void> {
  const hold = await writes.run(`more-time:${id}`, (key) =>
    request(changeHold, { params: { id }, body: {}, idempotencyKey: key }),
  );
  changeDraft({ hold: toHeldPlaces(hold) });
}

/** The server's clock decides, whatever this device thinks the time is. */
export function serverNow({ clockOffset }: Pick<HeldPlaces, 'clockOffset'>): number {
  return Date.now() + clockOffset;
}

export function clockOffsetOf(asOf: string): number {
  return Date.parse(asOf) - Date.now();
}

function toHeldPlaces({ id, expiresAt, canExtend, asOf }: Hold): HeldPlaces {
  return { id, expiresAt, canExtend, clockOffset: clockOffsetOf(asOf) };
}

/** Whether the places are no longer held, by the server's clock. */
export function isOver(hold: HeldPlaces): boolean {
  return serverNow(hold) >= Date.parse(hold.expiresAt);
}

function noteHold(hold: Hold, quote: Quote): void {
  changeDraft({ hold: toHeldPlaces(hold), quote, lapse: null, refusal: null });
}

async function swapHold(holdId: string, quote: Quote): Promise<void> {
  try {
    const purpose = `hold:${holdId}:${quote.id}`;
    noteHold(
      await writes.run(purpose, (key) =>
        request(changeHold, { params: { id: holdId }, body: { quoteId: quote.id }, idempotencyKey: key }),
      ),
      quote,
    );
  } catch (error) {
    if (!hasErrorCode(error, 'hold_expired') && !hasErrorCode(error, 'not_found')) throw error;
    await takeNewHold(quote);
  }
}

/** Another sailing after the order was made is another order: the unpaid one must not keep its places. */
async function giveUpOrder(orderId: string): Promise<void> {
  try {
    await writes.run(`cancel:${orderId}`, (key) =>
      request(cancelOrder, { params: { id: orderId }, idempotencyKey: key }),
    );
  } catch (error) {
    if (!hasErrorCode(error, 'not_found') && !hasErrorCode(error, 'order_closed')) throw error;
  }
  changeDraft({ orderId: null, paymentId: null, hold: null, quote: null });
}
