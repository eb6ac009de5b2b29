import type { QueryClient } from '@tanstack/react-query';
import { getChange, startChangePayment } from '#contract/orders/change/endpoints.ts';
import * as orders from '#contract/orders/endpoints.ts';
import { declineTexts, presentDecline } from '#contract/payments/declines.ts';
import { getPayment } from '#contract/payments/endpoints.ts';
import { createPayment, type Payment, type SentPayment } from '#web/features/payment/payment.ts';
import {
  LIKELY_PAID,
  type PaymentAnswer,
  READY,
  SENT,
  UNKNOWN,
} from '#web/features/payment/payment-machine.ts';
import { fetchIntentStatus, importProvider, type ProviderStatus } from '#web/features/payment/provider.ts';
import { isRefusal, refusalText } from '#web/features/payment/provider-form.ts';
import { t } from '#web/language/texts.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { Order, StartedPayment } from '#web/platform/api/types.ts';
import { isOutcomeKnown } from '#web/platform/idempotency/idempotent-writes.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import type { Purchase, TripCardPart } from '../purchase.ts';

/** `part`: what a trip card pays once the payment card has paid. */
export type OrderPaymentInput =
  | { method: 'new-card'; saveCard: boolean; part: TripCardPart }
  | { method: 'saved-card'; paymentCardId: string; part: TripCardPart }
  | { method: 'trip-card'; part: NonNullable<TripCardPart> };

export type OrderPayment = Payment<OrderPaymentInput, void> & {
  orderId: string;
  refresh: () => void;
  /** Starts a payment, or continues the started one, also after a reload. */
  start: (part: TripCardPart) => Promise<StartedPayment>;
  /** The next start makes another payment. */
  forgetStart: (part: TripCardPart) => void;
};

type PaymentPhase = 'open' | 'checking' | 'done' | 'expired';

type Answer = PaymentAnswer<void>;

const CHECK_EVERY_MS = 1500;
const NOT_CHARGED = declineTexts.payment_failed;
const NOT_AUTHENTICATED = 'payment_intent_authentication_failure';
const PAID: Answer = { kind: 'paid', result: undefined };

