import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/database/database.ts';
import { qrPng } from '#server/documents/qr-code.ts';
import { buildTicketsPdf } from '#server/documents/tickets-pdf.ts';
import { findTravelDocument, type TravelDocument } from '#server/documents/travel-document.ts';
import { renderHtml, renderText } from '#server/mail/mail-content.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { orderMailContent } from '#server/mail/templates/order.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';

const TIMES = 100;
const WARM_UP = 20;

/**
 * Measures the parts of a confirmation mail in this thread, with the documents of an order that was sold.
 * @returns a line for each part, with its processor time
 */
export async function measureMailParts(urls: { databaseUrl: string; smtpUrl: string }): Promise<string[]> {
  const { db, store, close } = await openDatabase({ url: urls.databaseUrl, folder: null });
  const mailer = createMailer({
    smtpUrl: urls.smtpUrl,
    from: { name: null, address: 'tickets@ferry.example' },
    domain: 'ferry.example',
  });
  try {
    const [{ id: orderId } = { id: '' }] = await store.query<{ id: string }>(
      `select order_id as id from mails where kind = 'order-confirmed' and status = 'sent' limit 1`,
    );
    const document = (await findTravelDocument(db, orderId)) as TravelDocument;
    const settings = await loadWebSettings({ db });
    const { origins } = readConfig({ NODE_ENV: 'test' });
    const write = () => {
      const content = orderMailContent('order-confirmed', { document, settings, origin: origins.tickets });
      return { text: renderText(content), html: renderHtml(content) };
    };
    const codes = () => document.tickets.map(({ payload }) => qrPng(payload));
    const attachments = codes().map((content, index) => ({
      ...{ filename: `code-${index}.png`, contentType: 'image/png', content, cid: `code-out-${index}` },
    }));
    let sent = 0;
    const send = () => {
      sent += 1;
      return mailer.send({
        ...{
          id: `bench-${sent}`,
          to: 'ada@example.com',
          brandName: 'Bench',
          replyTo: null,
          subject: 'Tickets',
        },
        ...{ ...write(), attachments },
      });
    };
    const text = await measure(write);
    return [
      `  reading the order: ${show(await measure(() => findTravelDocument(db, orderId)))}`,
      `  text: ${show(text)}`,
      `  codes: ${show(await measure(codes))}`,
      `  sending: ${show((await measure(send)) - text)}`,
      `  PDF, where it is asked for: ${show(await measure(() => buildTicketsPdf(document, settings)))}`,
    ];
  } finally {
    mailer.close();
    await close();
  }
}

/** Processor time of one call in this thread, in milliseconds. */
async function measure(work: () => unknown): Promise<number> {
  for (let turn = 0; turn < WARM_UP; turn += 1) await work();
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < TIMES; turn += 1) {
    await work();
    // Lets timers and sockets run, as between two mails.
    await delay(0);
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / TIMES;
}

function show(milliseconds: number): string {
  return `${milliseconds.toFixed(2)} ms`;
}
