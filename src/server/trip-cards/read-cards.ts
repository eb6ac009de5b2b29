import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import type { OfflineCode, TripCard, TripCardBalance } from '#contract/trip-cards/schemas.ts';
import {
  formatPassCode,
  formatTripCardCode,
  passFormat,
  type TripCardCode,
  tripCardFormat,
} from '#domain/trip-cards/trip-card-code.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { orders } from '../database/schema/sales.ts';
import {
  autoTopUps,
  tripCardDebts,
  tripCardEntries,
  tripCardShares,
  tripCards,
} from '../database/schema/trip-cards.ts';
import { inSnapshot } from '../database/transactions.ts';
import { type ListQuery, pageMeta } from '../http/list-query.ts';
import { isOpenDebt } from './post-entry.ts';
import { presentEntry, presentTripCard, presentUnit } from './presenter.ts';
import {
  availableOn,
  type CardRequest,
  type HeldCard,
  isPaidPass,
  isSharedWith,
  listShares,
  requireActive,
  requireHeldCard,
  requireNotExpired,
  type TripCardRow,
} from './queries.ts';
import { acceptShares } from './shares.ts';

export const CODE_VALID_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

/** The part of a card's history after an entry, or of a page. */
export type HistoryRequest = CardRequest & {
  beforeSeq: number | null;
  list: ListQuery;
  language: string;
};

type CardsRequest = { customerId: string; list: ListQuery; hasPasses: boolean; language: string };

/** A consistent snapshot of a customer's cards, their own first, lost ones last. Accepts pending shares. */
export async function listCards(
  context: Pick<Context, 'db' | 'clock'>,
  request: CardsRequest,
): Promise<{ cards: TripCard[]; meta: PageMeta }> {
  await acceptShares(context, request.customerId);
  return readCards(context, request);
}

/** The same without accepting anything. */
export async function readCards(
  context: Pick<Context, 'db' | 'clock'>,
  { customerId, list, hasPasses, language }: CardsRequest,
): Promise<{ cards: TripCard[]; meta: PageMeta }> {
  return inSnapshot(context.db, async (tx) => {
    const isHeld = and(
      or(
        eq(tripCards.customerId, customerId),
        sql`exists (select 1 from ${tripCardShares} where ${isSharedWith(customerId)})`,
      ),
      hasPasses ? or(eq(tripCards.unit, 'money'), isPaidPass) : eq(tripCards.unit, 'money'),
    );
    const rows = await tx
      .select({ card: tripCards, share: tripCardShares })
      .from(tripCards)
      .leftJoin(tripCardShares, isSharedWith(customerId))
      .where(isHeld)
      .orderBy(
        sql`${tripCards.status} = 'lost'`,
        sql`${tripCards.customerId} is distinct from ${customerId}`,
        tripCards.insertedAt,
        tripCards.id,
      )
      .limit(list.pageSize)
      .offset(list.offset);
    const held = rows.map(({ card, share }): HeldCard => {
      const role = card.customerId === customerId ? 'owner' : (share?.role ?? 'top_up');
      return { card, role, dailyLimit: share?.dailyLimit ?? null };
    });
    const total = await tx.$count(tripCards, isHeld);
    return { cards: await presentCards(tx, context, { held, language }), meta: pageMeta(list, total) };
  });
}

/**
 * A consistent snapshot of one card, as the customer may see it.
 * @throws {ApiError} not_found
 */
export async function readCard(
  context: Pick<Context, 'db' | 'clock'>,
  { language, ...input }: CardRequest & { language: string },
): Promise<TripCard> {
  return inSnapshot(context.db, async (tx) => {
    const held = await requireHeldCard(tx, input, 'see');
    const [card] = await presentCards(tx, context, { held: [held], language });
    return card as TripCard;
  });
}

async function presentCards(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { held, language }: { held: readonly HeldCard[]; language: string },
): Promise<TripCard[]> {
  const ids = held.map(({ card }) => card.id);
  const shares = await listShares(tx, ids);
  const autos = await tx.select().from(autoTopUps).where(inArray(autoTopUps.tripCardId, ids));
  const debts = await sumDebts(tx, ids);
  const { timeZone: zone } = await getOperator(tx);
  return held.map((each) => {
    const { id } = each.card;
    const details = {
      shares: shares.filter(({ tripCardId }) => tripCardId === id),
      auto: autos.find(({ tripCardId }) => tripCardId === id) ?? null,
      owed: debts.get(id) ?? 0,
      ...{ zone, language },
    };
    return presentTripCard(each, details, clock.now());
  });
}

