import { and, asc, eq, inArray, ne, or } from 'drizzle-orm';
import type { AddPaymentCard, PaymentCard } from '#contract/payment-cards/schemas.ts';
import { UNKNOWN_DEVICE } from '#domain/device.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { droppedMethods, paymentCards } from '../database/schema/cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { reportSecurityEvent } from '../identity/security/security-events.ts';
import { sendSoon } from '../mail/account-mails.ts';
import type { ProviderCard } from '../payments/provider/payment-provider.ts';
import { operatorDay } from '../sailings/operator.ts';
import { mergePaymentCards } from './automatic-top-ups.ts';
import { findHolder, lockHolderAtProvider } from './provider-customer.ts';
import { type CardRow, checkStanding, findPrimaryCard, isActiveOf, readOwnCard } from './queries.ts';

export type MethodToSave = {
  /** The provider's current card, attached to the customer for whom it is saved. */
  card: ProviderCard;
  /** Where the card was entered: "Safari on iPhone". */
  device: string;
  /** Whether it becomes the primary card even if there is one. */
  isWantedPrimary?: boolean;
};
type SavedMethod = {
  card: CardRow;
  customerId: string;
  /** The mail to the owner, to be sent after the commit. */
  mailId: string | null;
};

/** Saves a card in its own transaction, and does what follows. */
async function saveCard(context: Context, method: MethodToSave): Promise<SavedMethod | null> {
  const saved = await inTransaction(
    context.db,
    (tx) => applyMethod(tx, context, method),
    (error) => violatedUniqueConstraint(error) !== null,
  );
  if (saved?.mailId) sendSoon(context.jobs, saved.mailId);
  if (saved) context.jobs.trigger('sync-payment-cards');
  return saved;
}

/**
 * The only place that turns the provider's saved card into ours, for the page that adds it, payments that save it and
 * webhooks; in any order and repeatedly. The same card saved twice (number and expiry) stays one card of ours, charged
 * through the provider's newer method; the other method is dropped.
 * @returns null if the card belongs to no customer of ours, or was dropped before
 */
export async function applyMethod(
  tx: Database,
  context: Context,
  { card: given, device, isWantedPrimary = false }: MethodToSave,
): Promise<SavedMethod | null> {
  const holder = given.customerId === null ? null : await lockHolderAtProvider(tx, given.customerId);
  if (!holder || (await isDropped(tx, given.id))) return null;
  const { customerId } = holder;
  const now = context.clock.now();
  const today = await operatorDay({ db: tx, clock: context.clock });
  const before = await findPrimaryCard(tx, { customerId, today });
  const card = await writeCard(tx, context, { customerId, given });
  const isExpired = checkStanding(card, today).isExpired;
  const newPrimary = isWantedPrimary && !isExpired ? card : undefined;
  const primary = await settlePrimary(tx, { customerId, today, now, newPrimary });
  const isNewPrimary = primary?.id === card.id && before?.id !== card.id;
  const mailId = isNewPrimary
    ? await reportSecurityEvent(tx, context, { customerId, kind: 'primary_card_added', device })
    : null;
  return { card: primary?.id === card.id ? primary : card, customerId, mailId };
}

/** Drops methods: stored in the transaction, detached at the provider later. */
export async function dropMethods(tx: Database, references: readonly string[], now: Date): Promise<void> {
  if (references.length === 0) return;
  await tx
    .insert(droppedMethods)
    .values(references.map((providerReference) => ({ providerReference, insertedAt: now })))
    .onConflictDoNothing();
}

/** Whether a saved card is charged through this method. */
export async function isSaved(db: Database, reference: string): Promise<boolean> {
  const [card] = await db
    .select({ id: paymentCards.id })
    .from(paymentCards)
    .where(and(eq(paymentCards.providerReference, reference), eq(paymentCards.status, 'active')));
  return card !== undefined;
}

async function isDropped(tx: Database, reference: string): Promise<boolean> {
  const [dropped] = await tx
    .select({ reference: droppedMethods.providerReference })
    .from(droppedMethods)
    .where(eq(droppedMethods.providerReference, reference));
  return dropped !== undefined;
}

