import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { createWorkerThread } from '#server/core/thread.ts';
import { type Asset, createAsset } from '#server/pages/assets.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import type { TimetableInput } from './compose-timetable.ts';
import type { PackedTimetable } from './pack-timetable-worker.ts';
import { listLines, listVoyages, loadFeedInfo } from './timetable-data.ts';
import { keyOfVoyage, type VoyageKey } from './trips.ts';

export type PublishedTimetable = {
  asset: Asset;
  /** The trip of a voyage in the published timetable. */
  findTripId(voyage: VoyageKey): string;
};

type TimetableContext = Pick<Context, 'db' | 'clock' | 'config' | 'log'>;

const pack = createWorkerThread<TimetableInput, PackedTimetable>(
  new URL('./pack-timetable-worker.ts', import.meta.url),
  { niceness: 15, idleMs: 1_000 },
);

/**
 * The published timetable, made on a worker thread and cached until the timetable, the settings or the day change. While
 * a new one is being made the previous one is served; only the first request of a process waits.
 */
export function openPublishedTimetable(context: TimetableContext): { load(): Promise<PublishedTimetable> } {
  let last: { key: string; timetable: PublishedTimetable } | null = null;
  let making: Promise<PublishedTimetable> | null = null;

  async function make(key: string): Promise<PublishedTimetable> {
    try {
      const timetable = await makeTimetable(context);
      last = { key, timetable };
      return timetable;
    } catch (error) {
      if (last === null) throw error;
      context.log.error('published timetable failed', describeError(error));
      return last.timetable;
    } finally {
      making = null;
    }
  }

  return {
    async load() {
      const key = JSON.stringify(await loadFeedInfo(context));
      if (last?.key === key) return last.timetable;
      making ??= make(key);
      return last?.timetable ?? making;
    },
  };
}

async function makeTimetable(context: TimetableContext): Promise<PublishedTimetable> {
  const { db } = context;
  const catalogue = await loadCatalogue(db);
  const feed = await loadFeedInfo(context, catalogue);
  const { zip, otherTripIds } = await pack({
    feed,
    ports: catalogue.ports.map(
      ({ id, gtfsStopId, code, name, lat, lon, timeZone, stepFree, translations }) => ({
        ...{ id, gtfsStopId, code, name, lat, lon, timeZone, stepFree, translations },
      }),
    ),
    lines: listLines(catalogue),
    voyages: await listVoyages(db, feed),
  });
  const byVoyage = new Map(otherTripIds);
  return {
    asset: createAsset('/gtfs/timetable.zip', zip),
    findTripId: (voyage) => byVoyage.get(keyOfVoyage(voyage)) ?? voyage.tripKey,
  };
}
