import { sql } from 'drizzle-orm';
import { getClockTime } from '#domain/time/port-time.ts';
import type { Table } from '../csv/format-table.ts';
import { type Database, queryRows } from '../database/database.ts';
import { findPort } from './find-voyage.ts';

type Departure = {
  departs_at: string;
  zone: string;
  origin: string;
  stops: string;
  line: string;
  vessel: string;
  status: string;
  delay_minutes: number;
  sold: number;
  total: number;
  note: string;
  id: string;
};

/**
 * The departures of a service day, of one port or of all: each voyage once per port it departs from, with the places
 * sold and held on the stretch that begins there.
 */
export async function listDepartures(
  db: Database,
  { day, port }: { day: string; port: string | null },
): Promise<Table> {
  const portId = port === null ? null : (await findPort(db, port)).id;
  const rows = await queryRows<Departure>(
    db,
    sql`
    select distinct on (s.departs_at, origin.code, v.id)
      s.departs_at, origin.time_zone as zone, origin.code as origin, r.gtfs_route_id as line, ves.name as vessel,
      s.status, s.delay_minutes, coalesce(c.held + c.sold, 0)::int as sold, coalesce(c.total, 0)::int as total,
      case when s.oversubscribed then 'oversold. ' else '' end || s.status_text as note, s.id,
      (select string_agg(p.code, ' ' order by stop.position)
        from jsonb_array_elements(v.stops) with ordinality as stop (value, position)
        join ports p on p.id = stop.value ->> 'port_id'
        where stop.position > s.first_stop + 1) as stops
    from sailings s
    join voyages v on v.id = s.voyage_id
    join routes r on r.id = s.route_id
    join ports origin on origin.id = r.origin_port_id
    join vessels ves on ves.id = v.vessel_id
    left join voyage_capacity c on c.voyage_id = v.id and c.stretch = s.first_stop and c.resource = 'passenger'
    where s.service_date = ${day} ${portId === null ? sql`` : sql`and r.origin_port_id = ${portId}`}
    order by s.departs_at, origin.code, v.id, s.last_stop desc`,
  );
  return {
    columns: [
      'departs',
      'from',
      'to',
      'line',
      'boat',
      'status',
      'late',
      'taken',
      'places',
      'sailing',
      'note',
    ],
    rows: rows.map((row) => [
      getClockTime(new Date(row.departs_at).getTime(), row.zone),
      row.origin,
      row.stops,
      row.line,
      row.vessel,
      row.status,
      row.delay_minutes,
      row.sold,
      row.total,
      row.id,
      row.note,
    ]),
  };
}
