import type { Context, Hono } from 'hono';
import { OrderLookupSchema } from '#contract/checkout/schemas.ts';
import { apiPaths } from '#contract/paths.ts';
import { parseReference } from '#domain/reference.ts';
import { normaliseEmail } from '../customers/email-address.ts';
import type { Deps } from '../deps.ts';
import { buildCalendarFile } from '../documents/calendar-file.ts';
import { makeDocuments } from '../documents/documents.ts';
import { findConfirmedDocument, type TravelDocument } from '../documents/travel-document.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { notFound } from '../http/api-error.ts';
import { networkOf } from '../http/client-address.ts';
import { readId } from '../http/params.ts';
import { HOUR_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { readJson } from '../http/read.ts';
import { answer, ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { turnOfNetwork } from '../http/work-queue.ts';
import { describeError } from '../log.ts';
import { queueOrderMail } from '../mail/order-mails.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { listTicketKeys } from './keys.ts';
import { findOrderIdByContact } from './order-lookup.ts';

/** Keys to check tickets with, an order's files, and its mails asked for again. */
export function createTicketRoutes(deps: Deps): Hono<ApiEnv> {
  const router = createRouter();
  router.get(apiPaths.keys, async (c) => {
    c.var.headers['Cache-Control'] = 'public, max-age=300';
    return ok(c, await listTicketKeys(deps.db, deps.clock));
  });
  router.get(honoPath(apiPaths.orderTicketsPdf), async (c) => {
    const document = await requireTickets(deps, readId(c));
    const wish = { document, settings: await loadWebSettings(deps), codes: [] };
    const { pdf } = await makeDocuments(wish, turnOfNetwork(c));
    return sendFile(c, pdf, { type: 'application/pdf', name: `tickets-${document.order.reference}.pdf` });
  });
  router.get(honoPath(apiPaths.orderCalendar), async (c) => {
    const document = await requireTickets(deps, readId(c));
    const { brand } = await loadWebSettings(deps);
    const calendar = buildCalendarFile(document, { config: deps.config, brandName: brand.name });
    return sendFile(c, Buffer.from(calendar, 'utf8'), {
      type: 'text/calendar; charset=utf-8',
      name: `ferry-${document.order.reference}.ics`,
    });
  });
  router.post(honoPath(apiPaths.orderResend), (c) => resend(c, deps));
  router.post(apiPaths.orderLookup, (c) => lookUp(c, deps));
  return router;
}

async function resend(c: Context<ApiEnv>, deps: Deps): Promise<Response> {
  const { order } = await requireTickets(deps, readId(c));
  await rateLimit(deps, { name: 'order-resend', who: order.id, limit: 3, windowSeconds: HOUR_SECONDS });
  await queueOrderMail(deps.db, deps, 'order-confirmed', order.id);
  wakeMailWorker(deps.jobs);
  return ok(c, { queued: true });
}

/**
 * Answers before it looks: whether the order exists shows neither in the answer nor in how long it takes.
 */
async function lookUp(c: Context<ApiEnv>, deps: Deps): Promise<Response> {
  const { reference, email } = await readJson(c, OrderLookupSchema);
  await rateLimit(deps, {
    name: 'order-lookup-network',
    who: networkOf(c.var.remoteAddress ?? ''),
    limit: 20,
    windowSeconds: HOUR_SECONDS,
  });
  await rateLimit(deps, {
    name: 'order-lookup-mailbox',
    who: normaliseEmail(email),
    limit: 5,
    windowSeconds: HOUR_SECONDS,
  });
  setImmediate(() => void mailLink(deps, parseReference(reference), email));
  return ok(c, { queued: true });
}

async function mailLink(deps: Deps, reference: string | null, email: string): Promise<void> {
  try {
    const orderId = reference ? await findOrderIdByContact(deps.db, reference, email) : null;
    if (!orderId) return;
    await queueOrderMail(deps.db, deps, 'order-link', orderId);
    wakeMailWorker(deps.jobs);
  } catch (error) {
    deps.log.error('order look-up failed', describeError(error));
  }
}

/**
 * The order's document when it has tickets to show.
 * @throws {ApiError} not_found, also while it is unpaid and after it was cancelled
 */
async function requireTickets(deps: Deps, orderId: string): Promise<TravelDocument> {
  const document = await findConfirmedDocument(deps.db, orderId);
  if (!document || document.tickets.length === 0) throw notFound();
  return document;
}

function sendFile(c: Context<ApiEnv>, content: Buffer, file: { type: string; name: string }): Response {
  return answer(c, new Uint8Array(content), 200, {
    'Content-Type': file.type,
    'Content-Disposition': `attachment; filename="${file.name}"`,
    'Cache-Control': 'no-store',
  });
}
