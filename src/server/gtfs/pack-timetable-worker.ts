import { zipFeed } from '#server/sailings/feed/feed-files.ts';
import { composeTimetable, type TimetableInput } from './compose-timetable.ts';

export type PackedTimetable = { zip: Uint8Array; otherTripIds: [voyage: string, tripId: string][] };

export function run(input: TimetableInput): PackedTimetable {
  const { files, otherTripIds } = composeTimetable(input);
  return { zip: zipFeed(files), otherTripIds };
}
