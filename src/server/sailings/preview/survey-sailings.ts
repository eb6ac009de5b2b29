import { createDoubleBookingFinder, type DoubleBooking } from '#domain/sailings/double-bookings.ts';
import type { Database } from '#server/database/database.ts';
import { compareParts, type ImportedTimetable } from '../comparison/compare-parts.ts';
import type { SoldSailing } from './sold-sailings.ts';

export type MovedSailing = SoldSailing & { newDepartsAt: Date };

/** What an import does to sailings. */
export type SailingSurvey = {
  added: number;
  /** No longer in the timetable. */
  gone: number;
  /** Another time of departure or arrival, or in the timetable again. */
  retimed: number;
  /** Another vessel, other stops in between, or another end of sales. */
  otherwiseChanged: number;
  unchanged: number;
  /** The sold ones of those gone. */
  canceled: SoldSailing[];
  /** The sold ones of those retimed. */
  moved: MovedSailing[];
  /** The ids of routes with at least one sailing in the new timetable. */
  servedRouteIds: Set<string>;
  /** Of the new timetable. */
  doubleBookings: DoubleBooking[];
};

/**
 * Finds what an import would do to sailings, without writing.
 * @param sold all sold sailings
 */
export async function surveySailings(
  db: Database,
  timetable: ImportedTimetable,
  sold: ReadonlyMap<string, SoldSailing>,
): Promise<SailingSurvey> {
  const survey: SailingSurvey = {
    ...{ added: 0, gone: 0, retimed: 0, otherwiseChanged: 0, unchanged: 0 },
    ...{ canceled: [], moved: [], servedRouteIds: new Set(), doubleBookings: [] },
  };
  const finder = createDoubleBookingFinder();
  for await (const { changes, imported, trips } of compareParts(db, timetable)) {
    finder.add(trips);
    const departures = new Map(changes.changedSailings.map(({ id, departsAt }) => [id, departsAt]));
    survey.added += changes.addedSailings.length;
    survey.gone += changes.vanished.length;
    survey.retimed += changes.retimed.length;
    const counted = new Set([...changes.retimed, ...changes.vanished]);
    for (const { id } of changes.changedSailings) if (!counted.has(id)) survey.otherwiseChanged += 1;
    survey.unchanged += changes.unchanged;
    for (const id of changes.vanished) {
      const sailing = sold.get(id);
      if (sailing) survey.canceled.push(sailing);
    }
    for (const id of changes.retimed) {
      const sailing = sold.get(id);
      if (sailing) survey.moved.push({ ...sailing, newDepartsAt: departures.get(id) ?? sailing.departsAt });
    }
    for (const { sailings } of imported) {
      for (const { routeId } of sailings) survey.servedRouteIds.add(routeId);
    }
  }
  survey.doubleBookings = finder.list();
  return survey;
}

/** The parts of a timetable on whose service days a sailing is sold: no other part can harm passengers. */
export function selectSoldParts(
  timetable: ImportedTimetable,
  sold: ReadonlyMap<string, SoldSailing>,
): ImportedTimetable {
  const days = [...new Set([...sold.values()].map(({ serviceDate }) => serviceDate))];
  const parts = timetable.parts.filter(({ after, until }) =>
    days.some((day) => (after === null || day > after) && day <= until),
  );
  return { ...timetable, parts };
}
