import type { staffCustomerCalls } from '#contract/desk/customers/schemas.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { replaceLostCard } from '#server/trip-cards/block-card.ts';
import { adjustCard, findCardOwner } from './adjust-card.ts';
import { viewCustomer } from './read-customer.ts';
import { unblockCustomer } from './unblock-customer.ts';

/** Handlers for a customer as staff see them, and for their trip cards. */
export function createStaffCustomerHandlers(context: Context): Handlers<typeof staffCustomerCalls> {
  const describe = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  const view = (customerId: string, session: StaffSession, c: HttpContext) =>
    viewCustomer(context, {
      ...{ customerId, language: readClient(c).language },
      actor: describe(session, c),
    });
  return {
    getStaffCustomer: ({ params, session }, c) => view(params.id, session, c),

    unblockCustomer: withStaffStepUp(context, async ({ params, session }, c) => {
      await unblockCustomer(context, { customerId: params.id, actor: describe(session, c) });
      return view(params.id, session, c);
    }),

    replaceStaffTripCard: withStaffStepUp(context, async ({ params, session }, c) => {
      const customerId = await findCardOwner(context.db, params.id);
      await replaceLostCard(context, { customerId, cardId: params.id, staff: describe(session, c) });
      return view(customerId, session, c);
    }),

    adjustStaffTripCard: withStaffStepUp(context, async ({ params, body, session, claim }, c) => {
      const customerId = await findCardOwner(context.db, params.id);
      await adjustCard(context, { ...body, cardId: params.id, actor: describe(session, c), key: claim });
      return view(customerId, session, c);
    }),
  };
}
