import type { QueryClient } from '@tanstack/react-query';
import * as orders from '#contract/orders/endpoints.ts';
import { declineErrors, presentDecline } from '#contract/payments/declines.ts';
import { getPayment } from '#contract/payments/endpoints.ts';
import { importProvider } from '#web/features/payment/import-provider.ts';
import { createPayment, type Payment, type SentPayment } from '#web/features/payment/payment.ts';
import {
  LIKELY_PAID,
  type PaymentAnswer,
  READY,
  SENT,
  UNKNOWN,
} from '#web/features/payment/payment-machine.ts';
import { fetchIntentStatus, type ProviderStatus } from '#web/features/payment/provider-status.ts';
import { isRefusal, refusalText } from '#web/features/payment/refusal.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { Order, StartedPayment } from '#web/platform/api/types.ts';
import { isAnswered } from '#web/platform/idempotency/idempotent-writes.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { changeDraft, draftStore } from '../draft.ts';
import { writes } from '../writes.ts';
import { findPhase } from './payment-phase.ts';
import type { TripCardPart } from './trip-card-part.ts';

/** How an order is to be paid. `part`: what a trip card pays of it once the payment card has paid. */
export type OrderPaymentInput =
  | { method: 'new-card'; saveCard: boolean; part: TripCardPart }
  | { method: 'saved-card'; paymentCardId: string; part: TripCardPart }
  | { method: 'trip-card'; tripCardId: string };

export type OrderPayment = Payment<OrderPaymentInput, void> & {
  orderId: string;
  refresh: () => void;
  /** Starts a payment, or continues the one under way, also after a reload. */
  start: (part: TripCardPart) => Promise<StartedPayment>;
};

type Answer = PaymentAnswer<void>;

const CHECK_EVERY_MS = 1500;
const NOT_CHARGED = declineErrors.payment_failed.message;
const NOT_AUTHENTICATED = presentDecline('payment_intent_authentication_failure').message;
const PAID: Answer = { kind: 'paid', result: undefined };

