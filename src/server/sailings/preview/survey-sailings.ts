import { createDoubleBookingFinder, type DoubleBooking } from '#domain/sailings/double-bookings.ts';
import type { Database } from '#server/database/database.ts';
import { compareParts, type ImportedTimetable, type PartComparison } from '../comparison/compare-parts.ts';
import type { SoldSailing } from './sold-sailings.ts';

export type MovedSailing = SoldSailing & { newDepartsAt: Date };

/** How many sailings of a route an import adds, removes and moves on a service day. */
export type DayChange = { day: string; routeId: string; added: number; gone: number; retimed: number };

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
  /** The service days and routes with sailings added, gone or retimed, in the order of days. */
  days: DayChange[];
  /** The ids of those gone. */
  vanished: string[];
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
    ...{ added: 0, gone: 0, retimed: 0, otherwiseChanged: 0, unchanged: 0, days: [] },
    ...{ vanished: [], canceled: [], moved: [], servedRouteIds: new Set(), doubleBookings: [] },
  };
  const finder = createDoubleBookingFinder();
  for await (const part of compareParts(db, timetable)) {
    const { changes, imported, trips } = part;
    finder.add(trips);
    survey.days.push(...countByDay(part));
    const departures = new Map(changes.changedSailings.map(({ id, departsAt }) => [id, departsAt]));
    survey.added += changes.addedSailings.length;
    survey.gone += changes.vanished.length;
    survey.vanished.push(...changes.vanished);
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

/** A part consists of whole service days. */
function countByDay({ changes, stored }: Pick<PartComparison, 'changes' | 'stored'>): DayChange[] {
  const days = new Map<string, DayChange>();
  const count = (what: 'added' | 'gone' | 'retimed', sailing?: { serviceDate: string; routeId: string }) => {
    if (!sailing) return;
    const { serviceDate: day, routeId } = sailing;
    const key = `${day} ${routeId}`;
    const change = days.get(key) ?? { day, routeId, added: 0, gone: 0, retimed: 0 };
    change[what] += 1;
    days.set(key, change);
  };
  const before = new Map(stored.flatMap(({ sailings }) => sailings).map((sailing) => [sailing.id, sailing]));
  for (const sailing of changes.addedSailings) count('added', sailing);
  for (const id of changes.vanished) count('gone', before.get(id));
  for (const id of changes.retimed) count('retimed', before.get(id));
  return [...days.values()].toSorted((a, b) => a.day.localeCompare(b.day));
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
