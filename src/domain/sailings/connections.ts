/** Longest time between two boats that are sold as one journey, in minutes. */
export const LONGEST_CHANGE_MINUTES = 240;

type Network = {
  /** `transferMinutes` null: no changes are sold there. */
  ports: readonly { id: string; transferMinutes: number | null }[];
  routes: readonly { originPortId: string; destinationPortId: string }[];
};

/** A port where a journey changes boats, and the minutes it needs there. */
export type TransferPort = { portId: string; minutes: number };

/** Where a journey between two ports can change boats; none if there is a direct boat. */
export function findTransferPorts({ ports, routes }: Network, from: string, to: string): TransferPort[] {
  if (from === to) return [];
  const after = new Set(
    routes.filter((each) => each.originPortId === from).map((each) => each.destinationPortId),
  );
  if (after.has(to)) return [];
  const before = new Set(
    routes.filter((each) => each.destinationPortId === to).map((each) => each.originPortId),
  );
  return ports.flatMap(({ id, transferMinutes }) =>
    transferMinutes !== null && after.has(id) && before.has(id)
      ? [{ portId: id, minutes: transferMinutes }]
      : [],
  );
}

/** The ports that a journey with one change reaches and no direct boat does. */
export function findPortsByChange(network: Network, from: string): string[] {
  const allowsChange = new Set(
    network.ports.filter((port) => port.transferMinutes !== null).map(({ id }) => id),
  );
  const direct = new Set(
    network.routes.filter((each) => each.originPortId === from).map((each) => each.destinationPortId),
  );
  const reached = network.routes
    .filter(({ originPortId }) => direct.has(originPortId) && allowsChange.has(originPortId))
    .map(({ destinationPortId }) => destinationPortId)
    .filter((id) => id !== from && !direct.has(id));
  return [...new Set(reached)];
}

/** Instants in milliseconds. */
type Crossing = { departsAt: number; arrivesAt: number };

/** Whether passengers of the first boat have the minutes that a change needs before the onward boat leaves. */
export function isConnected(first: Crossing, onward: Crossing, minutes: number): boolean {
  return onward.departsAt >= first.arrivesAt + minutes * MINUTE;
}

/** Whether a delay of the first boat leaves less time to change boats than the port needs. Times are as planned. */
export function isConnectionMissed(
  first: Crossing & { delayMinutes: number },
  onward: Crossing & { delayMinutes: number },
  minutes: number,
): boolean {
  const lostMinutes = first.delayMinutes - onward.delayMinutes;
  return first.delayMinutes > 0 && !isConnected(first, onward, minutes + lostMinutes);
}

/**
 * Pairs sailings into journeys: each first boat with the earliest onward boat that leaves at least `minutes` and at most
 * four hours after it arrives. Where several first boats reach the same onward boat, the last one is kept, because the
 * earlier ones only wait longer.
 * @param first ordered by departure
 * @param onward ordered by departure
 */
export function combineSailings<Sailing extends Crossing>(
  first: readonly Sailing[],
  onward: readonly Sailing[],
  minutes: number,
): [Sailing, Sailing][] {
  const lastFirstBoat = new Map<Sailing, Sailing>();
  for (const boat of first) {
    const next = onward.find((each) => isConnected(boat, each, minutes));
    if (next && next.departsAt <= boat.arrivesAt + LONGEST_CHANGE_MINUTES * MINUTE)
      lastFirstBoat.set(next, boat);
  }
  return [...lastFirstBoat].map(([next, boat]) => [boat, next]);
}

const MINUTE = 60_000;
