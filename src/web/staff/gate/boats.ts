import type { GateSailing } from '#contract/gate/schemas.ts';

/** The sailings that leave a port together on one vessel. */
export type Boat = {
  sailings: readonly [GateSailing, ...GateSailing[]];
  /** When it is expected to leave, in milliseconds since 1970. */
  leavesAt: number;
};

/** A boat that should have left longer ago is not proposed: staff forgot to record its departure. */
const FORGOTTEN_AFTER_MS = 2 * 3_600_000;

/** The boats of a port in the order of their expected departures. */
export function listBoats(sailings: readonly GateSailing[], portId: string): Boat[] {
  const voyages = new Map<string, Boat>();
  for (const sailing of sailings) {
    if (sailing.origin_port_id !== portId) continue;
    const boat = voyages.get(sailing.voyage_id);
    const leavesAt = boat?.leavesAt ?? Date.parse(sailing.departs_at) + sailing.delay_minutes * 60_000;
    voyages.set(sailing.voyage_id, {
      sailings: boat ? [...boat.sailings, sailing] : [sailing],
      leavesAt,
    });
  }
  return [...voyages.values()].sort((a, b) => a.leavesAt - b.leavesAt);
}

/**
 * The boat that a gate opens on: the next one that runs and has not left, or else the last one of the list.
 * @param now in milliseconds since 1970
 */
export function findNextBoat(boats: readonly Boat[], now: number): Boat | null {
  const next = boats.find(
    ({ sailings: [{ status, departed_at }], leavesAt }) =>
      status === 'scheduled' && departed_at === null && leavesAt > now - FORGOTTEN_AFTER_MS,
  );
  return next ?? boats.at(-1) ?? null;
}
