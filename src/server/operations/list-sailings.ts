import { sql } from 'drizzle-orm';
import { isDoubleBooked } from '#domain/sailings/double-bookings.ts';
import type { SailingStatement } from '#domain/sailings/exceptions.ts';
import { addDays } from '#domain/time/days.ts';
import { getClockTime, getLocalDay } from '#domain/time/port-time.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import { listStatusSentences } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Table } from '../csv/format-table.ts';
import { type Database, queryRows } from '../database/database.ts';
import { readRunningVoyages } from '../sailings/double-bookings.ts';
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
  held_back: number;
  vehicles: number;
  lane_sold: number;
  lane_total: number;
  oversubscribed: boolean;
  statements: SailingStatement[];
  written: string;
  id: string;
  voyage: string;
};

export type DeparturesQuery = {
  /** Days of departure at the port, both inclusive. */
  from: string;
  until: string;
  /** A code; null: all ports. */
  port: string | null;
};

/**
 * The departures of some days, of one port or of all: each voyage once per port it departs from, with the places and
 * vehicles sold and held on the stretch that begins there. Lengths of lanes are in centimeters.
 */
export async function listDepartures(db: Database, { from, until, port }: DeparturesQuery): Promise<Table> {
  const portId = port === null ? null : (await findPort(db, port)).id;
  const rows = await queryRows<Departure>(
    db,
    sql`
    select distinct on (s.departs_at, origin.code, v.id)
      s.departs_at, origin.time_zone as zone, origin.code as origin, r.gtfs_route_id as line, ves.name as vessel,
      s.status, s.delay_minutes, coalesce(c.held + c.sold, 0)::int as sold, coalesce(c.total, 0)::int as total,
      coalesce(c.held_back, 0) as held_back,
      (select coalesce(sum(l.quantity), 0)::int from order_lines l
        join orders o on o.id = l.order_id and o.status in ('held', 'awaiting_payment', 'confirmed', 'partly_canceled')
        join sailings other on other.id = l.sailing_id
        where other.voyage_id = v.id and other.first_stop <= s.first_stop and s.first_stop < other.last_stop
          and l.kind = 'vehicle' and l.status = 'active') as vehicles,
      coalesce(lane.held + lane.sold, 0)::int as lane_sold, coalesce(lane.total, 0)::int as lane_total,
      s.oversubscribed, s.statements, s.status_text as written, s.id, v.id as voyage,
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
    left join (
      select voyage_id, stretch, sum(held)::int as held, sum(sold)::int as sold, sum(total)::int as total
      from voyage_capacity where resource in ('lane_cm', 'tall_lane_cm') group by voyage_id, stretch
    ) lane on lane.voyage_id = v.id and lane.stretch = s.first_stop
    where (s.departs_at at time zone origin.time_zone)::date between ${from} and ${until} ${portId === null ? sql`` : sql`and r.origin_port_id = ${portId}`}
    order by s.departs_at, origin.code, v.id, s.last_stop desc`,
  );
  const t = textsIn(COMMAND_LANGUAGE);
  const trips = await readRunningVoyages(db, { from: addDays(from, -2), until: addDays(until, 1) });
  const tripsById = new Map(trips.map((trip) => [trip.id, trip]));
  const tripsByVessel = Map.groupBy(trips, ({ vessel }) => vessel);
  const describeOther = ({ voyage }: Departure) => {
    const own = tripsById.get(voyage);
    const other =
      own && tripsByVessel.get(own.vessel)?.find((each) => each !== own && isDoubleBooked(own, each));
    return other ? [`boat also sold for ${other.departure} (${other.line}).`] : [];
  };
  return {
    columns: [
      ...['day', 'departs', 'from', 'to', 'line', 'boat', 'status', 'late', 'taken', 'places', 'held_back'],
      ...['vehicles', 'lane_taken_cm', 'lane_cm', 'sailing', 'note'],
    ],
    rows: rows.map((row) => {
      const departs = new Date(row.departs_at).getTime();
      return [
        ...[getLocalDay(departs, row.zone), getClockTime(departs, row.zone), row.origin, row.stops],
        ...[row.line, row.vessel, row.status, row.delay_minutes, row.sold, row.total, row.held_back],
        ...[
          row.vehicles,
          row.lane_sold,
          row.lane_total,
          row.id,
          [
            ...describeOther(row),
            ...(row.oversubscribed ? ['oversold.'] : []),
            ...listStatusSentences(t, { ...row, writtenStatusText: row.written }),
          ].join(' '),
        ],
      ];
    }),
  };
}
