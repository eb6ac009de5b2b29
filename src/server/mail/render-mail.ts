import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '../context.ts';
import { getOperator } from '../database/operator.ts';
import { buildCalendarFile, buildCancellingCalendarFile } from '../documents/calendar-file.ts';
import { makeDocuments } from '../documents/documents.ts';
import {
  findTravelDocument,
  isConfirmedDocument,
  type TravelDocument,
} from '../documents/travel-document.ts';
import type { Caller } from '../http/work-queue.ts';
import type { AccountMessage } from './account-mails.ts';
import { codeCid, renderHtml, renderText } from './mail-content.ts';
import { type MailAttachment, MailRefusedError } from './mailer.ts';
import { type Mail, type RenderedMail, saveRenderedMail } from './outbox.ts';
import { accountMailContent } from './templates/account.ts';
import { ORDER_MAILS, type OrderMailKind, orderMailContent } from './templates/order.ts';

type Dependencies = Pick<Context, 'db' | 'config' | 'vault'>;

/**
 * The content of a queued mail. A mail about an order is rendered for the first attempt, from the order's current
 * state, and stored. A mail about an account is rendered for each attempt and never stored, because it gives access to
 * the account.
 */
export async function renderMail(
  context: Dependencies,
  mail: Mail,
  settings: WebSettings,
): Promise<RenderedMail> {
  if (mail.encryptedFacts !== null) {
    const { timeZone } = await getOperator(context.db);
    return renderAccountMail(context, mail, mail.encryptedFacts, { settings, timeZone });
  }
  const { subject, text, html } = mail;
  if (subject !== null && text !== null && html !== null) return { subject, text, html };
  const content = await renderOrderMail(context, mail, settings);
  await saveRenderedMail(context.db, mail.id, content);
  return content;
}

/** Whether mails of this kind have tickets and calendar file attached. */
export function hasTickets(kind: string): boolean {
  return isOrderMail(kind) && ORDER_MAILS[kind].hasTickets;
}

function renderAccountMail(
  { config, vault }: Dependencies,
  { kind, insertedAt }: Mail,
  encryptedFacts: string,
  { settings, timeZone }: { settings: WebSettings; timeZone: string },
): RenderedMail {
  const message = { kind, facts: decryptFacts(vault, encryptedFacts) } as AccountMessage;
  const { subject, content } = accountMailContent(message, {
    settings,
    origin: config.origins.portal,
    ticketOrigin: config.origins.tickets,
    requestedAt: insertedAt,
    timeZone,
  });
  return { subject, text: renderText(content), html: renderHtml(content) };
}

function decryptFacts(vault: Context['vault'], encryptedFacts: string): unknown {
  try {
    return JSON.parse(vault.decrypt(encryptedFacts));
  } catch {
    // Encrypted with a secret that this installation no longer has, so retries are useless.
    throw new MailRefusedError('What it says cannot be read any more.');
  }
}

async function renderOrderMail(
  { db, config }: Dependencies,
  { kind, orderId, cancellationId, changeId }: Pick<Mail, 'kind' | 'orderId' | 'cancellationId' | 'changeId'>,
  settings: WebSettings,
): Promise<RenderedMail> {
  const document = orderId === null ? null : await findTravelDocument(db, orderId);
  if (!document || !isOrderMail(kind)) throw new Error('There is nothing to write about.');
  const content = orderMailContent(kind, {
    document,
    settings,
    origin: config.origins.tickets,
    cancellationId,
    changeId,
  });
  return {
    subject: `${content.title} · ${document.order.reference}`,
    text: renderText(content),
    html: renderHtml(content),
  };
}

function isOrderMail(kind: string): kind is OrderMailKind {
  return Object.hasOwn(ORDER_MAILS, kind);
}

/** All mails share one line of the work queue, beside those of the networks that download. */
const MAILS: Caller = { key: 'mails' };

/**
 * The attachments of a mail about an order: its tickets as PDF, its calendar file, and the QR codes shown in the HTML;
 * after a cancellation also a calendar file that removes the canceled crossings. Created when the mail is sent, so that
 * the table contains no documents.
 */
export async function buildAttachments(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { orderId, html }: { orderId: string; html: string },
  settings: WebSettings,
): Promise<MailAttachment[]> {
  const document = await findTravelDocument(db, orderId);
  if (!document) return [];
  const { reference } = document.order;
  const input = { config, brandName: settings.brand.name };
  const cancelled = buildCancellingCalendarFile(document, input);
  return [
    ...(isConfirmedDocument(document) ? await buildTickets(document, { html, settings }) : []),
    ...(isConfirmedDocument(document)
      ? [buildCalendar(`ferry-${reference}.ics`, 'PUBLISH', buildCalendarFile(document, input))]
      : []),
    ...(cancelled === null ? [] : [buildCalendar(`canceled-${reference}.ics`, 'CANCEL', cancelled)]),
  ];
}

async function buildTickets(
  document: TravelDocument,
  { html, settings }: { html: string; settings: WebSettings },
): Promise<MailAttachment[]> {
  const shown = document.tickets.filter((ticket) => html.includes(`cid:${codeCid(ticket)}`));
  const input = { document, settings, codes: shown.map(({ payload }) => payload), showsAssistance: true };
  const { pdf, codes } = await makeDocuments(input, MAILS);
  return [
    ...shown.flatMap((ticket, index) => {
      const content = codes[index];
      const cid = codeCid(ticket);
      return content ? [{ filename: `${cid}.png`, contentType: 'image/png', content, cid }] : [];
    }),
    {
      filename: `tickets-${document.order.reference}.pdf`,
      contentType: 'application/pdf',
      content: pdf,
    },
  ];
}

function buildCalendar(filename: string, method: 'PUBLISH' | 'CANCEL', calendar: string): MailAttachment {
  return {
    filename,
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: Buffer.from(calendar, 'utf8'),
  };
}
