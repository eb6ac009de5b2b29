import type { staffAccountCalls } from '#contract/staff/account/schemas.ts';
import type { Context } from '../context.ts';
import { readClient } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import {
  addOwnPasskey,
  changeStaffPassword,
  createOwnPasskey,
  endOwnSession,
  getStaffAccount,
  removeOwnPasskey,
} from './account.ts';
import { withStaffStepUp } from './step-up.ts';

/** Handlers for how a staff member signs in, and where they are signed in. */
export function createStaffAccountHandlers(context: Context): Handlers<typeof staffAccountCalls> {
  return {
    getStaffAccount: ({ session }) => getStaffAccount(context, session),
    changeStaffPassword: withStaffStepUp(context, ({ session, body: { password } }, c) =>
      changeStaffPassword(context, { session, client: readClient(c), password }),
    ),
    createStaffPasskeyChallenge: withStaffStepUp(context, ({ session }) =>
      createOwnPasskey(context, session),
    ),
    addStaffPasskey: withStaffStepUp(context, ({ session, body }, c) =>
      addOwnPasskey(context, { session, client: readClient(c), ...body }),
    ),
    removeStaffPasskey: withStaffStepUp(context, ({ session, params: { id } }, c) =>
      removeOwnPasskey(context, { session, client: readClient(c), id }),
    ),
    endOwnStaffSession: ({ session: { staffId }, params: { id } }) => endOwnSession(context, { staffId, id }),
  };
}
