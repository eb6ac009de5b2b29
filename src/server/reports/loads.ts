import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { type Period, queryReport, type ReportRows } from './report-query.ts';

/**
 * Places, lanes, tickets and boarding of each sailing of the service days. Each port pair of a boat is a sailing. Lanes are
 * in centimeters, with the gap between vehicles. A lane that was freed because its vehicle did not come counts as sold.
 */
export function reportLoads(db: Database, { from, until, zone }: Period): Promise<ReportRows> {
  return queryReport(
    db,
    [
      ...(['day', 'time', 'route', 'vessel'] as const),
      ...(['places', 'people', 'boarded', 'no_shows', 'left_behind'] as const),
      ...(['vehicles', 'vehicles_boarded', 'vehicles_no_shows', 'vehicles_left_behind'] as const),
      ...(['lane', 'lane_sold', 'lane_boarded', 'lane_no_shows', 'lane_left_behind'] as const),
      ...(['gross', 'currency'] as const),
    ],
    sql`
      select s.service_date::text as day, to_char(s.departs_at at time zone ${zone}, 'HH24:MI') as time,
        r.code as route, v.name as vessel, v.passenger_capacity as places,
        t.people, t.boarded, t.no_shows, q.people as left_behind,
        t.vehicles, t.vehicles_boarded, t.vehicles_no_shows, q.vehicles as vehicles_left_behind,
        v.lane_cm + v.tall_lane_cm as lane, t.lane_sold, t.lane_boarded, t.lane_no_shows, q.lane as lane_left_behind,
        coalesce(e.gross, 0)::float8 as gross, coalesce(e.currency, (select currency from feed limit 1)) as currency
      from sailings s
      join routes r on r.id = s.route_id
      join voyages y on y.id = s.voyage_id
      join vessels v on v.id = y.vessel_id
      cross join lateral (
        select count(*) filter (where kind = 'passenger')::float8 as people,
          count(*) filter (where kind = 'passenger' and status = 'boarded')::float8 as boarded,
          count(*) filter (where kind = 'passenger' and status = 'no_show')::float8 as no_shows,
          count(*) filter (where kind = 'vehicle')::float8 as vehicles,
          count(*) filter (where kind = 'vehicle' and status = 'boarded')::float8 as vehicles_boarded,
          count(*) filter (where kind = 'vehicle' and status = 'no_show')::float8 as vehicles_no_shows,
          coalesce(sum(lane), 0)::float8 as lane_sold,
          coalesce(sum(lane) filter (where status = 'boarded'), 0)::float8 as lane_boarded,
          coalesce(sum(lane) filter (where status = 'no_show'), 0)::float8 as lane_no_shows
        from (
          select kind, status, case when kind = 'vehicle' then coalesce(
            (select sum(amount) from freed_places where ticket_id = tickets.id and resource in ('lane_cm', 'tall_lane_cm')),
            (select sum(amount) from line_capacity
              where line_id = tickets.line_id and resource in ('lane_cm', 'tall_lane_cm'))
          ) end as lane
          from tickets where sailing_id = s.id and status not in ('canceled', 'replaced')
        ) each_ticket
      ) t
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
      where s.service_date between ${from}::date and ${until}::date
        and (t.people + t.vehicles + q.people + q.vehicles > 0 or coalesce(e.gross, 0) <> 0)
      order by s.departs_at, r.code
    `,
  );
}
