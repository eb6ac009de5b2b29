import { EmailSchema } from '#contract/common.ts';
import type { Row } from '#server/csv/table.ts';
import type { vessels } from '#server/database/schema/timetable.ts';
import { readPictureColumns } from '../pictures/picture-files.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';
import { addUnique, CM, type Planned } from './keyed-rows.ts';

export type Vessel = Planned<typeof vessels>;

export type Assignment = {
  row: Row;
  vessel: string;
  routeId: string;
  tripId: string | null;
  weekdays: number | null;
};

export function readVessels(source: FeedInput): Map<string, Vessel> {
  const vessels = new Map<string, Vessel>();
  const rows = readFeedTable(source, 'vessels.csv');
  for (const row of rows) {
    row.required('passengers');
    const normalClearanceCm = row.int('normal_clearance_cm', CM);
    const tallLaneCm = row.int('tall_lane_cm') ?? 0;
    if (tallLaneCm > 0 && normalClearanceCm === null) {
      row.problem(
        'normal_clearance_cm',
        'A boat with a tall lane needs it, to tell which vehicles go there.',
      );
    }
    addUnique(vessels, row, 'code', {
      code: row.text('code'),
      name: row.required('name'),
      passengerCapacity: row.int('passengers', { min: 1, max: 20_000 }) ?? 1,
      laneCm: row.int('lane_cm') ?? 0,
      tallLaneCm,
      normalClearanceCm,
      tallClearanceCm: row.int('tall_clearance_cm', CM),
      bicycleCapacity: row.int('bicycles') ?? 0,
      onlinePercent: row.int('online_percent', { max: 100 }) ?? 100,
      wheelchairPlaces: row.int('wheelchair_places', { max: 1000 }),
      accessibilityNotes: row.text('accessibility_notes'),
      description: row.text('description'),
      facilities: row.text('facilities'),
      masterEmail: readMasterEmail(row),
      ...readPictureColumns(row, source.files),
      translations: row.translations(),
    });
  }
  return vessels;
}

function readMasterEmail(row: Row): string | null {
  const address = row.text('master_email');
  if (address === '') return null;
  const { success } = EmailSchema.safeParse(address);
  if (!success) row.problem('master_email', `"${address}" is not an email address.`);
  return address;
}

export function readAssignments(source: FeedInput, vessels: ReadonlyMap<string, Vessel>): Assignment[] {
  const rows = readFeedTable(source, 'assignments.csv');
  return rows.map((row) => {
    const vessel = row.required('vessel');
    if (vessel !== '' && !vessels.has(vessel)) row.problem('vessel', `There is no vessel ${vessel}.`);
    return {
      row,
      vessel,
      routeId: row.required('route_id'),
      tripId: row.text('trip_id') || null,
      weekdays: row.weekdays('weekdays'),
    };
  });
}
