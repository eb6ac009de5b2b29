import type { queueCalls } from '#contract/gate/queue/schemas.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { changeQueueEntry, joinQueue, moveQueue } from './change-queue.ts';
import { readQueue } from './read-queue.ts';

/** Handlers for the queue of people without tickets. Each change answers the queue as it is after it. */
export function createQueueHandlers(context: Pick<Context, 'db' | 'clock'>): Handlers<typeof queueCalls> {
  const show = async (sailingId: string, session: StaffSession, c: HttpContext) => {
    const queue = await readQueue(context, sailingId);
    await recordView(context, {
      ...{ actor: describeStaffActor(session, readClient(c)), action: 'queue_viewed' },
      ...{ objectKind: 'sailing', objectId: sailingId },
    });
    return queue;
  };
  return {
    getQueue: ({ params: { id }, session }, c) => show(id, session, c),
    joinQueue: async ({ params: { id }, body, session }, c) => {
      const entryId = await joinQueue(context, { sailingId: id, input: body });
      return { ...(await show(id, session, c)), entry_id: entryId };
    },
    moveQueue: async ({ params: { id }, session }, c) => {
      await moveQueue(context, id);
      return show(id, session, c);
    },
    changeQueueEntry: async ({ params: { id }, body: { status }, session }, c) =>
      show(await changeQueueEntry(context, { id, status }), session, c),
  };
}
