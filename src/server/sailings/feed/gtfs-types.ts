import type { Translations } from '#messages/translations.ts';

export type GtfsStop = {
  id: string;
  code: string;
  name: string;
  lat: number | null;
  lon: number | null;
  timeZone: string;
  stepFree: 'yes' | 'no' | 'unknown';
  /** The platform's station. */
  parentId: string | null;
  /** Empty if the stop is in no fare zone. */
  zoneId: string;
  description: string;
  /** Empty if there is none. */
  url: string;
  translations: Translations;
};

export type GtfsRoute = { id: string; name: string; sort: number; translations: Translations };

/** Routes of ferries, and the ids of the others. */
export type Routes = { ferries: Map<string, GtfsRoute>; others: Set<string> };

export type GtfsService = {
  weekdays: number;
  from: string;
  until: string;
  added: Set<string>;
  removed: Set<string>;
};

/** The port of a stop: its station if it is one of several platforms. */
export function getPortId(stops: ReadonlyMap<string, GtfsStop>, stopId: string): string {
  const parentId = stops.get(stopId)?.parentId;
  return parentId && stops.has(parentId) ? parentId : stopId;
}

/** A sentence about skipped items: how many, and the first few names. */
export function describeSkipped(names: readonly string[], what: string): string {
  const first = names.slice(0, 5).join(', ');
  return `${what} (${names.length}): ${first}${names.length > 5 ? ', …' : ''}`;
}
