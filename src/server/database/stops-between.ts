import { sql } from 'drizzle-orm';
import type { Translations } from '#messages/translations.ts';
import { sailings, type VoyageStop, voyages } from './schema/timetable.ts';

/** A stop between the ports of a sailing, in order. */
export type StopBetween = VoyageStop & { name: string; time_zone: string; translations: Translations };

/** A column of a query on sailings joined with voyages. Null if there are none. */
export const stopsBetween = sql<StopBetween[] | null>`
  case when ${sailings.lastStop} - ${sailings.firstStop} > 1 then (
    select jsonb_agg(
      stop.value || jsonb_build_object('name', p.name, 'time_zone', p.time_zone, 'translations', p.translations)
      order by stop.place
    )
    from jsonb_array_elements(${voyages.stops}) with ordinality as stop (value, place)
    join ports p on p.id = stop.value ->> 'port_id'
    where stop.place > ${sailings.firstStop} + 1 and stop.place <= ${sailings.lastStop}
  ) end`;