/** Paying an order. What must survive a reload is in the draft. */
export function createOrderPayment(orderId: string, client: QueryClient): OrderPayment {
  const { queryKey } = orderQuery(orderId);
  let started: { clientSecret: string; part: TripCardPart } | null = null;
  /** Whether the card is to be saved, as the server knows it; null if it must be told again. */
  let agreedToSave: boolean | null = false;
  let input: OrderPaymentInput | null = null;
  /** The payment that was sent; null: it has no id yet. Undefined: sent before a reload, or by another tab. */
  let sentId: string | null | undefined;

  function refresh(): void {
    void client.invalidateQueries({ queryKey });
  }

  async function start(part: TripCardPart): Promise<StartedPayment> {
    const payment = await startOrderPayment(orderId, part).catch((error: unknown) => {
      if (isAnswered(error)) refresh();
      throw error;
    });
    refresh();
    if (payment.clientSecret !== started?.clientSecret) agreedToSave = false;
    started = { clientSecret: payment.clientSecret, part };
    return payment;
  }

  async function chargeSavedCard(paymentCardId: string, part: TripCardPart): Promise<Answer> {
    try {
      const purpose = `saved-card:${paymentCardId}:${purposeOf(orderId, part)}`;
      const { id, status, clientSecret } = await writes.run(purpose, (key) =>
        startPayment(orderId, key, { paymentCardId, ...part }),
      );
      changeDraft({ paymentId: id });
      sentId = id;
      if (status === 'requires_action') return { kind: 'bank', clientSecret };
      return status === 'created' ? UNKNOWN : LIKELY_PAID;
    } catch (error) {
      if (hasErrorCode(error, 'already_paid')) return LIKELY_PAID;
      if (!isAnswered(error) || hasErrorCode(error, 'payment_in_progress')) return UNKNOWN;
      return { kind: 'refused', text: errorText(error) };
    }
  }

  async function chargeTripCard(tripCardId: string): Promise<Answer> {
    try {
      const { id } = await payWhole(orderId, tripCardId);
      changeDraft({ paymentId: id });
      sentId = id;
      return LIKELY_PAID;
    } catch (error) {
      if (!isAnswered(error)) return UNKNOWN;
      // The order was paid or ended elsewhere.
      if (hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress')) refresh();
      return { kind: 'refused', text: errorText(error) };
    }
  }

  async function check({ isLikelyPaid, fetchStatus }: SentPayment, signal: AbortSignal): Promise<Answer> {
    const order = client.getQueryData(queryKey);
    if (sentId === undefined) {
      const known = draftStore.get().paymentId ?? order?.payments.at(-1)?.id ?? null;
      // A payment by trip card alone has no id before its answer; any other is not the one that was sent.
      sentId = wholeUnderWay(orderId, order) === null ? known : null;
    }
    const askProvider = fetchStatus ?? (() => askProviderAgain(orderId, order));
    if (sentId === null) {
      const phase = findPhase(await request(orders.getOrder, { params: { id: orderId }, signal }));
      if (phase === 'done') return PAID;
      const isFailed = phase === 'lapsed' || (await askProvider()) === 'failed';
      return isFailed ? { kind: 'refused', text: NOT_CHARGED } : UNKNOWN;
    }
    const { status, failure } = await request(getPayment, {
      params: { id: orderId, payment_id: sentId },
      signal,
    });
    if (status === 'succeeded') return PAID;
    // The server may not know of this try yet, only of the one before: the provider does.
    if (isLikelyPaid || (await askProvider()) !== 'failed') return UNKNOWN;
    return { kind: 'refused', text: (status === 'failed' && failure?.message) || NOT_CHARGED };
  }

  const payment = createPayment<OrderPaymentInput, void>(
    {
      expired: 'This payment is no longer open. You have not been charged. Please enter your card again.',
      prepare: async (asked) => {
        if (asked.method !== 'new-card' || asked.saveCard === agreedToSave) return null;
        const { saveCard, part } = asked;
        const purpose = `saving:${saveCard}:${purposeOf(orderId, part)}`;
        // Also reserves the trip card's part again if a decline released it.
        return (await writes.run(purpose, (key) => startPayment(orderId, key, { saveCard, ...part })))
          .clientSecret;
      },
      charge: (asked) => {
        if (asked.method === 'saved-card') return chargeSavedCard(asked.paymentCardId, asked.part);
        return asked.method === 'trip-card' ? chargeTripCard(asked.tripCardId) : Promise.resolve(UNKNOWN);
      },
      openBank: authenticate,
      check,
      checkAfter: () => CHECK_EVERY_MS,
      markSent: (asked) => {
        input = asked;
        if (asked.method === 'new-card') agreedToSave = asked.saveCard;
        changeDraft({ isPaymentOpen: true, ...(asked.method === 'trip-card' && { paymentId: null }) });
        sentId = draftStore.get().paymentId;
      },
      markUnsent: () => {
        changeDraft({ isPaymentOpen: false });
        if (input?.method !== 'new-card' || !input.part) return;
        // A decline releases the trip card's part: it must be reserved again, here or after a reload.
        agreedToSave = null;
        endOrderPayment(orderId, input.part);
      },
      end: () => {
        changeDraft({ isPaymentOpen: false });
        endOrderPayment(orderId, started?.part ?? null);
        void client.invalidateQueries({ queryKey: ['started-payment', orderId] });
      },
      refresh,
    },
    draftStore.get().isPaymentOpen ? SENT : READY,
  );
  return { ...payment, orderId, start, refresh };
}

/** The next start makes another payment. */
export function endOrderPayment(orderId: string, part: TripCardPart): void {
  writes.end(purposeOf(orderId, part));
}

function startOrderPayment(orderId: string, part: TripCardPart): Promise<StartedPayment> {
  return writes.open(purposeOf(orderId, part), async (key) => {
    const payment = await startPayment(orderId, key, { ...part });
    changeDraft({ paymentId: payment.id });
    return payment;
  });
}

type CardInput = Omit<InputOf<typeof orders.startPayment>['body'], 'method'>;

async function startPayment(orderId: string, key: string, input: CardInput): Promise<StartedPayment> {
  const started = await request(orders.startPayment, {
    params: { id: orderId },
    body: { method: 'card', ...input },
    idempotencyKey: key,
  });
  // A payment with a card always has one.
  return { ...started, clientSecret: started.clientSecret ?? '' };
}

async function authenticate(clientSecret: string): Promise<Answer> {
  const stripe = await importProvider().catch(() => null);
  if (stripe === null) {
    const text = 'Your bank’s page could not load. You have not been charged. Please try again.';
    return { kind: 'refused', text };
  }
  try {
    const { error } = await stripe.handleNextAction({ clientSecret });
    if (!error) return LIKELY_PAID;
    if (isRefusal(error)) return { kind: 'refused', text: refusalText(error) };
  } catch {
    // No answer says nothing about the payment: the provider is asked.
  }
  const isFailed = (await fetchIntentStatus(stripe, clientSecret)) === 'failed';
  return isFailed ? { kind: 'refused', text: NOT_AUTHENTICATED } : UNKNOWN;
}

/** What the provider says about the order's payment, for a page that was reloaded. */
async function askProviderAgain(orderId: string, order: Order | undefined): Promise<ProviderStatus> {
  const tripCardId = wholeUnderWay(orderId, order);
  if (tripCardId !== null) return askAboutWhole(orderId, tripCardId);
  const { tripCardPart } = draftStore.get();
  const part = tripCardPart?.tripCardAmount === order?.total ? null : tripCardPart;
  try {
    const [stripe, payment] = await Promise.all([importProvider(), startOrderPayment(orderId, part)]);
    return await fetchIntentStatus(stripe, payment.clientSecret);
  } catch (error) {
    return hasErrorCode(error, 'already_paid') ? 'paid' : 'unknown';
  }
}

/** Pays all of an order by trip card. After a lost answer the next try repeats the same payment. */
function payWhole(orderId: string, tripCardId: string) {
  return writes.run(wholePurposeOf(orderId, tripCardId), (key) =>
    request(orders.startPayment, {
      params: { id: orderId },
      body: { method: 'trip_card', tripCardId },
      idempotencyKey: key,
    }),
  );
}

/** The trip card this tab has paid the whole order with, until the outcome is known. */
function wholeUnderWay(orderId: string, order: Order | undefined): string | null {
  const { tripCardPart: part, idempotencyKeys, isPaymentOpen } = draftStore.get();
  if (!isPaymentOpen || !part || part.tripCardAmount !== order?.total) return null;
  return idempotencyKeys[wholePurposeOf(orderId, part.tripCardId)] === undefined ? null : part.tripCardId;
}

/** Repeats the payment under its key, which is executed once: the only way to learn whether the first try arrived. */
async function askAboutWhole(orderId: string, tripCardId: string): Promise<ProviderStatus> {
  try {
    await payWhole(orderId, tripCardId);
    return 'paid';
  } catch (error) {
    if (hasErrorCode(error, 'already_paid')) return 'paid';
    return isAnswered(error) ? 'failed' : 'unknown';
  }
}

function wholePurposeOf(orderId: string, tripCardId: string): string {
  return `trip-card:${orderId}:${tripCardId}`;
}

function purposeOf(orderId: string, part: TripCardPart): string {
  const whole = `payment:${orderId}`;
  return part ? `${whole}:${part.tripCardId}:${part.tripCardAmount}` : whole;
}
