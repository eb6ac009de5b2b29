import type { passengerListCalls } from '#contract/passenger-lists/schemas.ts';
import { recordView } from '../audit/record-view.ts';
import type { Context } from '../context.ts';
import type { HttpContext, StaffSession } from '../http/api.ts';
import { readClient } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { requestLanguage } from '../http/request-language.ts';
import { answerFile } from '../http/respond.ts';
import { describeStaffActor } from '../staff/actor.ts';
import { listBoats } from './listed-boats.ts';
import { exportPassengerList, readPassengerList, setDetailsAtGate } from './passenger-list.ts';
import { readDetailsState, setDetails } from './traveler-details.ts';

/** Handlers for the passenger lists that the law asks for. */
export function createPassengerListHandlers(context: Context): Handlers<typeof passengerListCalls> {
  const actorOf = (session: StaffSession, c: HttpContext) => describeStaffActor(session, readClient(c));
  const readList = async (sailingId: string, session: StaffSession, c: HttpContext) => {
    const list = await readPassengerList(context, { sailingId, language: requestLanguage(c) });
    await recordView(context, {
      ...{ actor: actorOf(session, c), action: 'passenger_list_viewed' },
      ...{ objectKind: 'sailing', objectId: sailingId },
    });
    return list;
  };
  return {
    getTravelerDetails: ({ params: { id } }) => readDetailsState(context, id),
    setTravelerDetails: ({ params: { id }, session, body: { travelers, buyer_secret: buyerSecret } }) =>
      setDetails(context, { orderId: id, travelers, customerId: session?.customerId ?? null, buyerSecret }),
    listPassengerLists: (_, c) => listBoats(context, requestLanguage(c)),
    getPassengerList: ({ params: { id }, session }, c) => readList(id, session, c),
    exportPassengerList: async ({ params: { id }, session }, c) => {
      const { name, csv } = await exportPassengerList(context, { sailingId: id, actor: actorOf(session, c) });
      return answerFile(c, Buffer.from(csv, 'utf8'), { type: 'text/csv; charset=utf-8', name });
    },
    setTravelerDetailsAtGate: async ({ params: { id, ticket_id: ticketId }, session, body }, c) => {
      const actor = actorOf(session, c);
      await setDetailsAtGate(context, { sailingId: id, ticketId, details: body, actor });
      return readList(id, session, c);
    },
  };
}
