import { createHash, randomInt } from 'node:crypto';
import { and, eq, isNull, ne } from 'drizzle-orm';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import type { AddTripCard, ChangeTripCard } from '#contract/trip-cards/schemas.ts';
import { DEFAULT_CARD_NAME } from '#domain/trip-cards/default-name.ts';
import { createTripCardNumber, parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { translateTexts } from '#messages/translations.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { addVersion, splitVersion } from '../core/vault.ts';
import { hashPassword } from '../credentials/password-hash.ts';
import { type PasswordCaller, verifyGuess } from '../credentials/password-limits.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { HOUR_SECONDS, subtractHits } from '../http/rate-limit.ts';
import { requireLockedCustomer } from '../identity/customers.ts';
import type { PrintedCard } from './operator-files.ts';
import {
  type CardRequest,
  findCardByNumber,
  lockCard,
  lockOwnCard,
  requireNotLost,
  type TripCardRow,
} from './queries.ts';

const MAX_CARDS = 20;
/** With at least ten thousand PINs, guessing takes months. */
const PIN_TRIES = { name: 'trip-card-pin', limit: 5, windowSeconds: HOUR_SECONDS };
const PIN_TRIES_PER_NETWORK = { name: 'trip-card-pin-network', limit: 20, windowSeconds: HOUR_SECONDS };
const PIN_PURPOSE = 'trip-card-pin';

export const DEMO_TRIP_CARDS: readonly PrintedCard[] = [
  { number: '9000000000000019', pin: '2468', name: DEFAULT_CARD_NAME, amount: 2500 },
  { number: '9000000000000027', pin: '1357', name: DEFAULT_CARD_NAME, amount: 4000 },
  { number: '9000000000000035', pin: '8642', name: DEFAULT_CARD_NAME, amount: 1000 },
];

export const DEMO_TRIP_CARD_NUMBERS = DEMO_TRIP_CARDS.map(({ number }) => number);

/** `claim` identifies the request and is the same when it is repeated. */
type NewCard = { customerId: string; claim: string; name?: string | undefined };

/**
 * Adds a card to the customer's account: a plastic card by number and PIN, otherwise a new one. A repeated request
 * returns the same card.
 * @throws {ApiError} trip_card_refused, the same for an unknown number, a wrong PIN and a card with an owner;
 * rate_limited, server_busy, too_many_trip_cards
 */
export async function addCard(
  context: Context,
  input: NewCard & AddTripCard & { caller: PasswordCaller },
): Promise<TripCardRow> {
  const { number, pin } = input;
  return number === undefined || pin === undefined
    ? openCard(context, input)
    : adoptCard(context, { ...input, number, pin });
}

/**
 * Renames a card, or sets the balance below which its owner is warned.
 * @throws {ApiError} not_found, trip_card_lost
 */
export async function changeCard(
  context: Pick<Context, 'db' | 'clock'>,
  input: CardRequest & ChangeTripCard,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const card = await lockOwnCard(tx, input);
    requireNotLost(card);
    const lowBalanceAt = input.low_balance_at === undefined ? card.lowBalanceAt : input.low_balance_at;
    await tx
      .update(tripCards)
      .set({
        name: input.name ?? card.name,
        lowBalanceAt,
        // The owner knows the balance when they set the warning level above it.
        lowBalanceMailed: lowBalanceAt !== null && card.balance < lowBalanceAt,
        version: card.version + 1,
        updatedAt: context.clock.now(),
      })
      .where(eq(tripCards.id, card.id));
  });
}

/** A random number for a new card; the unique constraint guarantees that it is free. */
export function newCardNumber(): string {
  return createTripCardNumber((below) => randomInt(below));
}

/** PINs are short, so they are hashed with the application's key: a stolen table alone reveals none. */
export async function hashPin(
  { vault }: Pick<Context, 'vault'>,
  { number, pin }: { number: string; pin: string },
): Promise<string> {
  const hash = await hashPassword(vault.sign(PIN_PURPOSE, `${number} ${pin}`));
  return addVersion(vault.version, hash);
}