/**
 * The balance and its ledger entries, newest first. Entries are numbered without gaps, so every page is found by its
 * numbers, however long the history is.
 * @throws {ApiError} not_found
 */
export async function readBalance(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { beforeSeq, list, ...input }: HistoryRequest,
): Promise<{ balance: TripCardBalance; meta: PageMeta }> {
  const { card } = await requireHeldCard(db, input, 'view_history');
  const before = beforeSeq ?? firstBefore(card.entryCount, list);
  const rows = await db
    .select({ entry: tripCardEntries, orderOf: orders.customerId })
    .from(tripCardEntries)
    .leftJoin(orders, eq(orders.id, tripCardEntries.orderId))
    .where(and(eq(tripCardEntries.tripCardId, card.id), lt(tripCardEntries.seq, before)))
    .orderBy(desc(tripCardEntries.seq))
    .limit(list.pageSize);
  return {
    balance: {
      balance: card.balance,
      ...presentUnit(card),
      as_of: clock.now().toISOString(),
      version: card.version,
      entries: rows.map((row) => presentEntry(row, input)),
      next_before_seq: nextBefore(rows.map(({ entry }) => entry)),
    },
    meta: pageMeta(list, card.entryCount),
  };
}

/**
 * A code to show at the gate, valid for a day, also offline.
 * @throws {ApiError} not_found, trip_card_frozen, trip_card_lost, pass_expired
 */
export async function makeOfflineCode(
  { db, clock, ticketSigner }: Pick<Context, 'db' | 'clock' | 'ticketSigner'>,
  input: CardRequest,
): Promise<OfflineCode> {
  const { card } = await requireHeldCard(db, input, 'spend');
  requireActive(card);
  const now = clock.now();
  const madeMinute = Math.floor(now.getTime() / MINUTE_MS);
  requireNotExpired(card, now);
  const validUntilMinute = Math.min(madeMinute + CODE_VALID_MINUTES, endMinute(card));
  const { keyId } = ticketSigner;
  const fields = {
    ...{ keyId, cardId: card.id, number: card.number, balance: availableOn(card) },
    ...{ madeMinute, validUntilMinute, version: card.version },
  };
  return {
    payload: signCode(ticketSigner, card, fields),
    key_id: keyId,
    balance: availableOn(card),
    ...presentUnit(card),
    as_of: now.toISOString(),
    valid_until: new Date(validUntilMinute * MINUTE_MS).toISOString(),
  };
}

/** A pass has another format, so that a gate does not take its trips for money. */
function signCode({ sign }: Context['ticketSigner'], { pass }: TripCardRow, fields: TripCardCode): string {
  if (pass === null) {
    const signed = tripCardFormat.encode(fields);
    return formatTripCardCode(signed, sign(signed));
  }
  const signed = passFormat.encode({ ...fields, product: pass.code });
  return formatPassCode(signed, sign(signed));
}

function endMinute({ expiresAt }: TripCardRow): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Math.floor(expiresAt.getTime() / MINUTE_MS);
}

/** The number below which a page of a history starts; 0 beyond the end. */
export function firstBefore(total: number, { offset }: ListQuery): number {
  return Math.max(0, total - offset + 1);
}

/** The number after which a history continues; null at its end. */
export function nextBefore(rows: readonly { seq: number }[]): number | null {
  const last = rows.at(-1)?.seq ?? 1;
  return last > 1 ? last : null;
}

/** Open debts per card; cards without debts are left out. */
async function sumDebts(db: Database, cardIds: readonly string[]): Promise<Map<string | null, number>> {
  const rows = await db
    .select({
      cardId: tripCardDebts.tripCardId,
      owed: sql<number>`sum(${tripCardDebts.amount} - ${tripCardDebts.settled})::int`,
    })
    .from(tripCardDebts)
    .where(and(inArray(tripCardDebts.tripCardId, [...cardIds]), isOpenDebt))
    .groupBy(tripCardDebts.tripCardId);
  return new Map(rows.map(({ cardId, owed }) => [cardId, owed]));
}
