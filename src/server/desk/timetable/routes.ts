import { FEED_ARCHIVE } from '#contract/desk/timetable/limits.ts';
import type { timetableCalls } from '#contract/desk/timetable/schemas.ts';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { answerFile } from '#server/http/respond.ts';
import { wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { listFeedChanges } from '#server/sailings/feed-changes.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { applyUpload, checkTakeBack, checkUpload, takeBack } from './check-upload.ts';
import { listPromoCodeUses, readTimetableFile, readTimetableState } from './read-timetable.ts';

/** Handlers for the upload of the timetable with its prices. */
export function createTimetableHandlers(context: Context): Handlers<typeof timetableCalls> {
  const { db } = context;
  return {
    getImportedTimetable: () => readTimetableState(db),

    downloadTimetableFile: async ({ params: { name } }, c) => {
      const contents = await readTimetableFile(db, name);
      if (!contents) throw notFound();
      const type = name === FEED_ARCHIVE ? 'application/zip' : 'application/octet-stream';
      return answerFile(c, contents, { type, name });
    },

    listPromoCodes: () => listPromoCodeUses(context),

    checkTimetable: ({ body }) => checkUpload(context, body.upload),

    applyTimetable: withStaffStepUp(context, async ({ body: { upload, checked }, session }, c) => {
      const actor = describeStaffActor(session, readClient(c));
      const applied = await applyUpload(context, { upload, checked, actor });
      wakeMessageWorkers(context.jobs);
      return applied;
    }),

    listTimetableChanges: () => listFeedChanges(db),

    checkTakeBack: ({ params: { id } }) => checkTakeBack(context, id),

    takeBackTimetable: withStaffStepUp(context, async ({ params: { id }, body: { checked }, session }, c) => {
      const applied = await takeBack(context, {
        ...{ id, checked, actor: describeStaffActor(session, readClient(c)) },
      });
      wakeMessageWorkers(context.jobs);
      return applied;
    }),
  };
}
