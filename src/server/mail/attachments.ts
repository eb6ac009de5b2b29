import type { WebSettings } from '#contract/settings.ts';
import type { Deps } from '../deps.ts';
import { buildCalendarFile } from '../tickets/calendar-file.ts';
import { qrPng } from '../tickets/qr-code.ts';
import { buildTicketsPdf } from '../tickets/tickets-pdf.ts';
import { findConfirmedDocument, type TravelTicket } from '../tickets/travel-document.ts';
import type { MailAttachment } from './mailer.ts';
import type { Mail } from './mails.ts';

/**
 * What goes along with a mail about an order: its tickets as PDF, its calendar file, and the codes the HTML
 * shows. Made when the mail is sent, so that the mail table holds no documents.
 */
export async function buildAttachments(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  mail: Pick<Mail, 'orderId' | 'html'>,
  settings: WebSettings,
): Promise<MailAttachment[]> {
  const document = mail.orderId ? await findConfirmedDocument(db, mail.orderId) : null;
  if (!document || document.tickets.length === 0) return [];
  const { reference } = document.order;
  const calendar = buildCalendarFile(document, { config, brandName: settings.brand.name });
  const codes = document.tickets.filter((ticket) => mail.html.includes(`cid:${codeCid(ticket)}`));
  return [
    ...codes.map((ticket) => ({
      filename: `${codeCid(ticket)}.png`,
      contentType: 'image/png',
      content: qrPng(ticket.payload),
      cid: codeCid(ticket),
    })),
    {
      filename: `tickets-${reference}.pdf`,
      contentType: 'application/pdf',
      content: await buildTicketsPdf(document, settings),
    },
    {
      filename: `ferry-${reference}.ics`,
      contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
      content: Buffer.from(calendar, 'utf8'),
    },
  ];
}

/** The name under which the HTML finds a ticket's code. */
export function codeCid({ leg, partyIndex }: Pick<TravelTicket, 'leg' | 'partyIndex'>): string {
  return `code-${leg}-${partyIndex}`;
}
