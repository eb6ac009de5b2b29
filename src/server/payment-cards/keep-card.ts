import { and, asc, eq, inArray, or } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Database } from '../database/database.ts';
import { droppedMethods, paymentCards } from '../database/schema/cards.ts';
import { inTransaction, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../ids.ts';
import { sendSoon } from '../mail/account-mails.ts';
import { operatorDay } from '../sailings/operator.ts';
import { noteSecurityEvent } from '../security/security-events.ts';
import { joinPaymentCards } from './automatic-top-ups.ts';
import { lockHolderAtProvider } from './provider-customer.ts';
import { type CardRow, findPrimaryCard, isActiveOf, standingOf } from './queries.ts';
import { settlePrimary } from './settle-primary.ts';

export type MethodToKeep = {
  /** As the provider has it now; attached to the customer it is kept for. */
  method: Stripe.PaymentMethod;
  /** Where the card was entered: "Safari on iPhone". */
  device: string;
  /** Whether it is to be the primary card, even where there is one. */
  isWantedPrimary?: boolean;
};
export type KeptCard = {
  card: CardRow;
  customerId: string;
  /** The mail that tells the owner, to be sent after the commit. */
  mailId: string | null;
};

/** Keeps a card in a transaction of its own, and what follows from it. */
export async function keepCard(deps: Deps, given: MethodToKeep): Promise<KeptCard | null> {
  const kept = await inTransaction(
    deps.db,
    (tx) => applyMethod(tx, deps, given),
    (error) => violatedUniqueConstraint(error) !== null,
  );
  if (kept?.mailId) sendSoon(deps.jobs, kept.mailId);
  if (kept) deps.jobs.trigger('tend-payment-cards');
  return kept;
}

/**
 * Takes over what the provider says of a saved card: the one place that does, for the page that added it, for
 * payments that saved it and for webhooks. May be called any number of times, in any order. The same card saved twice
 * (number and expiry) stays one card of ours, charged through the provider's newer method; the other is let go.
 * @returns null when the method is nobody's, is no card, or was let go before
 */
export async function applyMethod(
  tx: Database,
  deps: Deps,
  { method, device, isWantedPrimary = false }: MethodToKeep,
): Promise<KeptCard | null> {
  const reference = customerOf(method);
  if (reference === null || !method.card) return null;
  const holder = await lockHolderAtProvider(tx, reference);
  if (!holder || (await isDropped(tx, method.id))) return null;
  const { customerId } = holder;
  const now = deps.clock.now();
  const today = await operatorDay({ db: tx, clock: deps.clock });
  const before = await findPrimaryCard(tx, customerId, today);
  const card = await writeCard(tx, deps, customerId, method);
  const isExpired = standingOf(card, today).isExpired;
  const wanted = isWantedPrimary && !isExpired ? card : undefined;
  const primary = await settlePrimary(tx, customerId, { today, now, wanted });
  const isNewPrimary = primary?.id === card.id && before?.id !== card.id;
  const mailId = isNewPrimary
    ? await noteSecurityEvent(tx, deps, { customerId, kind: 'primary_card_added', device })
    : null;
  return { card: primary?.id === card.id ? primary : card, customerId, mailId };
}

/** The provider's customer a method is attached to; null when it is detached. */
export function customerOf({ customer }: { customer: Stripe.PaymentMethod['customer'] }): string | null {
  return typeof customer === 'string' ? customer : (customer?.id ?? null);
}

/** Lets methods go: remembered in the transaction, detached at the provider after it. */
export async function dropMethods(tx: Database, references: readonly string[], now: Date): Promise<void> {
  if (references.length === 0) return;
  await tx
    .insert(droppedMethods)
    .values(references.map((providerReference) => ({ providerReference, insertedAt: now })))
    .onConflictDoNothing();
}

/** Whether a method is one we charge a saved card through. */
export async function isKept(db: Database, reference: string): Promise<boolean> {
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
  deps: Pick<Deps, 'clock'>,
  customerId: string,
  method: Stripe.PaymentMethod,
): Promise<CardRow> {
  const now = deps.clock.now();
  const facts = factsOf(method);
  const same = await findSame(tx, customerId, facts);
  const [survivor, ...twins] = same;
  if (!survivor) {
    const [card] = await tx
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
    return required(card);
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
  if (twins.length > 0) {
    const ids = twins.map(({ id }) => id);
    await tx
      .update(paymentCards)
      .set({ status: 'removed', isPrimary: false, updatedAt: now })
      .where(inArray(paymentCards.id, ids));
    await joinPaymentCards(tx, deps, { from: ids, to: survivor.id });
  }
  const [card] = await tx
    .update(paymentCards)
    .set({ ...facts, ...newest, isPrimary: same.some(({ isPrimary }) => isPrimary), updatedAt: now })
    .where(eq(paymentCards.id, survivor.id))
    .returning();
  return required(card);
}

type Facts = ReturnType<typeof factsOf>;

function factsOf(method: Stripe.PaymentMethod) {
  const { id, card, created } = method;
  if (!card) throw new Error('The payment method is no card.');
  return {
    providerReference: id,
    methodCreatedAt: new Date(created * 1000),
    // Without one, cards cannot be told apart: each is its own.
    fingerprint: card.fingerprint ?? id,
    network: card.display_brand ?? card.brand,
    funding: card.funding,
    lastFour: card.last4,
    expMonth: card.exp_month,
    expYear: card.exp_year,
  };
}

/** Cards of ours that are this one: by the provider's name, or by number and expiry. The oldest first. */
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

function required(card: CardRow | undefined): CardRow {
  if (!card) throw new Error('A card was not written.');
  return card;
}