/** Paying an order, or the change of the purchase. State that must survive a reload is in the purchase. */
export function createOrderPayment(purchase: Purchase, orderId: string, client: QueryClient): OrderPayment {
  const { get, change, writes } = purchase;
  const { queryKey } = orderQuery(orderId);
  const calls = createPaymentCalls(purchase, orderId);
  let started: { clientSecret: string; part: TripCardPart } | null = null;
  /** `saveCard` as the server knows it; null if it must be sent again. */
  let sentSaveCard: boolean | null = false;
  let input: OrderPaymentInput | null = null;
  /** Id of the payment that was sent; null without an id yet; undefined if sent before a reload or by another tab. */
  let sentId: string | null | undefined;

  function refresh(): void {
    void client.invalidateQueries({ queryKey });
  }

  async function start(part: TripCardPart): Promise<StartedPayment> {
    const payment = await calls.start(part).catch((error: unknown) => {
      if (isOutcomeKnown(error)) refresh();
      throw error;
    });
    refresh();
    if (payment.clientSecret !== started?.clientSecret) sentSaveCard = false;
    started = { clientSecret: payment.clientSecret, part };
    return payment;
  }

  function forgetStart(part: TripCardPart): void {
    writes.end(startPurpose(orderId, part));
  }

  /** The boat may be canceled while the form is open. Without an answer, the server looks when the payment arrives. */
  async function refuseCanceledBoat(): Promise<null> {
    const order = await request(orders.getOrder, { params: { id: orderId } }).catch(() => null);
    if (!order || !hasCanceledBoat(order)) return null;
    client.setQueryData(queryKey, order);
    throw new Error('The sailing has been canceled.');
  }

  async function chargeSavedCard(paymentCardId: string, part: TripCardPart): Promise<Answer> {
    try {
      const purpose = `saved-card:${paymentCardId}:${startPurpose(orderId, part)}`;
      const { id, status, clientSecret } = await calls.update(purpose, { paymentCardId, ...toBody(part) });
      change({ paymentId: id });
      sentId = id;
      if (status === 'requires_action') return { kind: 'bank', clientSecret };
      return status === 'created' ? UNKNOWN : LIKELY_PAID;
    } catch (error) {
      if (hasErrorCode(error, 'already_paid')) return LIKELY_PAID;
      if (!isOutcomeKnown(error) || hasErrorCode(error, 'payment_in_progress')) return UNKNOWN;
      return { kind: 'refused', text: errorText(error) };
    }
  }

  async function chargeTripCard(part: NonNullable<TripCardPart>): Promise<Answer> {
    try {
      const { id } = await calls.payByTripCard(part);
      change({ paymentId: id });
      sentId = id;
      return LIKELY_PAID;
    } catch (error) {
      if (!isOutcomeKnown(error)) return UNKNOWN;
      // The order was paid or ended elsewhere.
      if (hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress')) refresh();
      return { kind: 'refused', text: errorText(error) };
    }
  }

  async function check({ isLikelyPaid, fetchStatus }: SentPayment, signal: AbortSignal): Promise<Answer> {
    const order = client.getQueryData(queryKey);
    if (sentId === undefined) {
      const last = get().change === null ? order?.payments.at(-1)?.id : undefined;
      const lastId = get().paymentId ?? last ?? null;
      // A payment by trip card alone has no id until it is answered; the last id belongs to another payment.
      sentId = calls.findPendingTripCard(order) === null ? lastId : null;
    }
    const askProvider = fetchStatus ?? (() => calls.fetchStatus(order));
    async function askBankAgain(): Promise<Answer> {
      const { clientSecret } = started ?? (await calls.restart(order));
      return { kind: 'bank', clientSecret };
    }
    if (sentId === null) {
      const phase = await calls.fetchPhase(signal);
      if (phase === 'done') return PAID;
      const charge = phase === 'expired' ? 'failed' : await askProvider();
      if (charge === 'bank') return askBankAgain();
      return charge === 'failed' ? { kind: 'refused', text: t(NOT_CHARGED) } : UNKNOWN;
    }
    const { status, failure } = await request(getPayment, {
      params: { id: orderId, payment_id: sentId },
      signal,
    });
    if (status === 'succeeded') return PAID;
    // The server may only know the previous try, but the provider knows this one.
    const charge = isLikelyPaid ? 'paid' : await askProvider();
    if (charge === 'bank') return askBankAgain();
    if (charge !== 'failed') return UNKNOWN;
    return { kind: 'refused', text: (status === 'failed' && failure?.message) || t(NOT_CHARGED) };
  }

  const payment = createPayment<OrderPaymentInput, void>(
    {
      expired: t('This payment is no longer open. You have not been charged. Please enter your card again.'),
      prepare: async (next) => {
        if (next.method !== 'new-card') return null;
        if (next.saveCard === sentSaveCard && get().change === null) return refuseCanceledBoat();
        const { saveCard, part } = next;
        const purpose = `saving:${saveCard}:${startPurpose(orderId, part)}`;
        // Also reserves the trip card's part again if a decline released it, and refuses a change to a canceled boat.
        return (await calls.update(purpose, { saveCard, ...toBody(part) })).clientSecret;
      },
      charge: async (next) => {
        if (next.method === 'saved-card') return chargeSavedCard(next.paymentCardId, next.part);
        return next.method === 'trip-card' ? chargeTripCard(next.part) : UNKNOWN;
      },
      openBank: authenticate,
      check,
      checkAfter: () => CHECK_EVERY_MS,
      markSent: (sent) => {
        input = sent;
        if (sent.method === 'new-card') sentSaveCard = sent.saveCard;
        change({ isPaymentOpen: true, ...(sent.method === 'trip-card' && { paymentId: null }) });
        sentId = get().paymentId;
      },
      markUnsent: () => {
        change({ isPaymentOpen: false });
        if (input?.method !== 'new-card' || !input.part) return;
        // A decline releases the trip card's part, which must be reserved again, here or after a reload.
        sentSaveCard = null;
        forgetStart(input.part);
      },
      end: () => {
        change({ isPaymentOpen: false });
        forgetStart(started === null ? get().tripCardPart : started.part);
        void client.invalidateQueries({ queryKey: ['started-payment', orderId] });
      },
      refresh,
    },
    get().isPaymentOpen ? SENT : READY,
  );
  return { ...payment, orderId, start, forgetStart, refresh };
}

/** Whether a boat of an unpaid order does not run, so that it must not be paid. */
export function hasCanceledBoat({ legs }: Order): boolean {
  return legs.some(({ status }) => status === 'canceled');
}

export function findPhase({ status, paymentStatus }: Order): PaymentPhase {
  if (status === 'expired' || status === 'canceled') {
    // The confirmation explains an order that was canceled after it was paid.
    return paymentStatus === 'none' || paymentStatus === 'failed' ? 'expired' : 'done';
  }
  if (status !== 'held' && status !== 'awaiting_payment') return 'done';
  return paymentStatus === 'processing' ? 'checking' : 'open';
}

/** The calls of a payment whose idempotency keys survive a reload. */
function createPaymentCalls({ get, change, writes }: Purchase, orderId: string) {
  let lastSent: Promise<unknown> = Promise.resolve();

  /** Waits until the previous call is answered: each closes the payment of another choice, so the last choice comes last. */
  function send(body: StartBody, idempotencyKey: string) {
    const sent = lastSent.then(() => sendNow(body, idempotencyKey));
    lastSent = sent.catch(() => undefined);
    return sent;
  }

  function sendNow(body: StartBody, idempotencyKey: string) {
    const { change: changed } = get();
    return changed === null
      ? request(orders.startPayment, { params: { id: orderId }, body, idempotencyKey })
      : request(startChangePayment, {
          params: { id: orderId, change_id: changed.id },
          body,
          idempotencyKey,
        });
  }

  async function startByCard(idempotencyKey: string, input: CardInput): Promise<StartedPayment> {
    const started = await send({ method: 'card', ...input }, idempotencyKey);
    // A payment with a card always has one.
    return { ...started, clientSecret: started.clientSecret ?? '' };
  }

  /** Of the order, or of its change. */
  async function fetchPhase(signal: AbortSignal): Promise<PaymentPhase> {
    const { change: changed } = get();
    if (changed === null)
      return findPhase(await request(orders.getOrder, { params: { id: orderId }, signal }));
    const params = { id: orderId, change_id: changed.id };
    const { status } = await request(getChange, { params, signal });
    if (status === 'done') return 'done';
    return status === 'held' || status === 'awaiting_payment' ? 'open' : 'expired';
  }

  function getTotal(order: Order | undefined): number | undefined {
    return get().change?.difference ?? order?.total;
  }

  function start(part: TripCardPart): Promise<StartedPayment> {
    return writes.open(startPurpose(orderId, part), async (key) => {
      const payment = await startByCard(key, toBody(part));
      change({ paymentId: payment.id });
      return payment;
    });
  }

  /** Changes the started payment. */
  function update(purpose: string, input: CardInput): Promise<StartedPayment> {
    return writes.run(purpose, (key) => startByCard(key, input));
  }

  /** Pays all of an order. After a lost answer, the next try repeats the same payment. */
  function payByTripCard({ tripCardId, trips }: NonNullable<TripCardPart>) {
    return writes.run(tripCardPurpose(orderId, tripCardId), (idempotencyKey) =>
      send({ method: 'trip_card', tripCardId, ...(trips === undefined ? {} : { trips }) }, idempotencyKey),
    );
  }

  /** The trip card this tab has paid the whole order with, if the outcome is not known. */
  function findPendingTripCard(order: Order | undefined): TripCardPart {
    const { tripCardPart: part, idempotencyKeys, isPaymentOpen } = get();
    if (!isPaymentOpen || !part || part.tripCardAmount !== getTotal(order)) return null;
    return tripCardPurpose(orderId, part.tripCardId) in idempotencyKeys ? part : null;
  }

  /** The outcome of the order's payment after a reload. */
  async function fetchStatus(order: Order | undefined): Promise<ProviderStatus> {
    const pending = findPendingTripCard(order);
    if (pending !== null) return repeatTripCardPayment(pending);
    try {
      const [stripe, payment] = await Promise.all([importProvider(), restart(order)]);
      return await fetchIntentStatus(stripe, payment.clientSecret);
    } catch (error) {
      return hasErrorCode(error, 'already_paid') ? 'paid' : 'unknown';
    }
  }

  /** The payment by card that this tab has started, as before a reload. */
  function restart(order: Order | undefined): Promise<StartedPayment> {
    const { tripCardPart } = get();
    return start(tripCardPart?.tripCardAmount === getTotal(order) ? null : tripCardPart);
  }

  /** Only a repetition under the same key, which is executed once, shows whether the first try arrived. */
  async function repeatTripCardPayment(part: NonNullable<TripCardPart>): Promise<ProviderStatus> {
    try {
      await payByTripCard(part);
      return 'paid';
    } catch (error) {
      if (hasErrorCode(error, 'already_paid')) return 'paid';
      return isOutcomeKnown(error) ? 'failed' : 'unknown';
    }
  }

  return { start, restart, update, payByTripCard, findPendingTripCard, fetchStatus, fetchPhase };
}

type StartBody = InputOf<typeof orders.startPayment>['body'];
type CardInput = Omit<StartBody, 'method'>;

async function authenticate(clientSecret: string): Promise<Answer> {
  const stripe = await importProvider().catch(() => null);
  if (stripe === null) {
    const text = t('Your bank’s page could not load. You have not been charged. Please try again.');
    return { kind: 'refused', text };
  }
  try {
    const { error } = await stripe.handleNextAction({ clientSecret });
    if (!error) return LIKELY_PAID;
    if (isRefusal(error)) return { kind: 'refused', text: refusalText(error) };
  } catch {
    // Without an answer, only the provider knows the outcome.
  }
  const isFailed = (await fetchIntentStatus(stripe, clientSecret)) === 'failed';
  return isFailed ? { kind: 'refused', text: presentDecline(t, NOT_AUTHENTICATED).message } : UNKNOWN;
}

/** The part as the server takes it: an amount of money, or trips. */
function toBody(part: TripCardPart): CardInput {
  if (part === null) return {};
  const { tripCardId, tripCardAmount, trips } = part;
  return trips === undefined ? { tripCardId, tripCardAmount } : { tripCardId, trips };
}

function tripCardPurpose(orderId: string, tripCardId: string): string {
  return `trip-card:${orderId}:${tripCardId}`;
}

function startPurpose(orderId: string, part: TripCardPart): string {
  const purpose = `payment:${orderId}`;
  return part ? `${purpose}:${part.tripCardId}:${part.tripCardAmount}` : purpose;
}
