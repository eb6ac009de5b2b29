import { useQueryClient } from '@tanstack/react-query';
import { changeHold, takeHold } from '#contract/orders/buy/endpoints.ts';
import type { LegName } from '#contract/orders/buy/legs.ts';
import { cancelOrder } from '#contract/orders/endpoints.ts';
import { message } from '#messages/translate.ts';
import { buyerProof } from '#web/features/order/buyer-proof.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Hold, Quote, QuoteRequest } from '#web/platform/api/types.ts';
import { type Journey, listSailings } from '#web/platform/query/journey.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { type Draft, type HeldPlaces, type Purchase, usePurchase } from './purchase.ts';
import { offerQuery } from './sailings/queries.ts';
import { type Refusal, readRefusal } from './sailings/refusal.ts';
import { type StepProps, useGoToStep } from './steps.ts';
import { buildQuoteRequest, currentTripSearch } from './trip/trip-search.ts';

export const HOLD_EXPIRED = message('Your hold expired. Your trip is still here. Tap Continue to try again.');

/** Holds the places of a quote, instead of those held until now. */
export async function holdPlaces(purchase: Purchase, quote: Quote): Promise<void> {
  const { hold, quote: heldQuote, orderId } = purchase.get();
  if (hold !== null && heldQuote?.id === quote.id && !isExpired(hold)) return;
  if (orderId !== null) {
    // Another sailing makes another order, and the unpaid one must not keep its places.
    await cancelUnpaidOrder(purchase, orderId).catch((error: unknown) => {
      const codes = ['not_found', 'order_closed', 'change_not_allowed'] as const;
      if (!codes.some((code) => hasErrorCode(error, code))) throw error;
    });
    purchase.change({ orderId: null, buyerSecret: null, paymentId: null, hold: null, quote: null });
  }
  const id = orderId === null && hold !== null ? hold.id : null;
  if (id === null) return takeNewHold(purchase, quote);
  try {
    const swapped = await purchase.writes.run(`hold:${id}:${quote.id}`, (idempotencyKey) =>
      request(changeHold, { params: { id }, body: { quoteId: quote.id }, idempotencyKey }),
    );
    adoptHold(purchase, swapped, quote);
  } catch (error) {
    if (!isHoldOver(error)) throw error;
    await takeNewHold(purchase, quote);
  }
}

/** The chosen sailings as a quote requests them. Only trips with a transfer name their legs. */
export function chosenLegs({ outward, back }: Draft): QuoteRequest['legs'] {
  const legs = [
    ...nameSailings(outward, ['out', 'out_onward']),
    ...nameSailings(back, ['back', 'back_onward']),
  ];
  return outward?.transfer || back?.transfer ? legs : legs.map(({ sailingId }) => ({ sailingId }));
}

function nameSailings(journey: Journey | null, names: readonly [LegName, LegName]) {
  const sailings = journey === null ? [] : listSailings(journey);
  return sailings.map(({ id }, index) => ({ sailingId: id, leg: names[index] }));
}

/** @throws {ApiError} hold_not_extendable, hold_expired */
export async function extendHold({ writes, change }: Purchase, id: string): Promise<void> {
  const hold = await writes.run(`more-time:${id}`, (idempotencyKey) =>
    request(changeHold, { params: { id }, body: {}, idempotencyKey }),
  );
  change({ hold: toHeldPlaces(hold) });
}

/** The server's time in milliseconds, as its answer about the hold had it. */
export function readHoldClock({ clockOffset }: HeldPlaces): number {
  return Date.now() + clockOffset;
}

export function toHeldPlaces({
  id,
  expiresAt,
  canExtend,
  asOf,
}: Pick<Hold, 'expiresAt' | 'canExtend' | 'asOf'> & Pick<HeldPlaces, 'id'>): HeldPlaces {
  return { id, expiresAt, canExtend, clockOffset: Date.parse(asOf) - Date.now() };
}

/** By the server's clock. */
export function isExpired(hold: HeldPlaces): boolean {
  return readHoldClock(hold) >= Date.parse(hold.expiresAt);
}

/** The places of a saved order are no longer held. */
export function isHoldOver(error: unknown): boolean {
  return hasErrorCode(error, 'hold_expired') || isHoldLost(error);
}

/** The server does not know the hold: a crash of its database may lose the most recent ones. */
export function isHoldLost(error: unknown): boolean {
  return hasErrorCode(error, 'not_found');
}

/**
 * Holds the places of the draft again, at the current price.
 * @returns their quote, whose total may differ from the one shown before
 * @throws {ApiError} sold_out, sales_closed, sailing_canceled
 */
export function useHoldAgain({ catalogue, today }: StepProps): () => Promise<Quote> {
  const { units } = useSettings();
  const client = useQueryClient();
  const purchase = usePurchase();

  async function fetchQuote(): Promise<Quote> {
    const draft = purchase.get();
    const trip = currentTripSearch(draft.trip, catalogue, today);
    const request = buildQuoteRequest(catalogue, trip, units, chosenLegs(draft), draft.fareClass ?? '');
    return (await client.fetchQuery({ ...offerQuery(request), staleTime: 0 })).quote;
  }

  return async () => {
    const { quote } = purchase.get();
    if (quote === null) throw new Error('There is no quote to hold places for.');
    try {
      await takeNewHold(purchase, quote);
      return quote;
    } catch (error) {
      const refusal = readRefusal(error);
      if (refusal.kind !== 'price_changed') throw error;
      const fresh = refusal.quote ?? (await fetchQuote());
      await takeNewHold(purchase, fresh);
      return fresh;
    }
  };
}

/** Drops the hold and the order, and leads back to the sailings, which show why. Choices and details stay. */
export function useReturnToSailings(): (notice: string | null, refusal?: Refusal | null) => void {
  const purchase = usePurchase();
  const goToStep = useGoToStep();
  return (notice, refusal = null) => {
    purchase.change({
      hold: null,
      quote: null,
      orderId: null,
      buyerSecret: null,
      orderContact: null,
      paymentId: null,
      tripCardPart: null,
      isPaymentOpen: false,
      idempotencyKeys: {},
      notice,
      refusal,
    });
    goToStep(purchase.get().hasSearched ? 'sailings' : 'trip', { replace: true });
  };
}

/** The same if the places cannot be had as chosen. @returns false for any other error */
export function useChooseAgain(): (error: unknown) => boolean {
  const client = useQueryClient();
  const returnToSailings = useReturnToSailings();
  return (error) => {
    const refusal = readRefusal(error);
    if (refusal.kind !== 'sold_out' && refusal.kind !== 'sailing_gone') return false;
    void client.invalidateQueries({ queryKey: ['sailings'] });
    returnToSailings(null, refusal);
    return true;
  };
}

async function takeNewHold(purchase: Purchase, quote: Quote): Promise<void> {
  const hold = await purchase.writes.run(`hold:${quote.id}`, (idempotencyKey) =>
    request(takeHold, { body: { quoteId: quote.id }, idempotencyKey }),
  );
  adoptHold(purchase, hold, quote);
}

function adoptHold({ change }: Purchase, hold: Hold, quote: Quote): void {
  change({ hold: toHeldPlaces(hold), quote, notice: null, refusal: null });
}

export function cancelUnpaidOrder({ get, writes }: Purchase, orderId: string): Promise<unknown> {
  const body = buyerProof(get().buyerSecret);
  return writes.run(`cancel:${orderId}`, (idempotencyKey) =>
    request(cancelOrder, { params: { id: orderId }, body, idempotencyKey }),
  );
}
