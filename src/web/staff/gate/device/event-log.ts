import type { GateEvent, GatePack } from '#contract/gate/schemas.ts';

/** An event of this device. */
export type LoggedEvent = {
  event: GateEvent;
  /** When the server stored it, by the server's clock; null: it is not sent yet. */
  acceptedAt: string | null;
  /** The server does not take it. */
  isRefused: boolean;
};

/** An event that is undone later than this is undone from the server's list alone. In milliseconds. */
const KEPT_MS = 5 * 60_000;

export function listUnsent(log: readonly LoggedEvent[]): GateEvent[] {
  return log.flatMap(({ event, acceptedAt, isRefused }) =>
    acceptedAt === null && !isRefused ? [event] : [],
  );
}

/**
 * The events that the device still needs beside a pack. Those that count people are dropped as soon as the pack contains
 * them, because they would count twice; the others stay for as long as they can be undone.
 * @param now in milliseconds since 1970
 */
export function keepNeeded(log: readonly LoggedEvent[], pack: GatePack, now: number): LoggedEvent[] {
  return log.filter(({ event, acceptedAt }) => {
    if (acceptedAt === null || acceptedAt > pack.as_of) return true;
    return !isCount(event) && Date.parse(event.occurred_at) > now - KEPT_MS;
  });
}

function isCount({ type }: GateEvent): boolean {
  return type === 'count' || type === 'fare';
}
