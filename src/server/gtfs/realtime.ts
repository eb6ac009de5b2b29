import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { FeedMessage } from '#server/sailings/exceptions/realtime-feed.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { type Alert, listAlerts } from './alerts.ts';
import { listChangedVoyages } from './changed-voyages.ts';
import type { PublishedTimetable } from './published-timetable.ts';
import { createTripUpdate, type TripUpdate } from './trip-updates.ts';

type Entity = { id: string; tripUpdate: TripUpdate } | { id: string; alert: Alert };
/** A feed as the specification names its fields, in camel case. */
export type RealtimeMessage = {
  header: { gtfsRealtimeVersion: string; incrementality: number; timestamp: number };
  entity: Entity[];
};
export type RealtimeMessages = { tripUpdates: RealtimeMessage; alerts: RealtimeMessage };

const VERSION = '2.0';
const FULL_DATASET = 0;
/** Yesterday's night boats, and as far ahead as passengers plan with live data. */
const DAYS = { before: 1, ahead: 14 };

type RealtimeContext = Pick<Context, 'db' | 'clock' | 'config'>;

/** What differs from the published timetable now, with the trip ids of that timetable. */
export async function composeRealtime(
  { db, clock, config }: RealtimeContext,
  timetable: PublishedTimetable,
): Promise<RealtimeMessages> {
  const now = clock.now();
  const catalogue = await loadCatalogue(db);
  const today = getLocalDay(now.getTime(), catalogue.feed.timeZone);
  const days = { from: addDays(today, -DAYS.before), until: addDays(today, DAYS.ahead) };
  const stopIds = new Map(catalogue.ports.map(({ id, gtfsStopId }) => [id, gtfsStopId]));
  const changed = await listChangedVoyages(db, days);
  const { language } = await loadWebSettings({ db });
  const alerts = await listAlerts(db, days, {
    ...{ timetable, catalogue, language },
    ticketsOrigin: config.origins.tickets,
  });
  const header = {
    gtfsRealtimeVersion: VERSION,
    incrementality: FULL_DATASET,
    timestamp: Math.floor(now.getTime() / 1000),
  };
  const updates = changed.flatMap((voyage) => {
    const tripUpdate = createTripUpdate(voyage, { timetable, stopIds });
    return tripUpdate === null
      ? []
      : [{ id: `${tripUpdate.trip.startDate} ${tripUpdate.trip.tripId}`, tripUpdate }];
  });
  return { tripUpdates: { header, entity: updates }, alerts: { header, entity: alerts } };
}

export function encodeRealtime(message: RealtimeMessage): Uint8Array {
  return FeedMessage.encode(FeedMessage.fromObject(message)).finish();
}
