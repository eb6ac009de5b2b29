import { eq, sql } from 'drizzle-orm';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, rowsOf } from '../database/database.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { operatorOf } from '../sailings/operator.ts';
import { hashPin } from './add-card.ts';
import { type ChargeOutcome, type GateCharge, takeCharge } from './gate-charges.ts';
import type { PrintedCard } from './operator-files.ts';
import { type EntryRow, postEntry } from './post-entry.ts';
import { lockCard } from './queries.ts';

type Parts = Pick<Context, 'db' | 'clock' | 'vault'>;

/** There is no card with this number. */
export class UnknownCardError extends Error {
  override readonly name = 'UnknownCardError';
}

/** Issues printed cards with their initial balance. Repeated, it issues only the cards that are missing. */
export async function issueCards(
  context: Parts,
  cards: readonly PrintedCard[],
): Promise<{ issued: number; known: number }> {
  const { currency } = await operatorOf(context.db);
  let issued = 0;
  for (const card of cards) if (await issueCard(context, card, currency)) issued += 1;
  return { issued, known: cards.length - issued };
}

/**
 * Corrects a balance, with a reason that the customer reads. `amount` in minor units, negative to deduct.
 * @param key a repetition with the same key changes nothing
 * @throws {UnknownCardError}
 * @throws {ApiError} insufficient_balance; idempotency_mismatch: the key was used for another card or amount
 */
export async function adjustBalance(
  context: Parts,
  { number, amount, reason, key }: { number: string; amount: number; reason: string; key: string },
): Promise<EntryRow> {
  return inTransaction(context.db, async (tx) => {
    const [found] = await tx
      .select({ id: tripCards.id })
      .from(tripCards)
      .where(eq(tripCards.number, parseTripCardNumber(number) ?? ''));
    if (!found) throw new UnknownCardError('There is no trip card with that number.');
    const card = await lockCard(tx, found.id);
    if (card.status === 'lost')
      throw new UnknownCardError('That card was lost; name the one that replaced it.');
    const entry = await postEntry(tx, context, card.id, {
      kind: 'adjustment',
      amount,
      description: reason,
      idempotencyKey: `adjust:${key}`,
      actor: 'staff',
    });
    if (entry.tripCardId !== card.id || entry.amount !== amount) throw new ApiError('idempotency_mismatch');
    return entry;
  });
}

/** The outcome of a batch: how many charges ended how, and which numbers of its devices are missing. */
export type BatchReport = Record<ChargeOutcome, number> & { missing: string[] };

/** Charges a gate's batch. Each charge is one transaction, so an interrupted run can be repeated. */
export async function chargeBatch(context: Parts, charges: readonly GateCharge[]): Promise<BatchReport> {
  const report: BatchReport = { charged: 0, owed: 0, known: 0, conflict: 0, missing: [] };
  for (const charge of charges) report[await takeCharge(context, charge)] += 1;
  for (const deviceId of new Set(charges.map((each) => each.deviceId))) {
    report.missing.push(...(await findMissing(context, deviceId)));
  }
  return report;
}

async function issueCard(context: Parts, card: PrintedCard, currency: string): Promise<boolean> {
  const [known] = await context.db
    .select({ id: tripCards.id })
    .from(tripCards)
    .where(eq(tripCards.number, card.number));
  if (known) return false;
  const pinHash = await hashPin(context.vault, card.number, card.pin);
  return inTransaction(context.db, async (tx) => {
    const now = context.clock.now();
    const { number, name } = card;
    const [made] = await tx
      .insert(tripCards)
      .values({ id: newId('tcd'), number, name, pinHash, currency, insertedAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning({ id: tripCards.id });
    if (!made) return false;
    await adoptCharges(tx, context, made.id, number);
    if (card.amount > 0) {
      await postEntry(tx, context, made.id, {
        kind: 'adjustment',
        amount: card.amount,
        description: 'On the card when it was sold',
        idempotencyKey: `issue:${number}`,
        actor: 'staff',
      });
    }
    return true;
  });
}

/** Fares that gates charged before the card was issued here are owed, whichever file came first. */
async function adoptCharges(
  tx: Database,
  { clock }: Pick<Parts, 'clock'>,
  cardId: string,
  number: string,
): Promise<void> {
  await tx.execute(sql`
    with charged as (
      update gate_charges set trip_card_id = ${cardId} where number = ${number} and trip_card_id is null
      returning device_id, device_seq
    )
    update trip_card_debts d
    set trip_card_id = ${cardId}, reason = 'insufficient_balance', updated_at = ${clock.now().toISOString()}::timestamptz
    from charged c
    where d.device_id = c.device_id and d.device_seq = c.device_seq and d.reason = 'unknown_card'
  `);
}

/** Missing numbers of a device, as `G1 4-7`: batches that are late or lost. */
async function findMissing({ db }: Pick<Parts, 'db'>, deviceId: string): Promise<string[]> {
  const holes = await rowsOf<{ first: number; last: number }>(
    db,
    sql`
      select before + 1 as first, device_seq - 1 as last from (
        select device_seq, lag(device_seq, 1, 0) over (order by device_seq) as before
        from gate_charges where device_id = ${deviceId}
      ) numbers
      where device_seq > before + 1
      order by device_seq
      limit 20
    `,
  );
  return holes.map(({ first, last }) => `${deviceId} ${first === last ? first : `${first}-${last}`}`);
}
