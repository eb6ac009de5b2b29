import type { gateSaleCalls } from '#contract/gate/sales/schemas.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { Context } from '#server/context.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { isUnpaid } from '#server/orders/unpaid.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { listReturns } from './list-returns.ts';
import { sendPaymentLink } from './payment-link.ts';
import { quoteEntry, sellToEntry } from './sell.ts';

/** Handlers for selling at the ramp. */
export function createGateSaleHandlers(context: Context): Handlers<typeof gateSaleCalls> {
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
      const { order, hold } = await sendPaymentLink(context, {
        ...{ entryId: id, link: body, claim, language: requestLanguage(c) },
        seller: describeStaffActor(session, readClient(c)),
      });
      const payUntil = isUnpaid(order) ? hold.expiresAt.toISOString() : null;
      return { reference: order.reference, pay_until: payUntil };
    },
    sellToQueueEntry: async ({ params: { id }, body, claim, session }, c) => {
      const cashier = describeStaffActor(session, readClient(c));
      const { order, tickets } = await sellToEntry(context, {
        ...{ entryId: id, sale: body, claim, cashier, language: requestLanguage(c) },
      });
      return {
        ...{ order_id: order.id, reference: order.reference },
        ticket_ids: tickets.filter(({ leg }) => leg === 'out').map((ticket) => ticket.id),
        link: context.config.origins.tickets + fillPath(ticketPages.confirmation, { id: order.id }),
      };
    },
  };
}
