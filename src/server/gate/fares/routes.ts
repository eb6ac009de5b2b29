import type { gateFareCalls } from '#contract/gate/fares/schemas.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import { getOperator } from '#server/database/operator.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { presentFareCard, requireShownCard } from './shown-card.ts';
import { takeFare } from './take-fare.ts';
import { undoFare } from './undo-fare.ts';

/** Handlers for trip cards and passes as fares at gates. */
export function createGateFareHandlers(context: Context): Handlers<typeof gateFareCalls> {
  const { db } = context;
  return {
    readFareCard: async ({ body, session }, c) => {
      const { currency } = await getOperator(db);
      const shown = await requireShownCard(db, body.card, currency);
      await recordView(context, {
        ...{ actor: describeStaffActor(session, readClient(c)), action: 'trip_card_viewed' },
        ...{ objectKind: 'trip_card', objectId: shown.card.id },
      });
      return presentFareCard(shown, requestLanguage(c));
    },
    takeFare: async ({ body, claim, session: { staffId, role } }, c) => {
      const { network } = readClient(c);
      const cashier = { kind: 'staff', staffId, role, device: body.device, network } as const;
      const { record, balance } = await takeFare(context, {
        ...{ fare: body, claim, cashier, language: requestLanguage(c) },
      });
      return {
        ...{ order_id: record.order.id, reference: record.order.reference },
        ticket_ids: record.tickets.map(({ id }) => id),
        balance,
      };
    },
    undoFare: async ({ params: { id }, session }, c) => {
      await undoFare(context, { orderId: id, actor: describeStaffActor(session, readClient(c)) });
      return { order_id: id };
    },
  };
}
