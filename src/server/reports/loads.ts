import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';
import { type Period, queryReport, type ReportRows } from './report-query.ts';

/** Places, tickets and boarding of each sailing of the service days. Each port pair of a boat is a sailing. */
export function reportLoads(db: Database, { from, until, zone }: Period): Promise<ReportRows> {
  return queryReport(
    db,
    [
      ...([
        'day',
        'time',
        'route',
        'vessel',
        'places',
        'people',
        'boarded',
        'no_shows',
        'left_behind',
      ] as const),
      ...(['vehicles', 'gross', 'currency'] as const),
    ],
    sql`
      select s.service_date::text as day, to_char(s.departs_at at time zone ${zone}, 'HH24:MI') as time,
        r.code as route, v.name as vessel, v.passenger_capacity as places, t.people, t.boarded, t.no_shows,
        coalesce(q.people, 0)::float8 as left_behind, t.vehicles, coalesce(e.gross, 0)::float8 as gross,
        coalesce(e.currency, (select currency from feed limit 1)) as currency
      from sailings s
      join routes r on r.id = s.route_id
      join voyages y on y.id = s.voyage_id
      join vessels v on v.id = y.vessel_id
      cross join lateral (
        select count(*) filter (where kind = 'passenger')::float8 as people,
          count(*) filter (where kind = 'passenger' and status = 'boarded')::float8 as boarded,
          count(*) filter (where kind = 'passenger' and status = 'no_show')::float8 as no_shows,
          count(*) filter (where kind = 'vehicle')::float8 as vehicles
        from tickets where sailing_id = s.id and status not in ('canceled', 'replaced')
      ) t
      left join lateral (
        select sum(people) as people from queue_entries where sailing_id = s.id and status = 'left_behind'
      ) q on true
      left join lateral (
        select sum(gross) as gross, currency from sale_entries
        where sailing_id = s.id and travel_day = s.service_date group by currency limit 1
      ) e on true
      where s.service_date between ${from}::date and ${until}::date
        and (t.people + t.vehicles > 0 or coalesce(q.people, 0) > 0 or coalesce(e.gross, 0) <> 0)
      order by s.departs_at, r.code
    `,
  );
}
