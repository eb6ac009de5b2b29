import { and, eq, sql } from 'drizzle-orm';
import type { ticketCalls } from '#contract/orders/tickets/schemas.ts';
import { parseReference } from '#domain/orders/reference.ts';
import type { Context } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import type { Database } from '#server/database/database.ts';
import { orders } from '#server/database/schema/sales.ts';
import { buildCalendarFile } from '#server/documents/calendar-file.ts';
import { makeDocument } from '#server/documents/documents.ts';
import { findConfirmedDocument, type TravelDocument } from '#server/documents/travel-document.ts';
import { notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import { type Handlers, Reply } from '#server/http/handle-calls.ts';
import { HOUR_SECONDS, isWithinLimit, rateLimit } from '#server/http/rate-limit.ts';
import { answerFile } from '#server/http/respond.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { listTicketKeys } from './keys.ts';

const KEYS_MAX_AGE = 300;
/** Many guests share the network of a terminal. The answer reveals nothing, so guesses gain nothing. */
const LOOKUPS_PER_NETWORK = 200;

/** Handlers for a paid order's files, the keys for verifying codes, and mails. */
export function createTicketHandlers(context: Context): Handlers<typeof ticketCalls> {
  return {
    listTicketKeys: async () => new Reply(await listTicketKeys(context), { maxAge: KEYS_MAX_AGE }),

    getTicketsPdf: async ({ params }, c) => {
      const document = await requireTickets(context, params.id);
      const input = { document, settings: await loadWebSettings(context) };
      const { network, signal } = readClient(c);
      const pdf = await makeDocument(input, { key: network, signal });
      return answerFile(c, pdf, { type: 'application/pdf', name: `tickets-${document.order.reference}.pdf` });
    },

    getCalendar: async ({ params }, c) => {
      const document = await requireTickets(context, params.id);
      const { brand } = await loadWebSettings(context);
      const calendar = buildCalendarFile(document, { config: context.config, brandName: brand.name });
      return answerFile(c, Buffer.from(calendar, 'utf8'), {
        type: 'text/calendar; charset=utf-8',
        name: `ferry-${document.order.reference}.ics`,
      });
    },

    resendTickets: async ({ params }) => {
      const { order } = await requireTickets(context, params.id);
      await rateLimit(context, {
        name: 'order-resend',
        who: order.id,
        limit: 3,
        windowSeconds: HOUR_SECONDS,
      });
      await queueOrderMail(context.db, context, { kind: 'order-confirmed', orderId: order.id });
      wakeMailWorker(context.jobs);
      return { queued: true };
    },

    // Responds before the lookup, so that neither the response nor its timing reveals whether the order exists.
    lookUpOrder: async ({ body: { reference, email } }, c) => {
      await rateLimit(context, {
        name: 'order-lookup-network',
        who: readClient(c).network,
        limit: LOOKUPS_PER_NETWORK,
        windowSeconds: HOUR_SECONDS,
      });
      setImmediate(() => void mailLink(context, parseReference(reference), email));
      return { queued: true };
    },
  };
}

async function mailLink(context: Context, reference: string | null, email: string): Promise<void> {
  try {
    const orderId = reference ? await findOrderIdByContact(context.db, reference, email) : null;
    if (!orderId) return;
    // Per order and not per address, or strangers could use up the mails of a buyer whose order they do not know.
    const limit = { name: 'order-link', who: orderId, limit: 5, windowSeconds: HOUR_SECONDS };
    if (!(await isWithinLimit(context, limit))) return;
    await queueOrderMail(context.db, context, { kind: 'order-link', orderId });
    wakeMailWorker(context.jobs);
  } catch (error) {
    context.log.error('order look-up failed', describeError(error));
  }
}

/**
 * The order with this reference and contact address, or null. Expired and unpaid orders are included, because their
 * page shows their status.
 */
async function findOrderIdByContact(db: Database, reference: string, email: string): Promise<string | null> {
  const [row] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(eq(orders.reference, reference), eq(sql`lower(${orders.contactEmail})`, sql`lower(${email})`)),
    );
  return row?.id ?? null;
}

/**
 * The order's document if it has tickets to show.
 * @throws {ApiError} not_found, also while it is unpaid and after it was canceled
 */
async function requireTickets(context: Context, orderId: string): Promise<TravelDocument> {
  const document = await findConfirmedDocument(context.db, orderId);
  if (!document || document.tickets.length === 0) throw notFound();
  return document;
}
