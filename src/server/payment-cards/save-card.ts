import { and, asc, eq, inArray, or } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, writtenRow } from '../database/database.ts';
import { droppedMethods, paymentCards } from '../database/schema/cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import { sendSoon } from '../mail/account-mails.ts';
import type { ProviderCard } from '../payments/provider/payment-provider.ts';
import { operatorDay } from '../sailings/operator.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { mergePaymentCards } from './automatic-top-ups.ts';
import { lockHolderAtProvider } from './provider-customer.ts';
import { type CardRow, findPrimaryCard, isActiveOf, standingOf } from './queries.ts';
import { settlePrimary } from './settle-primary.ts';

export type MethodToSave = {
  /** As the provider has it now, attached to the customer it is saved for. */
  card: ProviderCard;
  /** Where the card was entered: "Safari on iPhone". */
  device: string;
  /** Whether it becomes the primary card even if there is one. */
  isWantedPrimary?: boolean;
};
export type SavedMethod = {
  card: CardRow;
  customerId: string;
  /** The mail to the owner, to be sent after the commit. */
  mailId: string | null;
};

/** Saves a card in its own transaction, and does what follows. */
export async function saveCard(context: Context, method: MethodToSave): Promise<SavedMethod | null> {
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
  const before = await findPrimaryCard(tx, customerId, today);
  const card = await writeCard(tx, context, customerId, given);
  const isExpired = standingOf(card, today).isExpired;
  const wanted = isWantedPrimary && !isExpired ? card : undefined;
  const primary = await settlePrimary(tx, customerId, { today, now, wanted });
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
  customerId: string,
  given: ProviderCard,
): Promise<CardRow> {
  const now = context.clock.now();
  const facts = factsOf(given);
  const same = await findSame(tx, customerId, facts);
  const [survivor, ...duplicates] = same;
  if (!survivor) {
    const inserted = await tx
      .insert(paymentCards)
      .values({
        id: newId('pcd'),
        customerId,
        ...facts,
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
    { providerReference: facts.providerReference, methodCreatedAt: facts.methodCreatedAt },
  );
  const references = [facts.providerReference, ...same.map((card) => card.providerReference)];
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
    .set({ ...facts, ...newest, isPrimary: same.some(({ isPrimary }) => isPrimary), updatedAt: now })
    .where(eq(paymentCards.id, survivor.id))
    .returning();
  return writtenRow(updated);
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(card: ProviderCard) {
  const { fingerprint, network, funding, lastFour, expMonth, expYear } = card;
  const facts = { fingerprint, network, funding, lastFour, expMonth, expYear };
  return { providerReference: card.id, methodCreatedAt: card.createdAt, ...facts };
}

/** The customer's cards that are this one, by the provider's id or by number and expiry; oldest first. */
function findSame(tx: Database, customerId: string, facts: Facts): Promise<CardRow[]> {
  const isSameCard = and(
    eq(paymentCards.fingerprint, facts.fingerprint),
    eq(paymentCards.expYear, facts.expYear),
    eq(paymentCards.expMonth, facts.expMonth),
  );
  return tx
    .select()
    .from(paymentCards)
    .where(
      and(
        isActiveOf(customerId),
        or(eq(paymentCards.providerReference, facts.providerReference), isSameCard),
      ),
    )
    .orderBy(asc(paymentCards.insertedAt), asc(paymentCards.id));
}
