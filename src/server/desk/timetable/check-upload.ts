import type { AppliedTimetable, TimetableCheck } from '#contract/desk/timetable/schemas.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { describeProblem, FileError } from '#server/csv/problems.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { readFeedChange } from '#server/sailings/feed-changes.ts';
import { importTimetable, previewTimetable, readStoredFeed } from '#server/sailings/import-timetable.ts';
import { type CheckedImport, ImportOutdated, ImportRefused } from '#server/sailings/preview/check-import.ts';
import type { NoticeContext } from '#server/sms/queue-sms.ts';
import { countNotices, presentDifference } from './present-difference.ts';

type UploadContext = Pick<Context, 'db'> & NoticeContext;
type Decision = { checked: CheckedImport; actor: StaffActor };

/** Finds what an uploaded archive (in base64) would change, as `npm run import -- --preview` does. Writes nothing. */
export async function checkUpload(context: UploadContext, upload: string): Promise<TimetableCheck> {
  const current = await readStoredFeed(context.db);
  try {
    const preview = await previewTimetable(context, readAsUpload(upload, current));
    const revision = current?.revision ?? null;
    return { problems: [], problem_count: 0, difference: presentDifference(preview, revision) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { problems: error.problems.map(describeProblem), problem_count: error.count, difference: null };
  }
}

/**
 * Imports an uploaded archive as `npm run import` does, if it is still what was checked.
 * @param input takesBack: when the change was made that the archive takes back
 * @throws {ApiError} `timetable_changed`
 */
export async function applyUpload(
  context: UploadContext,
  { upload, checked, actor, takesBack }: Decision & { upload: string; takesBack?: Date },
): Promise<AppliedTimetable> {
  const current = await readStoredFeed(context.db);
  try {
    const { sailings, notices } = await importTimetable(context, {
      ...readAsUpload(upload, current),
      ...{ checked, actor, takesBack, accepted: checked.affected },
    });
    return { sailings, ...countNotices(notices) };
  } catch (error) {
    // The files may have other problems on another day, or over another timetable.
    const isOther = [ImportOutdated, ImportRefused, FileError].some((kind) => error instanceof kind);
    throw isOther ? new ApiError('timetable_changed') : error;
  }
}

/**
 * Finds what the files from before a change would change. Writes nothing.
 * @throws {ApiError} `not_found`
 */
export async function checkTakeBack(context: UploadContext, id: string): Promise<TimetableCheck> {
  const { zip } = await findChange(context, id);
  return checkUpload(context, zip);
}

/**
 * Imports the files from before a change, if they do what was checked.
 * @throws {ApiError} `not_found`, `timetable_changed`
 */
export async function takeBack(
  context: UploadContext,
  { id, ...decision }: Decision & { id: string },
): Promise<AppliedTimetable> {
  const { zip, at } = await findChange(context, id);
  return applyUpload(context, { ...decision, upload: zip, takesBack: at });
}

async function findChange({ db }: UploadContext, id: string) {
  const change = await readFeedChange(db, id);
  if (!change) throw notFound();
  return change;
}

function readAsUpload(upload: string, current: Awaited<ReturnType<typeof readStoredFeed>>) {
  return { upload, currentZip: current?.zip ?? null, days: current?.days };
}
