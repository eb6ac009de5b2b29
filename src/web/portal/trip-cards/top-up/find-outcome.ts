import { declineErrors } from '#contract/payments/declines.ts';
import { importProvider } from '#web/parts/card-form/import-provider.ts';
import { askIntent } from '#web/parts/card-form/provider-word.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { getTopUp, startTopUp } from '#web/platform/api/trip-cards.ts';
import type { StartedTopUp, TopUp } from '#web/platform/api/types.ts';
import { isAnswered } from '../use-card-action.ts';
import { keepPendingTopUp, type PendingTopUp } from './pending-top-up.ts';

export type Outcome =
  | { kind: 'paid'; topUp: TopUp }
  /** Nothing was charged. `isOver`: another try is another payment. */
  | { kind: 'unpaid'; text: string; isOver: boolean }
  /** The bank wants to see its customer. */
  | { kind: 'bank'; clientSecret: string }
  | { kind: 'unknown'; topUpId: string | null };

const NOT_CHARGED = declineErrors.payment_failed.message;

const TAKEN_BACK = 'Your bank reversed this payment, so the money is not on your card.';

/** Sends the request; the same again when it was sent before. */
export async function sendTopUp(pending: PendingTopUp): Promise<StartedTopUp> {
  const { tripCardId, key, amount, paymentCardId, saveCard } = pending;
  const wish = paymentCardId === null ? { amount, saveCard } : { amount, paymentCardId };
  const started = await startTopUp(tripCardId, wish, key);
  if (started.clientSecret !== null) secrets.set(key, started.clientSecret);
  return started;
}

/**
 * The truth about a top-up that was sent. `isRepeated`: it had been sent before, so that being refused now says
 * nothing about the first time.
 */
export async function findOutcome(
  pending: PendingTopUp,
  { isRepeated, signal }: { isRepeated: boolean; signal?: AbortSignal },
): Promise<Outcome> {
  const { tripCardId, topUpId, paymentCardId } = pending;
  if (topUpId !== null) {
    const topUp = await getTopUp(tripCardId, topUpId, { signal });
    if (!isOpen(topUp)) return outcomeOf(topUp);
    return paymentCardId === null ? askAboutNewCard(pending, topUp) : askAboutSavedCard(pending, topUp);
  }
  try {
    const started = await sendTopUp(pending);
    keepPendingTopUp({ ...pending, topUpId: started.id });
    return isOpen(started) ? outcomeOfStarted(started) : outcomeOf(started);
  } catch (error) {
    if (isRepeated || !isAnswered(error)) return { kind: 'unknown', topUpId: null };
    return { kind: 'unpaid', text: errorText(error), isOver: true };
  }
}

/** Only in memory: after a reload the same request answers it again. */
const secrets = new Map<string, string>();

async function secretOf(pending: PendingTopUp): Promise<string | null> {
  return secrets.get(pending.key) ?? (await sendTopUp(pending)).clientSecret;
}

function isOpen({ status }: TopUp): boolean {
  return status === 'created' || status === 'requires_action';
}

function outcomeOf(topUp: TopUp): Outcome {
  if (topUp.status === 'succeeded') return { kind: 'paid', topUp };
  if (topUp.status === 'processing') return { kind: 'unknown', topUpId: topUp.id };
  const text = topUp.status === 'disputed' ? TAKEN_BACK : (topUp.failure?.message ?? NOT_CHARGED);
  return { kind: 'unpaid', text, isOver: true };
}

function outcomeOfStarted({ id, status, clientSecret }: StartedTopUp): Outcome {
  return status === 'requires_action' && clientSecret !== null
    ? { kind: 'bank', clientSecret }
    : { kind: 'unknown', topUpId: id };
}

/** Our last news may be of the try before: whoever took this try knows better. */
async function askAboutNewCard(pending: PendingTopUp, { id, failure }: TopUp): Promise<Outcome> {
  if (!(await isUnpaid(pending))) return { kind: 'unknown', topUpId: id };
  return { kind: 'unpaid', text: failure?.message ?? NOT_CHARGED, isOver: false };
}

async function askAboutSavedCard(pending: PendingTopUp, { id, status, failure }: TopUp): Promise<Outcome> {
  const unknown: Outcome = { kind: 'unknown', topUpId: id };
  if (status === 'requires_action') {
    const clientSecret = await secretOf(pending).catch(() => null);
    return clientSecret === null ? unknown : { kind: 'bank', clientSecret };
  }
  if (!(await isUnpaid(pending))) return unknown;
  return { kind: 'unpaid', text: failure?.message ?? NOT_CHARGED, isOver: true };
}

async function isUnpaid(pending: PendingTopUp): Promise<boolean> {
  try {
    const [stripe, secret] = await Promise.all([importProvider(), secretOf(pending)]);
    return secret !== null && (await askIntent(stripe, secret)) === 'failed';
  } catch {
    return false;
  }
}
