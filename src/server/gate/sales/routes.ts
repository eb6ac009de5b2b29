import type { gateSaleCalls } from '#contract/gate/sales/schemas.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { presentLeg } from '#server/orders/presenter.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { isUnpaid } from '#server/orders/unpaid.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { holdForBuyer } from './hold-for-buyer.ts';
import { listReturns } from './list-returns.ts';
import { quoteEntry, sellToEntry } from './sell.ts';

/** Handlers for selling at the ramp. */
export function createGateSaleHandlers(context: Context): Handlers<typeof gateSaleCalls> {
  const presentLegs = (record: OrderRecord, c: HttpContext) => {
    const reading = { now: context.clock.now(), language: requestLanguage(c) };
    return record.legs.map((leg) => presentLeg(leg, record, reading));
  };
  const presentHeld = (record: OrderRecord, c: HttpContext) => {
    const { order, hold } = record;
    const payUntil = isUnpaid(order) ? hold.expiresAt.toISOString() : null;
    return { reference: order.reference, pay_until: payUntil, legs: presentLegs(record, c) };
  };
  return {
    quoteQueueEntry: async ({ params: { id }, body }, c) => {
      const { quotes, heldBack, heldBackReturn } = await quoteEntry(context, {
        ...{ entryId: id, returnId: body?.return_sailing_id ?? null, language: requestLanguage(c) },
      });
      return {
        ...{ quotes, held_back: heldBack, held_back_return: heldBackReturn },
        as_of: context.clock.now().toISOString(),
      };
    },
    listQueueReturns: ({ params: { id }, query: { day } }, c) =>
      listReturns(context, { entryId: id, day: day ?? null, language: requestLanguage(c) }),
    sendPaymentLink: async ({ params: { id }, body, claim, session }, c) => {
      const record = await holdForBuyer(context, {
        ...{ entryId: id, hold: { by: 'link', ...body }, claim, language: requestLanguage(c) },
        seller: describeStaffActor(session, readClient(c)),
      });
      return presentHeld(record, c);
    },
    holdForPier: async ({ params: { id }, body, claim, session }, c) => {
      const record = await holdForBuyer(context, {
        ...{ entryId: id, hold: { by: 'pier', ...body }, claim, language: requestLanguage(c) },
        seller: describeStaffActor(session, readClient(c)),
      });
      return presentHeld(record, c);
    },
    sellToQueueEntry: async ({ params: { id }, body, claim, session }, c) => {
      const cashier = describeStaffActor(session, readClient(c));
      const record = await sellToEntry(context, {
        ...{ entryId: id, sale: body, claim, cashier, language: requestLanguage(c) },
      });
      const { order, tickets } = record;
      return {
        ...{ order_id: order.id, reference: order.reference, legs: presentLegs(record, c) },
        ticket_ids: tickets.filter(({ leg }) => leg === 'out').map((ticket) => ticket.id),
        link: context.config.origins.tickets + fillPath(ticketPages.confirmation, { id: order.id }),
      };
    },
  };
}
