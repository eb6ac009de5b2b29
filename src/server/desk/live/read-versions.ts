import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { listWork } from '../list-work.ts';

/**
 * A version of what the desk sees of the boats that leave on some calendar days, by day. It costs sales nothing: no sale
 * writes anything for it.
 */
export async function readBoatVersions(
  db: Database,
  days: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  // A boat after midnight belongs to the service day before.
  const serviceDays = new Set([...days].flatMap((day) => [addDays(day, -1), day]));
  const rows = await queryRows<{ day: string; version: string }>(
    db,
    sql`
    select listed.day, concat_ws('.',
      (select sum(hashtextextended(concat_ws(' ', s.id, s.version, s.status, s.delay_minutes, s.statements, s.sales_close_at,
          s.check_in_closed_at, s.departed_at, s.withdrawn, s.oversubscribed), 0))
        from sailings s where s.service_date = listed.day::date),
      (select sum(hashtextextended(concat_ws(' ', c.voyage_id, c.stretch, c.resource, c.total, c.held, c.sold, c.held_back), 0))
        from voyages v join voyage_capacity c on c.voyage_id = v.id where v.service_date = listed.day::date),
      (select concat_ws('-', count(*), sum(b.times), max(b.boarded_at))
        from sailings s join ticket_boardings b on b.sailing_id = s.id where s.service_date = listed.day::date),
      (select sum(hashtextextended(concat_ws(' ', o.id, o.updated_at), 0)) from rebooking_offers o where o.status = 'open')
    ) as version
    from jsonb_array_elements_text(${JSON.stringify([...serviceDays])}::jsonb) as listed (day)`,
  );
  const versions = new Map(rows.map(({ day, version }) => [day, version]));
  return new Map([...days].map((day) => [day, digest([versions.get(addDays(day, -1)), versions.get(day)])]));
}

/** A version of the list of what needs a person, of any role. */
export async function readWorkVersion(context: Pick<Context, 'db' | 'clock'>): Promise<string> {
  const { as_of: _, ...work } = await listWork(context, { role: 'manager' });
  return digest(work);
}

/** Short, because browsers send it back. Reveals nothing of what it is about. */
function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
