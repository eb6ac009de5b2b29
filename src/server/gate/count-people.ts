import { and, desc, eq, inArray, sql } from 'drizzle-orm';
import type { PeopleAboard } from '#contract/gate/schemas.ts';
import { translateTexts } from '#messages/translations.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { departureCounts, gateEvents } from '#server/database/schema/gate.ts';
import { passengerTypes, sailings } from '#server/database/schema/timetable.ts';

/** The number of people aboard and its parts. */
export type Counted = Pick<
  typeof departureCounts.$inferSelect,
  'byType' | 'unticketed' | 'through' | 'people'
>;

/** Counts the people aboard the boat of some sailings of one voyage from one port. */
export async function countPeople(tx: Database, sailingIds: readonly string[]): Promise<Counted> {
  const rows = await queryRows<{ type: string; people: number }>(
    tx,
    sql`
    select coalesce(l.type_code, '') as type, count(*)::int as people
    from ticket_boardings b
    join tickets t on t.id = b.ticket_id and t.kind = 'passenger'
    join order_lines l on l.id = t.line_id
    where b.sailing_id in (select jsonb_array_elements_text(${JSON.stringify(sailingIds)}::jsonb))
    group by 1`,
  );
  const unticketed = sum((await countUnticketed(tx, sailingIds)).values());
  const [through = 0] = (await countThroughPassengers(tx, sailingIds)).values();
  return {
    byType: Object.fromEntries(rows.map(({ type, people }) => [type, people])),
    unticketed,
    through,
    people: sum(rows.map(({ people }) => people)) + unticketed + through,
  };
}

/** What the masters of departed boats were told last, by sailing, in a reader's language. */
export async function readPeopleAboard(
  db: Database,
  ids: readonly string[],
  language: string,
): Promise<Map<string, PeopleAboard>> {
  const rows = await db
    .selectDistinctOn([sailings.id], { id: sailings.id, count: departureCounts })
    .from(sailings)
    .innerJoin(
      departureCounts,
      and(eq(departureCounts.voyageId, sailings.voyageId), eq(departureCounts.stop, sailings.firstStop)),
    )
    .where(and(inArray(sailings.id, [...ids]), sql`${sailings.departedAt} is not null`))
    .orderBy(sailings.id, desc(departureCounts.number));
  if (rows.length === 0) return new Map();
  const types = await db.select().from(passengerTypes).orderBy(passengerTypes.sort);
  return new Map(
    rows.map(({ id, count }) => [
      id,
      {
        people: count.people,
        by_type: types.flatMap((type) => {
          const people = count.byType[type.code] ?? 0;
          return people === 0 ? [] : [{ title: translateTexts(type, language).name, people }];
        }),
        unticketed: count.unticketed,
        through: count.through,
        counted_at: count.countedAt.toISOString(),
        is_corrected: count.number > 1,
      },
    ]),
  );
}

/** People without tickets that gates have counted, by sailing. */
export async function countUnticketed(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const undo = sql`exists (select from gate_events u where u.undoes = ${gateEvents.id})`;
  const rows = await db
    .select({ sailingId: gateEvents.sailingId, people: sql<number>`sum(${gateEvents.people})::int` })
    .from(gateEvents)
    .where(and(inArray(gateEvents.sailingId, [...ids]), eq(gateEvents.type, 'count'), sql`not ${undo}`))
    .groupBy(gateEvents.sailingId);
  return new Map(rows.map(({ sailingId, people }) => [sailingId, people]));
}

/** People who are aboard when the boat comes to the port of a sailing, and stay aboard. */
export async function countThroughPassengers(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await queryRows<{ id: string; people: number }>(
    db,
    sql`
    select s.id, count(*)::int as people
    from sailings s
    join sailings earlier on earlier.voyage_id = s.voyage_id
      and earlier.first_stop < s.first_stop and earlier.last_stop > s.first_stop
    join ticket_boardings b on b.sailing_id = earlier.id
    join tickets t on t.id = b.ticket_id and t.kind = 'passenger'
    where s.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    group by s.id`,
  );
  return new Map(rows.map(({ id, people }) => [id, people]));
}

export function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}
