import { CLOSURE_LIMIT_DAYS } from '#contract/desk/limits.ts';
import type { deskCalls, PortClosureInput } from '#contract/desk/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { PayoutRefused, payOutRefund } from '#server/orders/pay/pay-out-refund.ts';
import { wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { requireDay } from '#server/sailings/require-day.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { changeBoat, previewBoatChange, previewUndoBoatChanges, undoBoatChanges } from './change-boat.ts';
import { closeFare } from './close-fare.ts';
import { closePort, previewPortClosure } from './close-port.ts';
import { listWork, listWorkBoats } from './list-work.ts';
import { readBoatDetails } from './read-boat-details.ts';
import { readBoard } from './read-boats.ts';

/** Handlers for the duty desk. */
export function createDeskHandlers(context: Context): Handlers<typeof deskCalls> {
  const { db, clock } = context;
  const reading = (session: StaffSession, c: HttpContext) => ({
    actor: describeStaffActor(session, readClient(c)),
    language: requestLanguage(c),
  });
  type Viewed = { objectKind: 'sailing' | 'exception' | 'port'; objectId: string };
  /** What is answered has the orders of boats, which name their buyers. */
  const recordOrders = async (viewed: Viewed, session: StaffSession, c: HttpContext) => {
    const actor = describeStaffActor(session, readClient(c));
    await recordView(context, { actor, action: 'boat_orders_viewed', ...viewed });
  };
  return {
    getDeskBoard: async ({ query }, c) => {
      const catalogue = await loadCatalogue(db);
      const origins = new Set(catalogue.routes.map(({ originPortId }) => originPortId));
      const code = query.port?.toUpperCase();
      const port = catalogue.ports.find((each) =>
        code === undefined ? origins.has(each.id) : each.code.toUpperCase() === code,
      );
      if (!port) throw notFound();
      const today = getLocalDay(clock.now().getTime(), port.timeZone);
      const day = requireDay(query.day ?? today, 'day');
      return readBoard(context, { port, catalogue, day, today, language: requestLanguage(c) });
    },

    getDeskBoat: async ({ params, session }, c) => {
      const details = await readBoatDetails(context, { sailingId: params.id, language: requestLanguage(c) });
      await recordOrders({ objectKind: 'sailing', objectId: params.id }, session, c);
      return details;
    },

    listWork: async ({ query, session }, c) => {
      const { actor, language } = reading(session, c);
      const work = {
        ...(await listWork(context, actor, query)),
        boats: await listWorkBoats(context, actor, { ...query, language }),
      };
      const viewed = { objectKind: 'work_list', objectId: 'work_list' } as const;
      await recordView(context, { actor, action: 'work_list_viewed', ...viewed });
      return work;
    },

    payOutRefund: withStaffStepUp(context, async ({ params, body, session }, c) => {
      const { terminal_reference: terminalReference, bank_reference: bankReference } = body;
      if (terminalReference !== null && bankReference !== null) {
        throw new ApiError('invalid_input', { field: 'bank_reference' });
      }
      try {
        await payOutRefund(context, {
          ...{ refundId: params.id, terminalReference, bankReference },
          actor: describeStaffActor(session, readClient(c)),
        });
      } catch (error) {
        throw error instanceof PayoutRefused ? notFound() : error;
      }
      return { refund_id: params.id };
    }),

    closeFare: async ({ params: { id }, body: { note }, session }, c) => {
      await closeFare(context, { id, note, actor: describeStaffActor(session, readClient(c)) });
      return { fare_id: id };
    },

    previewBoatChange: async ({ params, body, session }, c) => {
      const outcome = await previewBoatChange(context, {
        ...{ sailingId: params.id, change: body },
        ...reading(session, c),
      });
      await recordOrders({ objectKind: 'sailing', objectId: params.id }, session, c);
      return outcome;
    },

    changeBoat: async ({ params, body, session }, c) => {
      const outcome = await changeBoat(context, {
        ...{ sailingId: params.id, change: body },
        ...reading(session, c),
      });
      await recordOrders({ objectKind: 'sailing', objectId: params.id }, session, c);
      wakeMessageWorkers(context.jobs);
      return outcome;
    },

    previewPortClosure: async ({ params: { code }, body, session }, c) => {
      const closure = readClosure(body);
      const outcome = await previewPortClosure(context, { port: code, closure, ...reading(session, c) });
      await recordOrders({ objectKind: 'port', objectId: code }, session, c);
      return outcome;
    },

    closePort: async ({ params: { code }, body, session }, c) => {
      const closure = readClosure(body);
      const outcome = await closePort(context, { port: code, closure, ...reading(session, c) });
      await recordOrders({ objectKind: 'port', objectId: code }, session, c);
      wakeMessageWorkers(context.jobs);
      return outcome;
    },

    previewUndoBoatChanges: async ({ body: { changes }, session }, c) => {
      const outcome = await previewUndoBoatChanges(context, { ids: changes, ...reading(session, c) });
      const [objectId = ''] = changes;
      await recordOrders({ objectKind: 'exception', objectId }, session, c);
      return outcome;
    },

    undoBoatChanges: async ({ body: { changes }, session }, c) => {
      const outcome = await undoBoatChanges(context, { ids: changes, ...reading(session, c) });
      const [objectId = ''] = changes;
      await recordOrders({ objectKind: 'exception', objectId }, session, c);
      wakeMessageWorkers(context.jobs);
      return outcome;
    },
  };
}

/** @throws {ApiError} invalid_input for days that do not exist, are in the wrong order, or are too many */
function readClosure(closure: PortClosureInput): PortClosureInput {
  const from = requireDay(closure.from, 'from');
  const until = requireDay(closure.until, 'until');
  if (until < from || until > addDays(from, CLOSURE_LIMIT_DAYS - 1))
    throw new ApiError('invalid_input', { field: 'until' });
  return closure;
}