async function writeCard(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { customerId, given }: { customerId: string; given: ProviderCard },
): Promise<CardRow> {
  const now = context.clock.now();
  const columns = toMethodColumns(given);
  const same = await findSame(tx, customerId, columns);
  const [survivor, ...duplicates] = same;
  if (!survivor) {
    const inserted = await tx
      .insert(paymentCards)
      .values({
        id: newId('pcd'),
        customerId,
        ...columns,
        isPrimary: false,
        status: 'active',
        insertedAt: now,
        updatedAt: now,
      })
      .returning();
    return writtenRow(inserted);
  }
  const newest = same.reduce(
    (best, { providerReference, methodCreatedAt }) =>
      methodCreatedAt > best.methodCreatedAt ? { providerReference, methodCreatedAt } : best,
    { providerReference: columns.providerReference, methodCreatedAt: columns.methodCreatedAt },
  );
  const references = [columns.providerReference, ...same.map((card) => card.providerReference)];
  await dropMethods(
    tx,
    [...new Set(references)].filter((each) => each !== newest.providerReference),
    now,
  );
  if (duplicates.length > 0) {
    const ids = duplicates.map(({ id }) => id);
    await tx
      .update(paymentCards)
      .set({ status: 'removed', isPrimary: false, updatedAt: now })
      .where(inArray(paymentCards.id, ids));
    await mergePaymentCards(tx, context, { from: ids, to: survivor.id });
  }
  const updated = await tx
    .update(paymentCards)
    .set({ ...columns, ...newest, isPrimary: same.some(({ isPrimary }) => isPrimary), updatedAt: now })
    .where(eq(paymentCards.id, survivor.id))
    .returning();
  return writtenRow(updated);
}

type MethodColumns = ReturnType<typeof toMethodColumns>;

function toMethodColumns(card: ProviderCard) {
  const { fingerprint, network, funding, lastFour, expMonth, expYear } = card;
  const columns = { fingerprint, network, funding, lastFour, expMonth, expYear };
  return { providerReference: card.id, methodCreatedAt: card.createdAt, ...columns };
}

/** The customer's cards that are this one, by the provider's id or by number and expiry; oldest first. */
function findSame(tx: Database, customerId: string, columns: MethodColumns): Promise<CardRow[]> {
  const isSameCard = and(
    eq(paymentCards.fingerprint, columns.fingerprint),
    eq(paymentCards.expYear, columns.expYear),
    eq(paymentCards.expMonth, columns.expMonth),
  );
  return tx
    .select()
    .from(paymentCards)
    .where(
      and(
        isActiveOf(customerId),
        or(eq(paymentCards.providerReference, columns.providerReference), isSameCard),
      ),
    )
    .orderBy(asc(paymentCards.insertedAt), asc(paymentCards.id));
}

/**
 * Stores which card is the primary one: exactly one if there is an unexpired card, otherwise none. Run it in the
 * transaction of the change, which holds the holder's lock.
 * @param input wanted: an unexpired card of the customer; without it the current choice stays if it can
 * @returns the primary card
 */
export async function settlePrimary(
  tx: Database,
  input: { customerId: string; today: string; now: Date; newPrimary?: CardRow | undefined },
): Promise<CardRow | null> {
  const { customerId, today, now, newPrimary } = input;
  const primary = newPrimary ?? (await findPrimaryCard(tx, { customerId, today }));
  await tx
    .update(paymentCards)
    .set({ isPrimary: false, updatedAt: now })
    .where(
      and(
        eq(paymentCards.customerId, customerId),
        eq(paymentCards.isPrimary, true),
        primary ? ne(paymentCards.id, primary.id) : undefined,
      ),
    );
  if (!primary || primary.isPrimary) return primary;
  const [settled] = await tx
    .update(paymentCards)
    .set({ isPrimary: true, updatedAt: now })
    .where(and(eq(paymentCards.id, primary.id), isActiveOf(customerId)))
    .returning();
  return settled ?? null;
}

/**
 * Saves a payment method as the provider has it now, if it belongs to a customer.
 * @param input only: `agreed`: unless the person who entered the card agreed to saving it, it is detached
 * @throws {ApiError} payment_unavailable
 */
export async function syncPaymentMethod(
  context: Context,
  {
    reference,
    device = UNKNOWN_DEVICE,
    only,
  }: { reference: string; device?: string | undefined; only?: string | undefined },
): Promise<void> {
  const card = await context.provider.findCard(reference);
  if (card && (only === undefined || card.isSavingAgreed)) {
    await saveCard(context, { card, device });
    return;
  }
  if (!card || (await isSaved(context.db, reference))) return;
  await dropMethods(context.db, [reference], context.clock.now());
  context.jobs.trigger('sync-payment-cards');
}

/**
 * Adds the card of a finished setup of this customer. A repeated request returns the same card, for pages that lost
 * the answer or were reloaded.
 * @throws {ApiError} setup_refused for an unknown setup or another customer's, setup_unfinished, payment_unavailable
 */
export async function addCard(
  context: Context,
  {
    customerId,
    device,
    setup_intent_id: setupId,
    primary: isWantedPrimary,
  }: AddPaymentCard & { customerId: string; device: string },
): Promise<PaymentCard> {
  const holder = await findHolder(context.db, customerId);
  const setup = holder && (await context.provider.findSetup(setupId));
  if (!setup || setup.customerId !== holder.providerReference) throw new ApiError('setup_refused');
  if (setup.status !== 'succeeded' || setup.cardId === null) throw new ApiError('setup_unfinished');
  const saved = setup.card && (await saveCard(context, { card: setup.card, device, isWantedPrimary }));
  if (saved?.customerId !== customerId) throw new ApiError('setup_refused');
  return readOwnCard(context, { customerId, cardId: saved.card.id });
}
