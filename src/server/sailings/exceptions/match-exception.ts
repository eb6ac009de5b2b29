import type { sailingExceptions } from '#server/database/schema/exceptions.ts';

export type ExceptionRow = typeof sailingExceptions.$inferSelect;

/** An exception that may not be stored yet. */
type Conditions = Partial<Pick<ExceptionRow, 'id'>> &
  Omit<typeof sailingExceptions.$inferInsert, 'id' | 'insertedAt'>;

/** A voyage as far as conditions of exceptions refer to it. */
export type MatchedVoyage = {
  id: string;
  line: string;
  serviceDate: string;
  tripKey: string;
  /** The exception that added the voyage. */
  exceptionId: string | null;
  /** The stops in order, with the local departure time, `HH:MM`; null at the last. */
  stops: readonly { portId: string; departsLocal: string | null }[];
};

/**
 * Whether an exception applies to a voyage. One that names a voyage applies to it alone while it exists; otherwise all
 * its conditions must hold, so that a departure that the feed removes and adds again is still found.
 * @param voyageIds the ids of all voyages of these days
 */
export function appliesToVoyage(
  exception: Conditions,
  voyage: MatchedVoyage,
  voyageIds: ReadonlySet<string>,
): boolean {
  if (exception.kind === 'extra') return exception.id === voyage.exceptionId;
  const { fromDay, untilDay } = exception;
  const { line = null, tripKey = null, portId = null, departsLocal = null, voyageId = null } = exception;
  const isNamed = voyageId !== null && (voyageIds.has(voyageId) || departsLocal === null);
  if (isNamed) return voyageId === voyage.id;
  return (
    fromDay <= voyage.serviceDate &&
    voyage.serviceDate <= untilDay &&
    (line === null || line === voyage.line) &&
    (tripKey === null || tripKey === voyage.tripKey) &&
    (portId === null || voyage.stops.some((stop) => isStop(stop, portId, departsLocal)))
  );
}

/** A closed port affects only the sailings from it and to it; every other exception affects the whole voyage. */
export function appliesToSailing(
  { kind, portId }: ExceptionRow,
  route: { originPortId: string; destinationPortId: string },
): boolean {
  return kind !== 'port_closed' || portId === route.originPortId || portId === route.destinationPortId;
}

function isStop(stop: MatchedVoyage['stops'][number], portId: string, departsLocal: string | null): boolean {
  return stop.portId === portId && (departsLocal === null || departsLocal === stop.departsLocal);
}
