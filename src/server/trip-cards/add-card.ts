import { createHash, randomInt } from 'node:crypto';
import { and, count, eq, isNull, ne } from 'drizzle-orm';
import type { AddTripCard, ChangeTripCard } from '#contract/trip-cards/schemas.ts';
import { createTripCardNumber, parseTripCardNumber } from '#domain/trip-card-number.ts';
import { requireLockedCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { forgiveHits, HOUR_SECONDS } from '../http/rate-limit.ts';
import { newId } from '../ids.ts';
import { operatorOf } from '../sailings/operator.ts';
import { hashPassword } from '../security/password-hash.ts';
import { type PasswordCaller, verifyGuess } from '../security/password-limits.ts';
import { isDemoTripCard } from './demo-numbers.ts';
import { lockCard, lockOwnCard, requireNotLost, type TripCardRow } from './queries.ts';

const MAX_CARDS = 20;
/** Of ten thousand PINs or more: a card is safe for months, and its owner may slip four times. */
const PIN_TRIES = 5;
const PIN_TRIES_PER_NETWORK = 20;
const DEFAULT_NAME = 'Trip card';

/** Who asks for a card, and the name of the request, the same for each repetition. */
type Asking = { customerId: string; caller: PasswordCaller; claim: string };

/**
 * Puts a card on the customer's account: a plastic one by number and PIN, else a new one. A repeated request finds
 * what the first one made.
 * @throws {ApiError} trip_card_refused, the same for an unknown number, a wrong PIN and a card that has an owner;
 * rate_limited, server_busy, too_many_trip_cards
 */
export async function addCard(deps: Deps, asking: Asking, wish: AddTripCard): Promise<TripCardRow> {
  const { number, pin } = wish;
  return number === undefined || pin === undefined
    ? openCard(deps, asking, wish.name)
    : adoptCard(deps, asking, { number, pin, name: wish.name });
}

/**
 * Renames a card, or sets below what balance its owner is told.
 * @throws {ApiError} not_found, trip_card_lost
 */
export async function changeCard(
  deps: Deps,
  customerId: string,
  cardId: string,
  { name, low_balance_at: lowBalanceAt }: ChangeTripCard,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const card = await lockOwnCard(tx, customerId, cardId);
    requireNotLost(card);
    const line = lowBalanceAt === undefined ? card.lowBalanceAt : lowBalanceAt;
    await tx
      .update(tripCards)
      .set({
        name: name ?? card.name,
        lowBalanceAt: line,
        // A line set above the balance is no news to whoever sets it.
        lowBalanceTold: line !== null && card.balance < line,
        version: card.version + 1,
        updatedAt: deps.clock.now(),
      })
      .where(eq(tripCards.id, cardId));
  });
}

/** A number nobody has, for a card about to be written; the unique constraint is what makes it so. */
export function newCardNumber(): string {
  return createTripCardNumber((below) => randomInt(below));
}

/** PINs are short: the hash is of the PIN under the application's key, so that a stolen table opens nothing. */
export async function hashPin(vault: Deps['vault'], number: string, pin: string): Promise<string> {
  return hashPassword(vault.sign('trip-card-pin', `${number} ${pin}`));
}

/** Makes a new card, without plastic, on the customer's account. */
export async function openCard(
  deps: Deps,
  { customerId, claim }: Pick<Asking, 'customerId' | 'claim'>,
  name = DEFAULT_NAME,
): Promise<TripCardRow> {
  // The request's own id: sent twice it is one card, even when the process died in between.
  const id = newId(
    'tcd',
    createHash('sha256').update(deps.vault.sign('trip-card', claim)).digest().subarray(0, 16),
  );
  return inTransaction(
    deps.db,
    async (tx) => {
      await requireLockedCustomer(tx, customerId);
      const [known] = await tx.select().from(tripCards).where(eq(tripCards.id, id));
      if (known) return known;
      await requireRoom(tx, customerId);
      const now = deps.clock.now();
      const { currency } = await operatorOf(tx);
      const card = {
        id,
        customerId,
        name,
        currency,
        number: newCardNumber(),
        insertedAt: now,
        updatedAt: now,
      };
      const [opened] = await tx.insert(tripCards).values(card).returning();
      if (!opened) throw new Error('A card was not written.');
      return opened;
    },
    (error) => violatedUniqueConstraint(error) !== null,
  );
}

async function adoptCard(
  deps: Deps,
  { customerId, caller }: Asking,
  { number: typed, pin, name }: { number: string; pin: string; name: string | undefined },
): Promise<TripCardRow> {
  const perCard = { name: 'trip-card-pin', who: typed, limit: PIN_TRIES, windowSeconds: HOUR_SECONDS };
  const perNetwork = {
    name: 'trip-card-pin-network',
    who: caller.network ?? '',
    limit: PIN_TRIES_PER_NETWORK,
    windowSeconds: HOUR_SECONDS,
  };
  const number = parseTripCardNumber(typed);
  const [card] = await deps.db
    .select()
    .from(tripCards)
    .where(eq(tripCards.number, number ?? ''));
  const isRight = await verifyGuess(deps, caller, {
    secret: deps.vault.sign('trip-card-pin', `${typed} ${pin}`),
    stored: card?.pinHash ?? null,
    guesses: [perNetwork, perCard],
  });
  const isEverybodys = !deps.provider.isTest && isDemoTripCard({ number, pin });
  if (!card || !isRight || isEverybodys) throw new ApiError('trip_card_refused');
  const adopted = await inTransaction(deps.db, async (tx) => {
    await requireLockedCustomer(tx, customerId);
    const locked = await lockCard(tx, card.id);
    if (locked.customerId === customerId && locked.status !== 'lost') return locked;
    if (locked.customerId !== null || locked.status !== 'active') throw new ApiError('trip_card_refused');
    await requireRoom(tx, customerId);
    const [changed] = await tx
      .update(tripCards)
      .set({
        customerId,
        name: name ?? locked.name,
        version: locked.version + 1,
        updatedAt: deps.clock.now(),
      })
      .where(and(eq(tripCards.id, card.id), isNull(tripCards.customerId)))
      .returning();
    return changed ?? locked;
  });
  await forgiveHits(deps, perCard);
  return adopted;
}

async function requireRoom(tx: Database, customerId: string): Promise<void> {
  const [held] = await tx
    .select({ count: count() })
    .from(tripCards)
    .where(and(eq(tripCards.customerId, customerId), ne(tripCards.status, 'lost')));
  if ((held?.count ?? 0) >= MAX_CARDS) throw new ApiError('too_many_trip_cards');
}
