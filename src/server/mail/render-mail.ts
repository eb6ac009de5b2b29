import { eq } from 'drizzle-orm';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import { chooseLanguage, localize } from '#messages/languages.ts';
import type { Context } from '../context.ts';
import { getOperator } from '../database/operator.ts';
import { receipts } from '../database/schema/accounting.ts';
import { buildCalendarFile, buildCancelingCalendarFile } from '../documents/calendar-file.ts';
import { makeDocument } from '../documents/documents.ts';
import { qrPng } from '../documents/qr-code.ts';
import {
  findTravelDocument,
  isConfirmedDocument,
  type TravelDocument,
} from '../documents/travel-document.ts';
import type { Caller } from '../http/work-queue.ts';
import type { AccountMessage } from './account-mails.ts';
import { codeCid, renderHtml, renderText } from './mail-content.ts';
import { type MailAttachment, MailRefusedError } from './mailer.ts';
import type { Mail, RenderedMail } from './outbox.ts';
import { waitForTurn } from './pace.ts';
import { type Payable, readPayable } from './read-payable.ts';
import { accountMailContent } from './templates/account.ts';
import { ORDER_MAILS, type OrderMailKind, orderMailContent } from './templates/order.ts';

type Dependencies = Pick<Context, 'db' | 'config' | 'vault'>;

/** A mail as it is sent. `isFirstRendering`: of the order's current state, so that a retry needs it stored. */
export type PreparedMail = {
  content: RenderedMail;
  attachments: MailAttachment[];
  isFirstRendering: boolean;
};

/**
 * The content of a queued mail and its attachments. A mail about an order is rendered for its first attempt. A mail about
 * an account is rendered for each attempt and never stored, because it gives access to the account.
 */
export async function prepareMail(
  context: Dependencies,
  mail: Mail,
  settings: WebSettings,
): Promise<PreparedMail> {
  if (mail.encryptedData !== null) {
    const { timeZone } = await getOperator(context.db);
    const content = renderAccountMail(context, mail, mail.encryptedData, { settings, timeZone });
    return { content, attachments: [], isFirstRendering: false };
  }
  const stored = readStoredContent(mail);
  if (stored && mail.receiptId !== null) {
    const attachments = await attachReceipt(context, { receiptId: mail.receiptId, settings });
    return { content: stored, attachments, isFirstRendering: false };
  }
  const document = mail.orderId === null ? null : await findTravelDocument(context.db, mail.orderId);
  await waitForTurn();
  const payable = await readPayable(context.db, mail, document);
  const content = stored ?? renderOrderMail(context, mail, { document, settings, payable });
  return {
    content,
    attachments:
      document && isOrderMail(mail.kind) && ORDER_MAILS[mail.kind].hasTickets
        ? await buildAttachments(context, { document, html: content.html, settings })
        : [],
    isFirstRendering: stored === null,
  };
}

function readStoredContent({ subject, text, html }: Mail): RenderedMail | null {
  return subject !== null && text !== null && html !== null ? { subject, text, html } : null;
}

function renderAccountMail(
  { config, vault }: Dependencies,
  { kind, language, insertedAt }: Mail,
  encryptedData: string,
  { settings, timeZone }: { settings: WebSettings; timeZone: string },
): RenderedMail {
  const message = { kind, data: decryptData(vault, encryptedData) } as AccountMessage;
  const { subject, content } = accountMailContent(message, {
    settings: translateSettings(settings, chooseMailLanguage(language, settings)),
    origin: config.origins.portal,
    ticketOrigin: config.origins.tickets,
    staffOrigin: config.origins.staff,
    requestedAt: insertedAt,
    timeZone,
  });
  return { subject, text: renderText(content), html: renderHtml(content) };
}

function chooseMailLanguage(tag: string | null, { language }: WebSettings): string {
  return localize(chooseLanguage([tag], language), language);
}

function decryptData(vault: Context['vault'], encryptedData: string): unknown {
  try {
    return JSON.parse(vault.decrypt(encryptedData));
  } catch {
    // Encrypted with a secret that this installation no longer has, so retries are useless.
    throw new MailRefusedError('What it says cannot be read any more.');
  }
}

function renderOrderMail(
  { config }: Dependencies,
  { kind, cancellationId, changeId }: Mail,
  {
    document,
    settings,
    payable,
  }: { document: TravelDocument | null; settings: WebSettings; payable: Payable },
): RenderedMail {
  if (!document || !isOrderMail(kind)) throw new Error('There is nothing to write about.');
  const content = orderMailContent(kind, {
    document,
    settings: translateSettings(settings, document.order.locale),
    origin: config.origins.tickets,
    cancellationId,
    changeId,
    payable,
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

type OrderMail = { document: TravelDocument; html: string; settings: WebSettings };

/**
 * The attachments of a mail about an order: the QR codes shown in the HTML, its calendar file, and its tickets as PDF if
 * the operator wants that; after a cancellation also a calendar file that removes the canceled crossings. Created when the
 * mail is sent, so that the table contains no documents.
 */
async function buildAttachments(
  { config }: Pick<Context, 'config'>,
  { document, html, settings }: OrderMail,
): Promise<MailAttachment[]> {
  const { reference } = document.order;
  const input = { config, brandName: settings.brand.name };
  const canceled = buildCancelingCalendarFile(document, input);
  return [
    ...(isConfirmedDocument(document) ? await buildTickets({ document, html, settings }) : []),
    ...(isConfirmedDocument(document)
      ? [buildCalendar(`ferry-${reference}.ics`, 'PUBLISH', buildCalendarFile(document, input))]
      : []),
    ...(canceled === null ? [] : [buildCalendar(`canceled-${reference}.ics`, 'CANCEL', canceled)]),
  ];
}

async function buildTickets({ document, html, settings }: OrderMail): Promise<MailAttachment[]> {
  const codes = document.tickets.flatMap((ticket) => {
    const cid = codeCid(ticket);
    if (!html.includes(`cid:${cid}`)) return [];
    return [{ filename: `${cid}.png`, contentType: 'image/png', content: qrPng(ticket.payload), cid }];
  });
  if (!settings.attach_tickets_pdf) return codes;
  const content = await makeDocument({ document, settings, showsAssistance: true }, MAILS);
  return [
    ...codes,
    { filename: `tickets-${document.order.reference}.pdf`, contentType: 'application/pdf', content },
  ];
}

/** Nothing, if the receipt is gone with its order. */
async function attachReceipt(
  { db }: Pick<Context, 'db'>,
  { receiptId, settings }: { receiptId: string; settings: WebSettings },
): Promise<MailAttachment[]> {
  const [receipt] = await db.select().from(receipts).where(eq(receipts.id, receiptId));
  if (!receipt) return [];
  const pdf = {
    ...{ filename: `${receipt.number}.pdf`, contentType: 'application/pdf' },
    content: await makeDocument({ receipt, settings }, MAILS),
  };
  if (receipt.content.electronic === undefined) return [pdf];
  const ubl = {
    ...{ filename: `${receipt.number}.xml`, contentType: 'application/xml' },
    content: await makeDocument({ ubl: receipt }, MAILS),
  };
  return [pdf, ubl];
}

function buildCalendar(filename: string, method: 'PUBLISH' | 'CANCEL', calendar: string): MailAttachment {
  return {
    filename,
    contentType: `text/calendar; charset=utf-8; method=${method}`,
    content: Buffer.from(calendar, 'utf8'),
  };
}
