import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';

/** Adds the capacity of stretches that have none yet, from their vessels. Enough for new voyages. */
export async function addCapacities(db: Database, list: SQL, now: Date): Promise<void> {
  await db.execute(sql`
    insert into voyage_capacity (voyage_id, stretch, resource, total, sellable_online)
    select w.voyage_id, w.stretch, w.resource, w.total, w.sellable from (${plannedCapacities(list, now)}) w
    where w.total > 0
      and not exists (select from voyage_capacity c
        where c.voyage_id = w.voyage_id and c.stretch = w.stretch and c.resource = w.resource)
    order by w.voyage_id, w.stretch, w.resource
    on conflict do nothing`);
}

/**
 * Capacity of the stretches ahead of some voyages, from their vessels. Taken places stay: if they exceed
 * the new capacity, the sailings that cover the stretch are marked oversubscribed and their sales stop.
 */
export async function writeCapacities(db: Database, list: SQL, now: Date): Promise<void> {
  const planned = plannedCapacities(list, now);
  await addCapacities(db, list, now);
  await db.execute(sql`
    update voyage_capacity c
    set total = w.total, sellable_online = greatest(w.sellable, c.held + c.sold)
    from (${planned}) w
    where c.voyage_id = w.voyage_id and c.stretch = w.stretch and c.resource = w.resource
      and (c.total <> w.total or c.sellable_online <> greatest(w.sellable, c.held + c.sold))`);
  await db.execute(sql`
    update sailings s set oversubscribed = o.is_over
    from (
      select s.id, bool_or(c.held + c.sold > c.total) as is_over
      from sailings s
      join voyage_capacity c on c.voyage_id = s.voyage_id and c.stretch >= s.first_stop and c.stretch < s.last_stop
      where s.voyage_id in ${list} group by s.id
    ) o
    where o.id = s.id and s.departs_at > ${now.toISOString()} and s.oversubscribed <> o.is_over`);
}

/** The capacity of each stretch that departs after `now`: that of the vessel, without what no route carries. */
function plannedCapacities(voyageIds: SQL, now: Date): SQL {
  return sql`
    select voy.id as voyage_id, stop.place::int - 1 as stretch, r.resource, r.total,
      r.total * v.online_percent / 100 as sellable
    from voyages voy
    join vessels v on v.id = voy.vessel_id
    cross join lateral (
      select bool_or(carries_vehicles) as vehicles, bool_or(carries_bicycles) as bicycles
      from sailings s join routes on routes.id = s.route_id where s.voyage_id = voy.id
    ) as carried
    cross join lateral jsonb_array_elements(voy.stops) with ordinality as stop (value, place)
    cross join lateral (values
      ('passenger', v.passenger_capacity),
      ('lane_cm', case when carried.vehicles then v.lane_cm else 0 end),
      ('tall_lane_cm', case when carried.vehicles then v.tall_lane_cm else 0 end),
      ('bicycle', case when carried.bicycles then v.bicycle_capacity else 0 end)
    ) as r (resource, total)
    where voy.id in ${voyageIds} and (stop.value ->> 'departs_at')::timestamptz > ${now.toISOString()}`;
}

/**
 * Replaces the capacity of voyages, with the places that active holds and paid orders take on each stretch, and those
 * held back.
 */
export async function recountCapacities(db: Database, list: SQL, now: Date): Promise<void> {
  await db.execute(sql`delete from voyage_capacity where voyage_id in ${list}`);
  await db.execute(sql`
    with taken as (
      select i.sailing_id, i.resource, i.amount as held, 0 as sold, 0 as held_back
      from hold_items i join holds h on h.id = i.hold_id
      where h.status = 'active'
      union all
      select p.sailing_id, p.resource, 0, p.amount, 0
      from line_capacity p
      join order_lines l on l.id = p.line_id and l.status = 'active'
      join orders o on o.id = l.order_id and o.status in ('confirmed', 'partly_canceled', 'completed')
      union all
      select b.sailing_id, place.resource, 0, 0, place.amount
      from held_back_places b
      cross join lateral jsonb_to_recordset(b.places) as place (resource text, amount int)
    )
    insert into voyage_capacity (voyage_id, stretch, resource, total, sellable_online, held, sold, held_back)
    select w.voyage_id, w.stretch, w.resource, w.total, greatest(w.sellable, t.held + t.sold), t.held, t.sold, t.held_back
    from (${plannedCapacities(list, now)}) w
    cross join lateral (
      select coalesce(sum(taken.held), 0)::int as held, coalesce(sum(taken.sold), 0)::int as sold,
        coalesce(sum(taken.held_back), 0)::int as held_back
      from sailings s join taken on taken.sailing_id = s.id
      where s.voyage_id = w.voyage_id and s.first_stop <= w.stretch and s.last_stop > w.stretch
        and taken.resource = w.resource
    ) t
    where w.total > 0 or t.held + t.sold + t.held_back > 0`);
}
