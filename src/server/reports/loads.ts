import { type SQL, sql } from 'drizzle-orm';
import { GATE_REPORTS, knowsWhoCame } from '../capacity/no-shows.ts';
import type { Database } from '../database/database.ts';
import { type Period, queryReport, type ReportRows } from './report-query.ts';

/**
 * Places, lanes, tickets and boarding of each sailing of the service days that has run, or that has tickets. Each port pair of
 * a boat is a sailing; its percentages are of all tickets for the boat as it leaves the port. Lanes are in centimeters, with
 * the gap between vehicles. A lane that was freed because its vehicle did not come counts as sold. Who did not come is empty
 * before the departure, and if it is not known (`gate`: `unused`).
 */
export function reportLoads(db: Database, { from, until, zone, now }: Period): Promise<ReportRows> {
  const isListed = sql`s.service_date between ${from}::date and ${until}::date`;
  /** Empty if it is not known yet, or cannot be known. `marked`: what was marked when check-in closed. */
  const absent = (all: SQL, aboard: SQL, marked: SQL) =>
    sql`(case when not d.has_left then nullif(${marked}, 0) when b.uses_gate then ${all} - ${aboard} end)`;
  const percent = (part: SQL, whole: SQL) => sql`round(${part} * 10000 / nullif(${whole}, 0))::float8`;
  const carried = (lane: SQL) => sql`case when r.carries_vehicles then ${lane} end`;
  return queryReport(
    db,
    [
      ...(['day', 'time', 'route', 'vessel'] as const),
      ...(['places', 'people', 'people_percent', 'gate', 'boarded', 'no_shows', 'left_behind'] as const),
      ...(['vehicles', 'vehicles_boarded', 'vehicles_no_shows', 'vehicles_left_behind'] as const),
      ...(['lane', 'lane_sold', 'lane_percent', 'tall_lane_percent'] as const),
      ...(['lane_boarded', 'lane_no_shows', 'lane_left_behind', 'gross', 'currency'] as const),
    ],
    sql`
      with sold as (
        select s.id as sailing_id, s.voyage_id, s.first_stop, s.last_stop,
          ${GATE_REPORTS},
          count(*) filter (where k.kind = 'passenger')::float8 as people,
          count(*) filter (where k.kind = 'passenger' and k.status = 'boarded')::float8 as boarded,
          count(*) filter (where k.kind = 'passenger' and k.status = 'no_show')::float8 as marked,
          count(*) filter (where k.kind = 'vehicle')::float8 as vehicles,
          count(*) filter (where k.kind = 'vehicle' and k.status = 'boarded')::float8 as vehicles_boarded,
          count(*) filter (where k.kind = 'vehicle' and k.status = 'no_show')::float8 as vehicles_marked,
          coalesce(sum(l.normal), 0)::float8 as normal_lane,
          coalesce(sum(l.tall), 0)::float8 as tall_lane,
          coalesce(sum(l.normal + l.tall), 0)::float8 as lane,
          coalesce(sum(l.normal + l.tall) filter (where k.status = 'boarded'), 0)::float8 as lane_boarded,
          coalesce(sum(l.normal + l.tall) filter (where k.status = 'no_show'), 0)::float8 as lane_marked
        from sailings s
        left join tickets k on k.sailing_id = s.id and k.status not in ('canceled', 'replaced')
        left join lateral (
          select coalesce(sum(amount) filter (where resource = 'lane_cm'), 0) as normal,
            coalesce(sum(amount) filter (where resource = 'tall_lane_cm'), 0) as tall
          from (
            select resource, amount from freed_places where ticket_id = k.id
            union all
            select resource, amount from line_capacity
            where line_id = k.line_id and not exists (select from freed_places where ticket_id = k.id)
          ) taken
        ) l on k.kind = 'vehicle'
        where ${isListed}
        group by s.id
      ), boats as (
        select s.sailing_id,
          ${knowsWhoCame(sql`filter (where o.first_stop = s.first_stop)`)} as uses_gate,
          sum(o.people) as people, sum(o.normal_lane) as normal_lane, sum(o.tall_lane) as tall_lane
        from sold s
        join sold o on o.voyage_id = s.voyage_id and o.first_stop <= s.first_stop and o.last_stop > s.first_stop
        group by s.sailing_id
      )
      select s.service_date::text as day, to_char(s.departs_at at time zone ${zone}, 'HH24:MI') as time,
        r.code as route, v.name as vessel, v.passenger_capacity as places, t.people, t.boarded,
        ${percent(sql`b.people`, sql`v.passenger_capacity`)} as people_percent,
        case when b.uses_gate then 'used' when d.has_left then 'unused' end as gate,
        ${absent(sql`t.people`, sql`t.boarded`, sql`t.marked`)} as no_shows, q.people as left_behind,
        t.vehicles, t.vehicles_boarded, q.vehicles as vehicles_left_behind,
        ${absent(sql`t.vehicles`, sql`t.vehicles_boarded`, sql`t.vehicles_marked`)} as vehicles_no_shows,
        v.lane_cm + v.tall_lane_cm as lane, t.lane as lane_sold, t.lane_boarded,
        ${percent(sql`b.normal_lane`, carried(sql`v.lane_cm`))} as lane_percent,
        ${percent(sql`b.tall_lane`, carried(sql`v.tall_lane_cm`))} as tall_lane_percent,
        ${absent(sql`t.lane`, sql`t.lane_boarded`, sql`t.lane_marked`)} as lane_no_shows, q.lane as lane_left_behind,
        coalesce(e.gross, 0)::float8 as gross, coalesce(e.currency, (select currency from feed limit 1)) as currency
      from sailings s
      join sold t on t.sailing_id = s.id
      join routes r on r.id = s.route_id
      join voyages y on y.id = s.voyage_id
      join vessels v on v.id = y.vessel_id
      join boats b on b.sailing_id = s.id
      cross join lateral (
        select s.departed_at is not null
          or s.departs_at + make_interval(mins => s.delay_minutes) <= ${now.toISOString()}::timestamptz as has_left
      ) d
      cross join lateral (
        select coalesce(sum(people), 0)::float8 as people, coalesce(sum(vehicles), 0)::float8 as vehicles,
          coalesce(sum(
            coalesce((party -> 'vehicle' ->> 'length_cm')::int, k.fixed_lane_cm, k.max_length_cm)
              + coalesce((party -> 'vehicle' ->> 'trailer_cm')::int, 0) + k.gap_cm
          ), 0)::float8 as lane
        from queue_entries left join vehicle_types k on k.code = party -> 'vehicle' ->> 'type'
        where sailing_id = s.id and status = 'left_behind'
      ) q
      left join lateral (
        select sum(gross) as gross, currency from sale_entries
        where sailing_id = s.id and travel_day = s.service_date group by currency limit 1
      ) e on true
      where (d.has_left and s.status <> 'canceled' and not s.withdrawn)
        or t.people + t.vehicles + q.people + q.vehicles > 0 or coalesce(e.gross, 0) <> 0
      order by s.departs_at, r.code
    `,
  );
}
