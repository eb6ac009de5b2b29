import { sql } from 'drizzle-orm';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import { countFreeOnline } from '#domain/sailings/availability.ts';
import type { Places } from '#server/capacity/places.ts';
import { COUNT_SELLABLE } from '#server/capacity/sale-conditions.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import type { SailingRecord } from '../queries.ts';

/** The free places of sailings while many parties are placed in memory. Writes nothing. */
export type Room = {
  /** Zero if the sailing does not carry the resource. */
  countFree(sailing: SailingRecord, resource: CapacityResource): number;
  /**
   * Counts places on sailings as taken.
   * @returns false, with nothing taken, if they are not free on every stretch
   */
  take(sailings: readonly SailingRecord[], places: readonly Places[]): Promise<boolean>;
};

/** Numbers of places on a voyage, by stretch and resource. */
type FreePlaces = Map<string, number>;

export function createRoom(db: Database): Room {
  const voyages = new Map<string, FreePlaces>();
  const load = async ({ voyageId }: SailingRecord) => {
    const free = voyages.get(voyageId) ?? (await readVoyage(db, voyageId));
    voyages.set(voyageId, free);
    return free;
  };
  return {
    countFree(sailing, resource) {
      const capacity = sailing.capacity.find((each) => each.resource === resource);
      if (!capacity) return 0;
      const free = voyages.get(sailing.voyageId);
      if (!free) return countFreeOnline(capacity);
      return Math.min(...listStretches(sailing, resource).map((key) => free.get(key) ?? 0));
    },
    async take(sailings, places) {
      const demands = new Map<FreePlaces, FreePlaces>();
      for (const sailing of sailings) {
        const free = await load(sailing);
        const amounts: FreePlaces = demands.get(free) ?? new Map();
        demands.set(free, amounts);
        for (const { resource, amount } of places.filter(({ sailingId }) => sailingId === sailing.id)) {
          for (const key of listStretches(sailing, resource)) {
            amounts.set(key, (amounts.get(key) ?? 0) + amount);
          }
        }
      }
      const rows = [...demands].flatMap(([free, amounts]) =>
        [...amounts].map(([key, amount]) => ({ free, key, left: (free.get(key) ?? 0) - amount })),
      );
      if (rows.some(({ left }) => left < 0)) return false;
      for (const { free, key, left } of rows) free.set(key, left);
      return true;
    },
  };
}

async function readVoyage(db: Database, voyageId: string): Promise<FreePlaces> {
  const rows = await queryRows<{ stretch: number; resource: CapacityResource; free: number }>(
    db,
    sql`
    select c.stretch, c.resource, ${COUNT_SELLABLE} - c.held - c.sold as free
    from voyage_capacity c
    join voyages voy on voy.id = c.voyage_id
    join vessels v on v.id = voy.vessel_id
    where c.voyage_id = ${voyageId}`,
  );
  return new Map(rows.map(({ stretch, resource, free }) => [describe(stretch, resource), free]));
}

/** The stretches that a sailing covers. */
function listStretches({ firstStop, lastStop }: SailingRecord, resource: CapacityResource): string[] {
  return Array.from({ length: lastStop - firstStop }, (_, index) => describe(firstStop + index, resource));
}

function describe(stretch: number, resource: CapacityResource): string {
  return `${stretch} ${resource}`;
}
