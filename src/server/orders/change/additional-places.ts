import { inArray } from 'drizzle-orm';
import type { Places } from '#server/capacity/places.ts';
import { sumPlaces } from '#server/capacity/sum-places.ts';
import type { Database } from '#server/database/database.ts';
import { lineCapacity, type OrderChangeRow } from '#server/database/schema/sales.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { listActiveLines } from '../crossings/replace-journeys.ts';
import type { StoredOrder } from '../queries.ts';

type Stretches = Pick<typeof sailings.$inferSelect, 'id' | 'voyageId' | 'firstStop' | 'lastStop'>;

/**
 * What the lines of a change take in addition to the places of the tickets that it replaces. Those count where their
 * sailing covers the new one; only the additional ones have to be held, so that a change is possible on a full boat.
 */
export async function listAdditionalPlaces(
  tx: Database,
  { sold, change }: { sold: StoredOrder; change: Pick<OrderChangeRow, 'journeys' | 'lines'> },
): Promise<Places[]> {
  const lineIds = listActiveLines(sold, change.journeys).map(({ id }) => id);
  const own = await tx.select().from(lineCapacity).where(inArray(lineCapacity.lineId, lineIds));
  const needed = sumPlaces(change.lines);
  const ids = [...new Set([...own, ...needed].map(({ sailingId }) => sailingId))];
  const stretches: Stretches[] = await tx
    .select({
      id: sailings.id,
      voyageId: sailings.voyageId,
      firstStop: sailings.firstStop,
      lastStop: sailings.lastStop,
    })
    .from(sailings)
    .where(inArray(sailings.id, ids));
  const covers = (outer: string, inner: string) => {
    const [a, b] = [outer, inner].map((id) => stretches.find((each) => each.id === id));
    return a && b && a.voyageId === b.voyageId && a.firstStop <= b.firstStop && a.lastStop >= b.lastStop;
  };
  return needed.flatMap((places) => {
    const has = own
      .filter(
        ({ resource, sailingId }) => resource === places.resource && covers(sailingId, places.sailingId),
      )
      .reduce((sum, { amount }) => sum + amount, 0);
    return places.amount > has ? [{ ...places, amount: places.amount - has }] : [];
  });
}
