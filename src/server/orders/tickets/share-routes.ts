import type { ticketShareCalls } from '#contract/orders/ticket-shares/schemas.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { Context } from '#server/context.ts';
import { buildCalendarFile } from '#server/documents/calendar-file.ts';
import { makeDocument } from '#server/documents/documents.ts';
import type { CustomerSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { downloadLanguage } from '#server/http/request-language.ts';
import { answerFile } from '#server/http/respond.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { requireOrder } from '../queries.ts';
import { readSharedTickets, requireSharedDocument } from './shared-tickets.ts';
import { listShares, revokeShare, shareTickets } from './shares.ts';

/** Sending tickets to travel companions. The order's link permits it, because it shows all tickets anyway. */
export function createTicketShareHandlers(context: Context): Handlers<typeof ticketShareCalls> {
  return {
    shareTickets: async ({ session, params, body }, c) =>
      shareTickets(context, {
        ...body,
        ...(await findOrder(context, session, params.id)),
        network: readClient(c).network,
      }),

    listTicketShares: async ({ session, params }) =>
      listShares(context, await findOrder(context, session, params.id)),

    revokeTicketShare: ({ params }) => revokeShare(context, { orderId: params.id, shareId: params.share_id }),

    getSharedTickets: ({ params: { token } }, c) =>
      readSharedTickets(context, { token, language: readClient(c).language }),

    getSharedTicketsPdf: async ({ params: { token } }, c) => {
      const document = await requireSharedDocument(context, { token, language: downloadLanguage(c) });
      const input = { document, settings: await loadWebSettings(context), isShared: true };
      const { network, signal } = readClient(c);
      const pdf = await makeDocument(input, { key: network, signal });
      return answerFile(c, pdf, {
        type: 'application/pdf',
        name: `tickets-${document.order.reference}.pdf`,
      });
    },

    getSharedCalendar: async ({ params: { token } }, c) => {
      const document = await requireSharedDocument(context, { token, language: downloadLanguage(c) });
      const { config } = context;
      const { brand } = await loadWebSettings(context);
      const url = config.origins.tickets + fillPath(ticketPages.sharedTickets, { token });
      const calendar = buildCalendarFile(document, { config, brandName: brand.name, url });
      return answerFile(c, Buffer.from(calendar, 'utf8'), {
        type: 'text/calendar; charset=utf-8',
        name: `ferry-${document.order.reference}.ics`,
      });
    },
  };
}

async function findOrder(context: Context, session: CustomerSession | null, id: string) {
  const record = await requireOrder(context, id);
  const { customerId } = record.order;
  return { record, isOwner: customerId !== null && customerId === session?.customerId };
}