/** Creates a card without plastic. */
export async function openCard(
  context: Pick<Context, 'db' | 'clock' | 'vault'>,
  { customerId, claim, name = DEFAULT_CARD_NAME }: NewCard,
): Promise<TripCardRow> {
  // Derived from the request, so that a repetition finds the card even if the process died in between.
  const id = newId(
    'tcd',
    createHash('sha256').update(context.vault.sign('trip-card', claim)).digest().subarray(0, 16),
  );
  return inTransaction(
    context.db,
    async (tx) => {
      await requireLockedCustomer(tx, customerId);
      const [existing] = await tx.select().from(tripCards).where(eq(tripCards.id, id));
      if (existing) return existing;
      await requireBelowLimit(tx, customerId);
      const now = context.clock.now();
      const { currency } = await getOperator(tx);
      const card = {
        id,
        customerId,
        name,
        currency,
        number: newCardNumber(),
        insertedAt: now,
        updatedAt: now,
      };
      return writtenRow(await tx.insert(tripCards).values(card).returning());
    },
    (error) => violatedUniqueConstraint(error) !== null,
  );
}

/** Writes a pass without trips, which its purchase adds, with its name in a language. The caller has locked the customer. */
export async function insertPass(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { customerId, pass, language }: { customerId: string; pass: PassTerms; language: string },
): Promise<TripCardRow> {
  await requireBelowLimit(tx, customerId);
  const now = clock.now();
  const card = {
    id: newId('tcd'),
    customerId,
    name: translateTexts(pass, language).name,
    unit: 'trips' as const,
    currency: pass.currency,
    pass,
    number: newCardNumber(),
    insertedAt: now,
    updatedAt: now,
  };
  return writtenRow(await tx.insert(tripCards).values(card).returning());
}

async function adoptCard(
  context: Context,
  {
    customerId,
    caller,
    number: typed,
    pin,
    name,
  }: Pick<NewCard, 'customerId' | 'name'> & { caller: PasswordCaller; number: string; pin: string },
): Promise<TripCardRow> {
  const perCard = { ...PIN_TRIES, who: typed };
  const perNetwork = { ...PIN_TRIES_PER_NETWORK, who: caller.network ?? '' };
  const number = parseTripCardNumber(typed);
  const card = await findCardByNumber(context.db, number ?? '');
  const stored = card?.pinHash ? splitVersion(card.pinHash) : null;
  const isRight = await verifyGuess(context, {
    caller,
    secret: context.vault.sign(PIN_PURPOSE, `${typed} ${pin}`, stored?.version),
    stored: stored?.value ?? null,
    guesses: [perNetwork, perCard],
  });
  const isPublic = !context.provider.isTest && isDemoTripCard({ number, pin });
  if (!card || !isRight || isPublic) throw new ApiError('trip_card_refused');
  const adopted = await inTransaction(context.db, async (tx) => {
    await requireLockedCustomer(tx, customerId);
    const locked = await lockCard(tx, card.id);
    if (locked.customerId === customerId && locked.status !== 'lost') return locked;
    if (locked.customerId !== null || locked.status !== 'active') throw new ApiError('trip_card_refused');
    await requireBelowLimit(tx, customerId);
    const [changed] = await tx
      .update(tripCards)
      .set({
        customerId,
        name: name ?? locked.name,
        version: locked.version + 1,
        updatedAt: context.clock.now(),
      })
      .where(and(eq(tripCards.id, card.id), isNull(tripCards.customerId)))
      .returning();
    return changed ?? locked;
  });
  await subtractHits(context, perCard);
  return adopted;
}

async function requireBelowLimit(tx: Database, customerId: string): Promise<void> {
  const isUsable = and(eq(tripCards.customerId, customerId), ne(tripCards.status, 'lost'));
  if ((await tx.$count(tripCards, isUsable)) >= MAX_CARDS) throw new ApiError('too_many_trip_cards');
}

/** Whether this is a published demo card, which must not be usable where real money is taken. */
function isDemoTripCard({ number, pin }: { number: string | null; pin: string }): boolean {
  return DEMO_TRIP_CARDS.some((card) => card.number === number && card.pin === pin);
}
