import { serveRequests } from '#server/core/thread.ts';
import { zipFeed } from '#server/sailings/feed/feed-files.ts';
import { composeTimetable, type TimetableInput } from './compose-timetable.ts';

export type PackedTimetable = { zip: Uint8Array; otherTripIds: [voyage: string, tripId: string][] };

/** Requests have priority. */
const LOW_PRIORITY = 15;

serveRequests(LOW_PRIORITY, (input: TimetableInput): PackedTimetable => {
  const { files, otherTripIds } = composeTimetable(input);
  return { zip: zipFeed(files), otherTripIds };
});
