import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { type Database, queryRows } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { gateCharges, tripCardBlocks, tripCardDebts, tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { hashPin } from './add-card.ts';
import { beginValidity } from './add-trips.ts';
import type { GateCharge, PrintedCard } from './operator-files.ts';
import { type EntryRow, findEntry, postEntry } from './post-entry.ts';
import { availableOn, findCardByNumber, lockCard, lockLiveCard, type TripCardRow } from './queries.ts';

type OperatorContext = Pick<Context, 'db' | 'clock' | 'vault'>;
type ChargeContext = Pick<Context, 'clock' | 'vault'>;

/** No card has this number. */
export class UnknownCardError extends Error {
  override readonly name = 'UnknownCardError';
}

/** Issues printed cards with their initial balance. Repeated, it issues only the cards that are missing. */
export async function issueCards(
  context: OperatorContext,
  cards: readonly PrintedCard[],
): Promise<{ issued: number; existing: number }> {
  const { currency } = await getOperator(context.db);
  let issued = 0;
  for (const card of cards) if (await issueCard(context, card, currency)) issued += 1;
  return { issued, existing: cards.length - issued };
}

type Adjustment = { number: string; amount: number; reason: string; key: string; actor: AuditActor };

/**
 * Corrects a balance, with a reason that the customer reads. `amount` in the card's unit, negative to deduct.
 * @param input key: a repetition with the same key changes nothing. actor: for the audit log
 * @throws {UnknownCardError}
 * @throws {ApiError} insufficient_balance; idempotency_mismatch: the key was used for another card or amount
 */
export async function adjustBalance(
  context: OperatorContext,
  { number, amount, reason, key, actor }: Adjustment,
): Promise<EntryRow> {
  return inTransaction(context.db, async (tx) => {
    const match = await findCardByNumber(tx, parseTripCardNumber(number) ?? '');
    if (!match) throw new UnknownCardError('There is no trip card with that number.');
    const card = await lockCard(tx, match.id);
    if (card.status === 'lost')
      throw new UnknownCardError('That card was lost; name the one that replaced it.');
    const idempotencyKey = `adjust:${key}`;
    const isRepeated = (await findEntry(tx, idempotencyKey)) !== null;
    const entry = await postEntry(tx, context, {
      tripCardId: card.id,
      kind: 'adjustment',
      amount,
      description: reason,
      idempotencyKey,
      actor: 'staff',
    });
    if (entry.tripCardId !== card.id || entry.amount !== amount) throw new ApiError('idempotency_mismatch');
    if (!isRepeated) {
      await recordAudit(tx, context, {
        actor,
        action: 'trip_card_adjusted',
        objectKind: 'trip_card',
        objectId: card.id,
        before: { balance: card.balance },
        after: { balance: entry.balanceAfter },
        reason,
      });
    }
    return entry;
  });
}

/** The outcome of a batch: how many charges ended how, and which numbers of its devices are missing. */
type BatchReport = Record<ChargeOutcome, number> & { missing: string[] };

/**
 * Charges a gate's batch. Each charge is one transaction, so an interrupted run can be repeated.
 * @param input actor: for the audit log
 */
export async function chargeBatch(
  context: OperatorContext,
  { charges, actor }: { charges: readonly GateCharge[]; actor: AuditActor },
): Promise<BatchReport> {
  const report: BatchReport = { charged: 0, owed: 0, repeated: 0, conflict: 0, missing: [] };
  for (const charge of charges) report[await takeCharge(context, { charge, actor })] += 1;
  for (const deviceId of new Set(charges.map((each) => each.deviceId))) {
    report.missing.push(...(await findMissingNumbers(context, deviceId)));
  }
  return report;
}

async function issueCard(context: OperatorContext, card: PrintedCard, currency: string): Promise<boolean> {
  if (await findCardByNumber(context.db, card.number)) return false;
  const pinHash = await hashPin(context, card);
  return inTransaction(context.db, async (tx) => {
    const now = context.clock.now();
    const { number, name } = card;
    const [made] = await tx
      .insert(tripCards)
      .values({ id: newId('tcd'), number, name, pinHash, currency, insertedAt: now, updatedAt: now })
      .onConflictDoNothing()
      .returning({ id: tripCards.id });
    if (!made) return false;
    await adoptCharges(tx, context, { cardId: made.id, number });
    if (card.amount > 0) {
      await postEntry(tx, context, {
        tripCardId: made.id,
        kind: 'adjustment',
        amount: card.amount,
        cause: { code: 'issued' },
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
  { clock }: Pick<Context, 'clock'>,
  { cardId, number }: { cardId: string; number: string },
): Promise<void> {
  await tx.execute(sql`
    with charged as (
      update gate_charges set trip_card_id = ${cardId}
      where number = ${number} and trip_card_id is null and unit = 'money'
      returning device_id, device_seq
    )
    update trip_card_debts d
    set trip_card_id = ${cardId}, reason = 'insufficient_balance', updated_at = ${clock.now().toISOString()}::timestamptz
    from charged c
    where d.device_id = c.device_id and d.device_seq = c.device_seq and d.reason = 'unknown_card'
  `);
}

/** Missing numbers of a device, as `G1 4-7`: batches that are late or lost. */
async function findMissingNumbers({ db }: Pick<Context, 'db'>, deviceId: string): Promise<string[]> {
  const gaps = await queryRows<{ first: number; last: number }>(
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
  return gaps.map(({ first, last }) => `${deviceId} ${first === last ? first : `${first}-${last}`}`);
}

/**
 * The outcome of a charge. `owed`: not or only partly paid; a debt holds the rest. `conflict`: the device has used this
 * number for another charge, which stays.
 */
export type ChargeOutcome = 'charged' | 'owed' | 'repeated' | 'conflict';

type NewDebt = typeof tripCardDebts.$inferInsert;

/** Charges a gate's fare, as `chargeFare`, in a transaction of its own. */
export function takeCharge(
  context: OperatorContext,
  input: { charge: GateCharge; actor: AuditActor },
): Promise<ChargeOutcome> {
  return inTransaction(context.db, (tx) => chargeFare(tx, context, input));
}

/**
 * Charges a gate's fare to its card, once. The final balance does not depend on the order in which charges and top-ups
 * arrive: a fare takes what is available, the rest is owed, and later value pays debts first. Rides while the card was
 * frozen or lost are not charged, nor is money charged to a pass or trips to money. The gate refuses expired passes: what
 * it let through is charged.
 * @param input actor: who charges, for the audit log; isAccepted: false keeps it for the office to look at, uncharged
 */
export async function chargeFare(
  tx: Database,
  context: ChargeContext,
  { charge, actor, isAccepted = true }: { charge: GateCharge; actor: AuditActor; isAccepted?: boolean },
): Promise<ChargeOutcome> {
  const { deviceId, deviceSeq } = charge;
  const now = context.clock.now();
  const [isNew] = await tx
    .insert(gateCharges)
    .values({ ...charge, insertedAt: now })
    .onConflictDoNothing()
    .returning({ deviceSeq: gateCharges.deviceSeq });
  if (!isNew) return (await isSame(tx, charge)) ? 'repeated' : 'conflict';
  const taken = await chargeCard(tx, context, charge, isAccepted);
  const { outcome, card, balance } = taken;
  await recordAudit(tx, context, {
    ...{ actor, action: 'trip_card_charged', objectKind: 'trip_card', objectId: card?.id ?? charge.number },
    ...{ before: { balance: card?.balance ?? null, charge: null }, reason: null },
    after: { balance, charge: `${deviceId} ${deviceSeq}`, amount: charge.amount, outcome },
  });
  return outcome;
}

/** `card`: as it was before; null if unknown. `balance`: after the charge. */
type TakenCharge = {
  outcome: Extract<ChargeOutcome, 'charged' | 'owed'>;
  card: Pick<TripCardRow, 'id' | 'balance'> | null;
  balance: number | null;
};

async function chargeCard(
  tx: Database,
  context: ChargeContext,
  charge: GateCharge,
  isAccepted: boolean,
): Promise<TakenCharge> {
  const { deviceId, deviceSeq } = charge;
  const card = await findCardByNumber(tx, charge.number);
  if (!card) {
    await owe(tx, context, { ...charge, reason: 'unknown_card' });
    return { outcome: 'owed', card: null, balance: null };
  }
  await lockCard(tx, card.id);
  if (!isAccepted) {
    await owe(tx, context, { ...charge, reason: 'not_accepted', tripCardId: card.id });
    return { outcome: 'owed', card, balance: card.balance };
  }
  if (await wasBlocked(tx, card.id, charge.occurredAt)) {
    await owe(tx, context, { ...charge, reason: 'card_blocked', tripCardId: card.id });
    return { outcome: 'owed', card, balance: card.balance };
  }
  const live = await lockLiveCard(tx, card.id);
  if (live.unit !== (charge.unit ?? 'money')) {
    await owe(tx, context, { ...charge, reason: 'wrong_unit', tripCardId: live.id });
    return { outcome: 'owed', card: live, balance: live.balance };
  }
  await tx
    .update(gateCharges)
    .set({ tripCardId: live.id })
    .where(and(eq(gateCharges.deviceId, deviceId), eq(gateCharges.deviceSeq, deviceSeq)));
  const paid = Math.min(availableOn(live), charge.amount);
  if (paid > 0) {
    await postEntry(tx, context, {
      tripCardId: live.id,
      kind: 'fare',
      amount: -paid,
      cause: { code: 'gate' },
      place: charge.place,
      idempotencyKey: `gate:${deviceId}:${deviceSeq}`,
      actor: 'device',
      occurredAt: charge.occurredAt,
    });
  }
  await setLastUsed(tx, live.id, charge.occurredAt);
  await beginValidity(tx, live, charge.occurredAt);
  const rest = charge.amount - paid;
  if (rest > 0) {
    const debt = { ...charge, amount: rest, reason: 'insufficient_balance' as const, tripCardId: live.id };
    await owe(tx, context, debt);
  }
  return { outcome: rest > 0 ? 'owed' : 'charged', card: live, balance: live.balance - paid };
}

async function isSame(tx: Database, charge: GateCharge): Promise<boolean> {
  const [earlier] = await tx
    .select()
    .from(gateCharges)
    .where(and(eq(gateCharges.deviceId, charge.deviceId), eq(gateCharges.deviceSeq, charge.deviceSeq)));
  return (
    earlier !== undefined &&
    earlier.number === charge.number &&
    earlier.amount === charge.amount &&
    earlier.unit === (charge.unit ?? 'money') &&
    earlier.occurredAt.getTime() === charge.occurredAt.getTime()
  );
}

async function wasBlocked(tx: Database, cardId: string, at: Date): Promise<boolean> {
  const isBlock = and(
    eq(tripCardBlocks.tripCardId, cardId),
    lte(tripCardBlocks.fromAt, at),
    or(isNull(tripCardBlocks.untilAt), gt(tripCardBlocks.untilAt, at)),
  );
  return (await tx.$count(tripCardBlocks, isBlock)) > 0;
}

async function owe(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { deviceId, deviceSeq, amount, reason, tripCardId }: GateCharge & Pick<NewDebt, 'reason' | 'tripCardId'>,
): Promise<void> {
  const now = clock.now();
  const debt = { id: newId('dbt'), deviceId, deviceSeq, tripCardId, reason, amount };
  await tx.insert(tripCardDebts).values({ ...debt, insertedAt: now, updatedAt: now });
}

async function setLastUsed(tx: Database, cardId: string, at: Date): Promise<void> {
  await tx
    .update(tripCards)
    .set({ lastUsedAt: at })
    .where(and(eq(tripCards.id, cardId), or(isNull(tripCards.lastUsedAt), lte(tripCards.lastUsedAt, at))));
}
