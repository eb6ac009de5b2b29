import type { QueryClient } from '@tanstack/react-query';
import { buyPass } from '#contract/passes/endpoints.ts';
import { declineTexts } from '#contract/payments/declines.ts';
import { getTopUp, startTopUp } from '#contract/trip-cards/endpoints.ts';
import { createPayment, type Payment } from '#web/features/payment/payment.ts';
import { type PaymentAnswer, READY, SENT, UNKNOWN } from '#web/features/payment/payment-machine.ts';
import { fetchIntentStatus, importProvider, type ProviderStatus } from '#web/features/payment/provider.ts';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { StartedTopUp, TopUp } from '#web/platform/api/types.ts';
import { readStoredJson, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { createStore, type ReadableStore } from '#web/platform/create-store.ts';
import {
  createIdempotentWrites,
  type IdempotencyKeys,
  isOutcomeKnown,
} from '#web/platform/idempotency/idempotent-writes.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';
import { refreshTripCards } from '../queries.ts';

export type TopUpInput = {
  /** The code of the pass that is bought; null: the amount goes on a card with money. */
  passCode: string | null;
  /** The amount to charge. */
  amount: number;
  /** A saved card; null if a new card is entered. */
  paymentCardId: string | null;
  saveCard: boolean;
};

/** A top-up whose outcome is unknown to this page. Holds no secret and no card data. */
export type PendingTopUp = TopUpInput & {
  /** Null before the server has named the card of a pass. */
  tripCardId: string | null;
  topUpId: string | null;
  /** It may have been paid, so it must not be paid again. */
  isSent: boolean;
  idempotencyKeys: IdempotencyKeys;
};

type Answer = PaymentAnswer<TopUp>;

export type TopUpPayment = Payment<TopUpInput, TopUp> & {
  /** The top-up under way; null while its amount is being chosen. */
  pending: ReadableStore<PendingTopUp | null>;
  /** Charges the saved card, or opens the form for a new card. Ignored during another payment. */
  begin: (input: TopUpInput) => void;
  /** Starts or continues the top-up, under one idempotency key. */
  start: () => Promise<StartedTopUp>;
};

const KEY = 'trip-card-top-up';
const PURPOSE = 'top-up';
const CHECK_EVERY_MS = 1500;
/** A request without an answer is repeated with growing pauses. */
const REPEAT_AFTER_MS = 3000;
const REPEAT_AT_LEAST_EVERY_MS = 30_000;

const NOT_CHARGED = declineTexts.payment_failed;

/**
 * The payment of a top-up, or of a pass. What must survive a reload is in the tab's storage.
 * @param cardId null for a pass, whose card the server finds or makes
 */
export function createTopUpPayment(
  cardId: string | null,
  client: QueryClient,
  onPaid: (input: TopUpInput) => void,
): TopUpPayment {
  const pending = createStore(findPendingTopUp(cardId));
  const writes = createIdempotentWrites({
    get: () => pending.get()?.idempotencyKeys ?? {},
    set: (idempotencyKeys) => update({ idempotencyKeys }),
  });
  /** Not stored: after a reload the repeated request returns it again. */
  let clientSecret: string | null = null;

  function update(change: Partial<PendingTopUp>): void {
    const current = pending.get();
    if (current === null) return;
    const next = { ...current, ...change };
    savePendingTopUp(next);
    pending.set(next);
  }

  function drop(): void {
    removePendingTopUp();
    pending.set(null);
    refreshTripCards(client);
  }

  async function start(): Promise<StartedTopUp> {
    const topUp = pending.get();
    if (topUp === null) throw new Error('No top-up is under way.');
    // The key is kept even if the request is refused: that says nothing about an earlier one without an answer.
    const key = writes.getKey(PURPOSE);
    const started = await requestStart(topUp, key);
    if (pending.get()?.idempotencyKeys[PURPOSE] !== key) return started;
    clientSecret = started.clientSecret;
    update({ topUpId: started.id, tripCardId: started.tripCardId });
    // Settled in the meantime, for example in another tab: only the server knows the outcome.
    if (clientSecret === null) payment.dispatch({ type: 'sent-elsewhere' });
    return started;
  }

  async function startAndCheck(): Promise<Answer> {
    const started = await start();
    if (!isOpen(started)) return toAnswer(started);
    const { status, clientSecret: secret } = started;
    return status === 'requires_action' && secret !== null ? { kind: 'bank', clientSecret: secret } : UNKNOWN;
  }

  async function check(signal: AbortSignal): Promise<Answer> {
    const topUp = pending.get();
    if (topUp === null) return UNKNOWN;
    const { topUpId, tripCardId, paymentCardId } = topUp;
    // A refusal of the repeated request says nothing about the first one.
    if (topUpId === null || tripCardId === null) return startAndCheck().catch(() => UNKNOWN);
    const loaded = await request(getTopUp, { params: { id: tripCardId, top_up_id: topUpId }, signal });
    if (!isOpen(loaded)) return toAnswer(loaded);
    // The server may know only the previous payment attempt; the provider knows the latest.
    const [charge, secret] = await askProvider();
    if (charge === 'bank') return { kind: 'bank', clientSecret: secret };
    if (charge !== 'failed') return UNKNOWN;
    const text = loaded.failure?.message ?? t(NOT_CHARGED);
    return { kind: paymentCardId === null ? 'refused' : 'over', text };
  }

  /** The status at the provider, and the secret of the payment. */
  async function askProvider(): Promise<[ProviderStatus, string]> {
    try {
      const [stripe, secret] = await Promise.all([importProvider(), findSecret()]);
      return secret === null ? ['unknown', ''] : [await fetchIntentStatus(stripe, secret), secret];
    } catch {
      return ['unknown', ''];
    }
  }

  async function findSecret(): Promise<string | null> {
    return clientSecret ?? (await start()).clientSecret;
  }

  const payment = createPayment<TopUpInput, TopUp>(
    {
      expired: t('This payment has expired. You have not been charged. Please start again.'),
      prepare: async () => null,
      charge: () =>
        startAndCheck().catch((error: unknown) =>
          isOutcomeKnown(error) ? { kind: 'over', text: errorText(error) } : UNKNOWN,
        ),
      openBank: async (secret) => {
        await (await importProvider()).handleNextAction({ clientSecret: secret });
        return UNKNOWN;
      },
      check: (_, signal) => check(signal),
      checkAfter: (checks) =>
        pending.get()?.topUpId === null
          ? Math.min(REPEAT_AT_LEAST_EVERY_MS, REPEAT_AFTER_MS * 2 ** Math.min(checks, 8))
          : CHECK_EVERY_MS,
      markSent: () => update({ isSent: true }),
      markUnsent: () => update({ isSent: false }),
      end: drop,
      refresh: () => refreshTripCards(client),
      finish: () => {
        const paid = pending.get();
        drop();
        if (paid !== null) onPaid(paid);
      },
    },
    pending.get()?.isSent ? SENT : READY,
  );

  function begin(input: TopUpInput): void {
    payment.dispatch({ type: 'start-over' });
    if (payment.store.get().name !== 'ready') return;
    clientSecret = null;
    const topUp = { ...input, tripCardId: cardId, topUpId: null, isSent: false, idempotencyKeys: {} };
    savePendingTopUp(topUp);
    pending.set(topUp);
    payment.dispatch({ type: 'problem', problem: null });
    if (input.paymentCardId !== null) payment.dispatch({ type: 'charge', input });
  }

  return { ...payment, pending, begin, start };
}

function requestStart(
  { passCode, tripCardId, amount, paymentCardId, saveCard }: PendingTopUp,
  idempotencyKey: string,
): Promise<StartedTopUp> {
  const payWith = paymentCardId === null ? { saveCard } : { paymentCardId };
  return passCode === null
    ? request(startTopUp, {
        params: { id: tripCardId ?? '' },
        body: { amount, ...payWith },
        idempotencyKey,
      })
    : request(buyPass, { body: { code: passCode, price: amount, ...payWith }, idempotencyKey });
}

function isOpen({ status }: TopUp): boolean {
  return status === 'created' || status === 'requires_action';
}

function toAnswer(topUp: TopUp): Answer {
  if (topUp.status === 'succeeded') return { kind: 'paid', result: topUp };
  if (topUp.status === 'processing') return UNKNOWN;
  const text =
    topUp.status === 'disputed'
      ? t('Your bank reversed this payment, so the money is not on your card.')
      : (topUp.failure?.message ?? t(NOT_CHARGED));
  return { kind: 'over', text };
}

onSessionCleared(removePendingTopUp);

function savePendingTopUp(pending: PendingTopUp): void {
  writeStored(KEY, JSON.stringify(pending), 'sessionStorage');
}

function removePendingTopUp(): void {
  removeStored(KEY, 'sessionStorage');
}

/** The pending top-up of this tab, for example from before a reload. */
function findPendingTopUp(cardId: string | null): PendingTopUp | null {
  const value = readStoredJson(KEY, 'sessionStorage');
  if (!isPending(value)) return null;
  return (cardId === null ? value.passCode !== null : value.tripCardId === cardId) ? value : null;
}

function isPending(value: unknown): value is PendingTopUp {
  if (typeof value !== 'object' || value === null) return false;
  const { tripCardId, passCode, amount, isSent, idempotencyKeys } = value as Record<string, unknown>;
  return (
    (typeof tripCardId === 'string' || typeof passCode === 'string') &&
    passCode !== undefined &&
    typeof amount === 'number' &&
    typeof isSent === 'boolean' &&
    typeof idempotencyKeys === 'object' &&
    idempotencyKeys !== null
  );
}
