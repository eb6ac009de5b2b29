import type { drawerCalls } from '#contract/desk/drawer/schemas.ts';
import type { Context } from '#server/context.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { closeDrawer, openDrawer, readDrawers } from './drawers.ts';

/** Handlers for the cash of a shift at the desk. */
export function createDrawerHandlers(context: Context): Handlers<typeof drawerCalls> {
  const { db } = context;
  return {
    getDrawer: ({ session }) => readDrawers(db, session.staffId),

    openDrawer: async ({ body: { opening }, session }, c) => {
      await openDrawer(context, { opening, clerk: describeStaffActor(session, readClient(c)) });
      return readDrawers(db, session.staffId);
    },

    closeDrawer: async ({ body, session }, c) => {
      await closeDrawer(context, { ...body, clerk: describeStaffActor(session, readClient(c)) });
      return readDrawers(db, session.staffId);
    },
  };
}
