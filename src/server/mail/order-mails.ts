import type { Database } from '../database/database.ts';
import type { Deps } from '../deps.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { findTravelDocument } from '../tickets/travel-document.ts';
import { letterHtml, letterText } from './letter.ts';
import { queueMail } from './mails.ts';
import { ORDER_LETTERS, type OrderMailKind, orderLetter } from './order-letters.ts';

/**
 * Writes the mail an order causes, to its contact's address; call it in the causing transaction, after its
 * rows are written, and `askToSend` after the commit.
 * @returns the mail's id
 */
export async function queueOrderMail(
  db: Database,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  kind: OrderMailKind,
  orderId: string,
): Promise<string> {
  const document = await findTravelDocument(db, orderId);
  if (!document) throw new Error('There is no such order to write about.');
  const settings = await loadWebSettings({ db });
  const letter = orderLetter(kind, { document, settings, origin: config.origins.tickets });
  return queueMail(
    db,
    {
      kind,
      to: document.order.contactEmail,
      subject: `${letter.title} · ${document.order.reference}`,
      text: letterText(letter),
      html: letterHtml(letter),
      orderId: ORDER_LETTERS[kind].carriesTickets ? orderId : null,
    },
    clock,
  );
}
