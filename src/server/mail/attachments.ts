import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '../context.ts';
import { buildCalendarFile } from '../documents/calendar-file.ts';
import { makeDocuments } from '../documents/documents.ts';
import { findConfirmedDocument, type TravelTicket } from '../documents/travel-document.ts';
import type { Caller } from '../http/work-queue.ts';
import type { MailAttachment } from './mailer.ts';

/** All mails share one line of the work queue, beside those of the networks that download. */
const MAILS: Caller = { key: 'mails' };

/**
 * The attachments of a mail about an order: its tickets as PDF, its calendar file, and the QR codes shown in the HTML.
 * Created when the mail is sent, so that the table contains no documents.
 */
export async function buildAttachments(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { orderId, html }: { orderId: string; html: string },
  settings: WebSettings,
): Promise<MailAttachment[]> {
  const document = await findConfirmedDocument(db, orderId);
  if (!document || document.tickets.length === 0) return [];
  const { reference } = document.order;
  const calendar = buildCalendarFile(document, { config, brandName: settings.brand.name });
  const shown = document.tickets.filter((ticket) => html.includes(`cid:${codeCid(ticket)}`));
  const input = { document, settings, codes: shown.map(({ payload }) => payload) };
  const { pdf, codes } = await makeDocuments(input, MAILS);
  return [
    ...shown.flatMap((ticket, index) => {
      const content = codes[index];
      const cid = codeCid(ticket);
      return content ? [{ filename: `${cid}.png`, contentType: 'image/png', content, cid }] : [];
    }),
    { filename: `tickets-${reference}.pdf`, contentType: 'application/pdf', content: pdf },
    {
      filename: `ferry-${reference}.ics`,
      contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
      content: Buffer.from(calendar, 'utf8'),
    },
  ];
}

/** The Content-ID of a ticket's QR code. */
export function codeCid({ leg, partyIndex }: Pick<TravelTicket, 'leg' | 'partyIndex'>): string {
  return `code-${leg}-${partyIndex}`;
}
