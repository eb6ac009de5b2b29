import type { ChangedVoyage } from './changed-voyages.ts';
import { compact } from './compose-timetable.ts';
import type { PublishedTimetable } from './published-timetable.ts';

/** `schedule_relationship` of trips and of stops. */
export const TRIP = { scheduled: 0, added: 1, canceled: 3 } as const;
const STOP = { scheduled: 0, skipped: 1 } as const;

export type TripDescriptor = {
  tripId: string;
  startDate: string;
  routeId: string;
  scheduleRelationship: number;
};
type StopTimeUpdate = {
  stopSequence: number;
  stopId: string;
  scheduleRelationship: number;
  arrival?: { delay?: number; time?: number };
  departure?: { delay?: number; time?: number };
};
export type TripUpdate = { trip: TripDescriptor; stopTimeUpdate?: StopTimeUpdate[]; delay?: number };

type Names = {
  timetable: PublishedTimetable;
  /** `stop_id` by the port's id. */
  stopIds: ReadonlyMap<string, string>;
};

/** The update of a voyage; null for an extra sailing that does not run. */
export function createTripUpdate(voyage: ChangedVoyage, names: Names): TripUpdate | null {
  const isCanceled = voyage.servedStops.length === 0;
  if (voyage.isExtra) return isCanceled ? null : createAddedTrip(voyage, names);
  const tripId = names.timetable.findTripId(voyage);
  if (isCanceled) return { trip: describe(voyage, tripId, TRIP.canceled) };
  const delay = voyage.delayMinutes * 60;
  const stopTimeUpdate = voyage.stops.map((stop, index): StopTimeUpdate => {
    const isSkipped = voyage.soldStops.includes(index) && !voyage.servedStops.includes(index);
    return {
      stopSequence: index + 1,
      stopId: names.stopIds.get(stop.port_id) ?? '',
      scheduleRelationship: isSkipped ? STOP.skipped : STOP.scheduled,
      ...(isSkipped || stop.arrives_at === null ? {} : { arrival: { delay } }),
      ...(isSkipped || stop.departs_at === null ? {} : { departure: { delay } }),
    };
  });
  return { trip: describe(voyage, tripId, TRIP.scheduled), stopTimeUpdate, delay };
}

/** With times instead of delays, because the timetable does not have it. */
function createAddedTrip(voyage: ChangedVoyage, { stopIds }: Names): TripUpdate {
  const toTime = (instant: string) => Math.round(Date.parse(instant) / 1000) + voyage.delayMinutes * 60;
  const stopTimeUpdate = voyage.stops.map((stop, index) => ({
    stopSequence: index + 1,
    stopId: stopIds.get(stop.port_id) ?? '',
    scheduleRelationship: STOP.scheduled,
    ...(stop.arrives_at === null ? {} : { arrival: { time: toTime(stop.arrives_at) } }),
    ...(stop.departs_at === null ? {} : { departure: { time: toTime(stop.departs_at) } }),
  }));
  return { trip: describe(voyage, voyage.tripKey, TRIP.added), stopTimeUpdate };
}

function describe(
  { day, line }: ChangedVoyage,
  tripId: string,
  scheduleRelationship: number,
): TripDescriptor {
  return { tripId, startDate: compact(day), routeId: line, scheduleRelationship };
}
