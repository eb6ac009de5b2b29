import { readFareCard, takeFare } from '#contract/gate/fares/endpoints.ts';
import type { FareCard, FareParty, GateFares, TakenFare } from '#contract/gate/fares/schemas.ts';
import { isShownCard, readCodeCard } from '#domain/boarding/decide-fare.ts';
import { parseTripCardCode, type ScannedCard } from '#domain/trip-cards/trip-card-code.ts';
import { ApiError, hasErrorCode } from '#web/platform/api/api-error.ts';
import { requestVerbatim } from '#web/platform/api/request.ts';
import { createStore, type ReadableStore } from '#web/platform/create-store.ts';
import { isOutcomeKnown } from '#web/platform/idempotency/idempotent-writes.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { checkSignature } from '../device/check-signature.ts';
import type { GateDevice } from '../device/gate-device.ts';
import { listOfflineFares } from './offline-fares.ts';

/** Why a card that was shown cannot be read. */
export type CardProblem = 'damaged' | 'forged' | 'unknown_key' | 'unknown_card' | 'needs_connection';

/** A trip card or pass that was shown at the gate. */
export type ShownFare = {
  /** Differs for every scan. */
  id: number;
  text: string;
  /** Null while it is read, and if there is a problem. */
  card: FareCard | null;
  /** What may still be taken without a connection, in the card's unit; null: there is a connection. */
  left: number | null;
  /** There is no connection, and an earlier fare of the card got no answer: it may have been taken. */
  isMaybeTaken: boolean;
  problem: CardProblem | null;
};

type FareToCharge = { sailingId: string; passengers: FareParty; amount: number; device: string };

/** A fare whose charge has been sent. */
type Attempt = { cardId: string; body: FareToCharge & { card: string }; idempotencyKey: string };

export type Fares = {
  shown: ReadableStore<ShownFare | null>;
  /**
   * Shows a scanned or typed text as a fare, unless it is shown already or a fare is being charged. Returns whether it is
   * one.
   */
  take(text: string): boolean;
  /** Charges the card. A repeat after a lost answer continues the same sale, also with another code of the card. */
  charge(shown: ShownFare & { card: FareCard }, fare: FareToCharge): Promise<TakenFare>;
  dismiss(): void;
};

/** For this long the server is asked. In milliseconds. */
const ANSWER_MS = 3000;

/** Reads trip cards and passes that people without tickets show. */
export function openFares(device: GateDevice): Fares {
  const shown = createStore<ShownFare | null>(null);
  /** Charges whose outcome is unknown. */
  const attempts = new Map<string, Attempt>();
  let isCharging = false;
  let count = 0;

  async function charge(
    { card, text }: ShownFare & { card: FareCard },
    fare: FareToCharge,
  ): Promise<TakenFare> {
    const purpose = JSON.stringify([card.id, fare]);
    const attempt = attempts.get(purpose) ?? {
      ...{ body: { ...fare, card: text }, idempotencyKey: crypto.randomUUID() },
      cardId: card.id,
    };
    attempts.set(purpose, attempt);
    isCharging = true;
    try {
      const { body, idempotencyKey } = attempt;
      const taken = await requestVerbatim(takeFare, { body, idempotencyKey });
      attempts.delete(purpose);
      return taken;
    } catch (error) {
      if (isOutcomeKnown(error)) attempts.delete(purpose);
      throw error;
    } finally {
      isCharging = false;
    }
  }

  async function read(fare: ShownFare): Promise<void> {
    const result = await readShownCard(fare.text, device);
    const isMaybeTaken =
      result.left !== null && [...attempts.values()].some(({ cardId }) => cardId === result.card?.id);
    shown.set((now) => (now?.id === fare.id ? { ...fare, ...result, isMaybeTaken } : now));
  }

  return {
    shown,
    take(text) {
      const isFare = isShownCard(text);
      const shortest = parseTripCardCode(text)?.text ?? text;
      const before = shown.get();
      if (isFare && (isCharging || (before?.text === shortest && before.problem === null))) return true;
      count += 1;
      const fare = isFare
        ? { id: count, text: shortest, card: null, left: null, isMaybeTaken: false, problem: null }
        : null;
      shown.set(fare);
      if (fare) void read(fare);
      return isFare;
    },
    charge,
    dismiss: () => shown.set(null),
  };
}

type Read = Pick<ShownFare, 'card' | 'left' | 'problem'>;

const stop = (problem: CardProblem): Read => ({ card: null, left: null, problem });

async function readShownCard(text: string, device: GateDevice): Promise<Read> {
  const code = parseTripCardCode(text);
  const { pack, isOffline } = device.state.get();
  if (code !== null) {
    const signature = await checkSignature(code, pack?.keys ?? []);
    if (signature !== 'genuine') return stop(signature);
  } else if (!/^[\d\s-]+$/.test(text)) return stop('damaged');
  const answer = isOffline ? null : await askServer(text);
  return answer ?? readOffline(code, pack?.fares);
}

/** Null without an answer. */
async function askServer(text: string): Promise<Read | null> {
  try {
    const card = await requestVerbatim(readFareCard, { body: { card: text }, timeoutMs: ANSWER_MS });
    return { card, left: null, problem: null };
  } catch (error) {
    if (hasErrorCode(error, 'unknown_trip_card')) return stop('unknown_card');
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Without a connection a card is as its code says, less what this device has taken since. */
function readOffline(code: ScannedCard | null, fares: GateFares | undefined): Read {
  if (code === null || fares === undefined) return stop('needs_connection');
  const card = readCodeCard(code, fares);
  const taken = listOfflineFares(card.id, serverNow());
  const sumSince = (since: number) =>
    taken.reduce((total, { amount, at }) => total + (at >= since ? amount : 0), 0);
  return {
    card: { ...card, balance: card.balance - sumSince(code.fields.madeMinute * 60_000) },
    left: fares.offline_limits[card.unit] - sumSince(0),
    problem: null,
  };
}
