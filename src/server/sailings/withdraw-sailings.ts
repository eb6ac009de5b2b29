import { type SQL, sql } from 'drizzle-orm';
import type { SailingStatement } from '#domain/sailings/exceptions.ts';
import { changePlaces } from '../capacity/places.ts';
import { type Database, queryRows } from '../database/database.ts';
import { forEachChunk } from './bulk.ts';
import { type AffectedOrder, markOrders } from './notices/notify-passengers.ts';

/**
 * Deletes sailings without holds, orders and a reported departure, with what is held back of them and voyages that have no
 * other, and cancels the rest.
 * @param input kind: what the passengers of those canceled are told
 * @returns how many of the sailings were canceled
 */
export async function withdrawSailings(
  db: Database,
  ids: readonly string[],
  { kind, now }: { kind: 'withdrawn' | 'extra_withdrawn'; now: Date },
): Promise<{ sailings: number; affected: AffectedOrder[] }> {
  const inUse: string[] = [];
  const statements: SailingStatement[] = [{ kind, reason: null, text: '' }];
  await forEachChunk(ids, async (list) => {
    // Purchases lock a sailing's capacity before they refer to the sailing. The same order here prevents both deadlocks
    // and purchases on a sailing being deleted.
    await db.execute(sql`
      select from voyage_capacity where voyage_id in (select voyage_id from sailings where id in ${list})
      order by voyage_id, stretch, resource for update`);
    await db.execute(sql`select from sailings where id in ${list} order by id for update`);
    const rows = await queryRows<{ id: string }>(
      db,
      sql`select id from sailings s where id in ${list} and (${isReferredTo})`,
    );
    inUse.push(...rows.map((row) => row.id));
    // Other sailings of the voyage sell them again.
    const heldBack = sql`(
      select s.id as sailing_id, place.resource, place.amount
      from sailings s join held_back_places b on b.sailing_id = s.id
      cross join lateral jsonb_to_recordset(b.places) as place (resource text, amount int)
      where s.id in ${list} and not (${isReferredTo}))`;
    await db.execute(changePlaces(heldBack, sql`held_back = c.held_back - g.amount`));
    await db.execute(sql`
      with removed as (
        delete from sailings s where id in ${list} and not (${isReferredTo}) returning id, voyage_id
      )
      delete from voyages v using removed where v.id = removed.voyage_id and not exists (
        select from sailings s where s.voyage_id = v.id and s.id not in (select id from removed))`);
  });
  await forEachChunk(inUse, async (list) => {
    await db.execute(sql`
      update sailings set status = 'canceled', withdrawn = true, version = version + 1,
        status_text = '', statements = ${JSON.stringify(statements)}::jsonb, updated_at = ${now.toISOString()}
      where id in ${list}`);
  });
  return {
    sailings: inUse.length,
    affected: await markOrders(db, { ids: inUse, why: 'sailing_canceled', now }),
  };
}

const isReferredTo: SQL = sql`
  exists (select from hold_items where sailing_id = s.id)
  or exists (select from order_lines where sailing_id = s.id)
  or exists (select from line_capacity where sailing_id = s.id)
  or exists (select from tickets where sailing_id = s.id)
  or exists (select from gate_events where sailing_id = s.id)
  or exists (select from queue_entries where sailing_id = s.id)
  or departed_at is not null`;
