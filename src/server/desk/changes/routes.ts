import type { ChangeForBuyer, staffChangeCalls } from '#contract/desk/changes/schemas.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requireOrder } from '#server/orders/queries.ts';
import { requireDay } from '#server/sailings/require-day.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { requireStaffStepUp } from '#server/staff/step-up.ts';
import { findOrderId, viewStaffOrder } from '../orders/read-order.ts';
import { changeForBuyer, quoteForBuyer, rebookForBuyer } from './change-for-buyer.ts';
import { listJourneys } from './list-journeys.ts';

/** Handlers for other boats that staff give a buyer who asks. */
export function createStaffChangeHandlers(context: Context): Handlers<typeof staffChangeCalls> {
  const findRecord = async (reference: string) =>
    requireOrder(context, await findOrderId(context.db, reference));
  type Quoted = { reference: string; journeys: ChangeForBuyer['journeys']; isFree: boolean };
  const quote = async ({ reference, ...change }: Quoted, c: HttpContext) => {
    const { language } = readClient(c);
    return quoteForBuyer(context, { record: await findRecord(reference), ...change, language });
  };
  type Made = { reference: string; change: ChangeForBuyer; reason: string | null };
  const make = async ({ reference, change, reason }: Made, session: StaffSession, c: HttpContext) => {
    if (change.difference < 0 || reason !== null) requireStaffStepUp(context, session);
    const client = readClient(c);
    const actor = describeStaffActor(session, client);
    await changeForBuyer(context, { record: await findRecord(reference), change, reason, cashier: actor });
    return viewStaffOrder(context, { reference, language: client.language, actor });
  };
  return {
    listStaffJourneys: async ({ params, query: { direction, day } }, c) =>
      listJourneys(context, await findRecord(params.reference), {
        ...{ direction, day: day === undefined ? null : requireDay(day, 'day') },
        language: readClient(c).language,
      }),

    quoteStaffChange: ({ params, body }, c) => quote({ ...params, ...body, isFree: false }, c),

    changeStaffOrder: ({ params, body, session }, c) =>
      make({ ...params, change: body, reason: null }, session, c),

    quoteFreeChange: ({ params, body }, c) => quote({ ...params, ...body, isFree: true }, c),

    makeFreeChange: ({ params, body: { reason, ...change }, session }, c) =>
      make({ ...params, change, reason }, session, c),

    rebookStaffOrder: async ({ params: { reference }, body, session }, c) => {
      const client = readClient(c);
      const actor = describeStaffActor(session, client);
      await rebookForBuyer(context, { record: await findRecord(reference), choice: body, actor });
      return viewStaffOrder(context, { reference, language: client.language, actor });
    },
  };
}
