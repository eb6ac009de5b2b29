import { sql } from 'drizzle-orm';
import type { LineItem } from '#domain/fares/line-item.ts';
import type { Assistance } from '#domain/orders/assistance.ts';
import { findTravelerName } from '#domain/orders/travelers.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import { describeNeeds } from '#sentences/assistance.ts';
import { titleTicket } from '#sentences/order-lines.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Table } from '../csv/format-table.ts';
import { type Database, queryRows } from '../database/database.ts';
import type { NamedVoyage } from './find-voyage.ts';

type Entry = {
  from: string;
  to: string;
  reference: string;
  kind: 'passenger' | 'vehicle' | 'bicycle';
  id: string;
  item: LineItem | null;
  description: string;
  traveler_names: string[];
  assistance: Assistance | null;
  party_index: number;
  contact: string;
  phone: string;
  plate: string;
  length_cm: number | null;
  status: string;
};

const HAS_ACTIVE_TICKETS = sql`('issued', 'checked_in', 'boarded')`;

/** Everyone and every vehicle with a ticket for a voyage, by port of boarding. */
export async function listPassengers(db: Database, voyage: Pick<NamedVoyage, 'id'>): Promise<Table> {
  const entries = await queryRows<Entry>(
    db,
    sql`
    select origin.code as "from", destination.code as "to", o.reference, t.kind, l.id, l.item, l.description,
      o.traveler_names, o.assistance, t.party_index, o.contact_name as contact, o.contact_phone as phone,
      coalesce(case when t.kind = 'vehicle' then coalesce(l.plate, o.plate) end, '') as plate,
      case when t.kind = 'vehicle' then (v.vehicle ->> 'length_cm')::int + coalesce((v.vehicle ->> 'trailer_cm')::int, 0)
      end as length_cm,
      t.status
    from tickets t
    join orders o on o.id = t.order_id
    join order_lines l on l.id = t.line_id
    cross join lateral (select coalesce(l.vehicle, o.vehicle) as vehicle) v
    join sailings s on s.id = t.sailing_id
    join routes r on r.id = s.route_id
    join ports origin on origin.id = r.origin_port_id
    join ports destination on destination.id = r.destination_port_id
    where s.voyage_id = ${voyage.id} and t.status in ${HAS_ACTIVE_TICKETS}
    order by s.first_stop, s.last_stop, t.kind, o.reference, t.party_index`,
  );
  const t = textsIn(COMMAND_LANGUAGE);
  return {
    columns: [
      'from',
      'to',
      'order',
      'kind',
      'ticket',
      'passenger',
      'assistance',
      'contact',
      'phone',
      'plate',
      'length_cm',
      'status',
    ],
    rows: entries.map((entry) => [
      entry.from,
      entry.to,
      entry.reference,
      entry.kind,
      titleTicket(t, { lineId: entry.id }, { lines: [entry], plate: null }),
      findTravelerName(entry.traveler_names, { kind: entry.kind, partyIndex: entry.party_index }) ?? '',
      describeEntry(entry),
      entry.contact,
      entry.phone,
      entry.plate,
      entry.length_cm ?? '',
      entry.status,
    ]),
  };
}

function describeEntry({ assistance, kind, party_index }: Entry): string {
  const asked = assistance?.travelers.find(({ traveler }) => traveler === party_index);
  return kind === 'passenger' && asked ? describeNeeds(textsIn(COMMAND_LANGUAGE), asked) : '';
}

type StretchCount = {
  from: string;
  to: string;
  passengers: number;
  places: number;
  vehicles: number;
  lane_cm: number;
  bicycles: number;
};

/** The sold places and the capacity of each stretch of a voyage. */
export async function countByStretch(db: Database, voyage: Pick<NamedVoyage, 'id'>): Promise<Table> {
  const counts = await queryRows<StretchCount>(
    db,
    sql`
    select origin.code as "from", destination.code as "to",
      coalesce(sum(c.sold) filter (where c.resource = 'passenger'), 0)::int as passengers,
      coalesce(sum(c.total) filter (where c.resource = 'passenger'), 0)::int as places,
      (select count(*)::int from tickets t join sailings s on s.id = t.sailing_id
        where s.voyage_id = v.id and s.first_stop <= c.stretch and c.stretch < s.last_stop
          and t.kind = 'vehicle' and t.status in ${HAS_ACTIVE_TICKETS}) as vehicles,
      coalesce(sum(c.sold) filter (where c.resource in ('lane_cm', 'tall_lane_cm')), 0)::int as lane_cm,
      coalesce(sum(c.sold) filter (where c.resource = 'bicycle'), 0)::int as bicycles
    from voyages v
    join voyage_capacity c on c.voyage_id = v.id
    join ports origin on origin.id = v.stops -> c.stretch ->> 'port_id'
    join ports destination on destination.id = v.stops -> (c.stretch + 1) ->> 'port_id'
    where v.id = ${voyage.id}
    group by v.id, c.stretch, origin.code, destination.code
    order by c.stretch`,
  );
  return {
    columns: ['from', 'to', 'passengers', 'places', 'vehicles', 'lane_cm', 'bicycles'],
    rows: counts.map((row) => [
      row.from,
      row.to,
      row.passengers,
      row.places,
      row.vehicles,
      row.lane_cm,
      row.bicycles,
    ]),
  };
}
