import { eq, sql } from 'drizzle-orm';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { type HeldBackRow, heldBackPlaces } from '../database/schema/desk.ts';
import { holdItems } from '../database/schema/holds.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { countSellableFrom, lockHeldBackPlaces } from './held-back.ts';
import { changePlaces, insertHold, type NewHold, type Places, requestedRows } from './places.ts';
import { COUNT_SELLABLE_AT_RAMP } from './sale-conditions.ts';

/** Places held back as they were before a sale, and what the sale took of them. */
export type HeldBackSale = { row: HeldBackRow; sold: Places[] };

/** Like `takePlaces` at the ramp, also from places held back for the buyer. */
export function takePlacesFromHeldBack(
  db: Database,
  { ids, ...taken }: { ids: readonly string[]; hold: NewHold; places: readonly Places[] },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // Another clerk may be selling from them.
    await lockHeldBackPlaces(tx, ids);
    return insertHold(tx, { ...taken, salePoint: 'ramp', sellable: countSellableFrom(ids) });
  });
}

/**
 * Takes what a buyer's hold has of a sailing from the places that were held back for them, so that they do not count
 * twice. What is used up ends. Call it before the transaction locks capacity.
 */
export async function takeFromHeldBack(
  tx: Database,
  { ids, holdId }: { ids: readonly string[]; holdId: string },
): Promise<HeldBackSale[]> {
  if (ids.length === 0) return [];
  const rows = await lockHeldBackPlaces(tx, ids);
  const bought = await tx.select().from(holdItems).where(eq(holdItems.holdId, holdId));
  const left = bought.map(({ sailingId, resource, amount }) => ({ sailingId, resource, amount }));
  const sales: HeldBackSale[] = [];
  for (const row of rows) {
    const sold = row.places.flatMap(({ resource, amount }): Places[] => {
      const need = left.find((each) => each.sailingId === row.sailingId && each.resource === resource);
      const taken = Math.min(amount, need?.amount ?? 0);
      if (!need || taken === 0) return [];
      need.amount -= taken;
      return [{ sailingId: row.sailingId, resource, amount: taken }];
    });
    if (sold.length === 0) continue;
    await reduce(tx, { row, sold });
    sales.push({ row, sold });
  }
  return sales;
}

/** Records what was sold of places held back, in the transaction that takes them, as its last part. */
export async function recordHeldBackSales(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { sales, actor }: { sales: readonly HeldBackSale[]; actor: AuditActor },
): Promise<void> {
  for (const { row, sold } of sales) {
    await recordAudit(tx, context, {
      ...{ actor, action: 'held_back_places_sold', objectKind: 'sailing', objectId: row.sailingId },
      ...{ reason: row.reason, before: auditHeldBack(row.places), after: auditHeldBack(subtract(row, sold)) },
    });
  }
}

/** Amounts held back, as the audit log names them. */
export function auditHeldBack(places: HeldBackRow['places']): Record<string, number> {
  return Object.fromEntries(places.map(({ resource, amount }) => [`held_back_${resource}`, amount]));
}

/**
 * Why a sale at the ramp has no places, if it would have them without the places held back for others.
 * @param input ids: of what is held back for its buyer
 * @returns null if other places are short
 */
export async function explainHeldBack(
  db: Database,
  { places, ids }: { places: readonly Places[]; ids: readonly string[] },
): Promise<ApiError | null> {
  const sellable = ids.length === 0 ? COUNT_SELLABLE_AT_RAMP : countSellableFrom(ids);
  const rows = await queryRows<Places & { voyageId: string; onBoard: number; free: number }>(
    db,
    sql`
    select s.voyage_id as "voyageId", w.sailing_id as "sailingId", w.resource, w.amount,
      min(c.total - c.held - c.sold) as "onBoard", greatest(0, min(${sellable} - c.held - c.sold)) as free
    from (${requestedRows(places)}) w
    join sailings s on s.id = w.sailing_id
    join voyage_capacity c on c.voyage_id = s.voyage_id and c.resource = w.resource
      and c.stretch >= s.first_stop and c.stretch < s.last_stop
    group by s.voyage_id, w.sailing_id, w.resource, w.amount`,
  );
  const short = rows.find(({ amount, free }) => amount > free);
  if (!short || rows.some(({ amount, onBoard }) => amount > onBoard)) return null;
  const others = await listOthers(db, { ...short, ids });
  if (others.length === 0) return null;
  const { resource, free } = short;
  return new ApiError('places_held_back', {
    ...{ details: { resource, free, sailing_id: short.sailingId } },
    reason: 'held_back_for_others',
    params: (t) => ({
      ...{ resource, free, held_for: others.map(({ reason }) => t('“{reason}”', { reason })).join(', ') },
    }),
  });
}

async function reduce(tx: Database, { row, sold }: HeldBackSale): Promise<void> {
  const places = subtract(row, sold).filter(({ amount }) => amount > 0);
  const isRow = eq(heldBackPlaces.id, row.id);
  if (places.length === 0) await tx.delete(heldBackPlaces).where(isRow);
  else await tx.update(heldBackPlaces).set({ places }).where(isRow);
  await tx.execute(changePlaces(sql`(${requestedRows(sold)})`, sql`held_back = c.held_back - g.amount`));
}

function subtract({ places }: HeldBackRow, sold: readonly Places[]): HeldBackRow['places'] {
  return places.map(({ resource, amount }) => ({
    ...{ resource, amount: amount - (sold.find((each) => each.resource === resource)?.amount ?? 0) },
  }));
}

/** What is held back of a resource on a part of a sailing, the oldest first. */
async function listOthers(
  db: Database,
  { sailingId, resource, ids }: { sailingId: string; resource: CapacityResource; ids: readonly string[] },
): Promise<HeldBackRow[]> {
  const overlapping = sql`
    select other.id from sailings s
    join sailings other on other.voyage_id = s.voyage_id
      and other.first_stop < s.last_stop and other.last_stop > s.first_stop
    where s.id = ${sailingId}`;
  const rows = await db
    .select()
    .from(heldBackPlaces)
    .where(sql`${heldBackPlaces.sailingId} in (${overlapping})`)
    .orderBy(heldBackPlaces.insertedAt, heldBackPlaces.id);
  return rows.filter(
    ({ id, places }) => !ids.includes(id) && places.some((place) => place.resource === resource),
  );
}
