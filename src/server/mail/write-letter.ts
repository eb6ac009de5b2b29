import type { WebSettings } from '#contract/settings.ts';
import type { Deps } from '../deps.ts';
import { findTravelDocument } from '../tickets/travel-document.ts';
import { letterHtml, letterText } from './letter.ts';
import type { Mail, WrittenLetter } from './mails.ts';
import { ORDER_LETTERS, type OrderMailKind, orderLetter } from './order-letters.ts';

/** Writes the letter of a mail that was noted, about its order as it stands now. */
export async function writeOrderLetter(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { kind, orderId }: Pick<Mail, 'kind' | 'orderId'>,
  settings: WebSettings,
): Promise<WrittenLetter> {
  const document = orderId === null ? null : await findTravelDocument(db, orderId);
  if (!document || !isOrderMail(kind)) throw new Error('There is nothing to write about.');
  const letter = orderLetter(kind, { document, settings, origin: config.origins.tickets });
  return {
    subject: `${letter.title} · ${document.order.reference}`,
    text: letterText(letter),
    html: letterHtml(letter),
  };
}

/** Whether tickets and calendar file go along with mails of a kind. */
export function carriesTickets(kind: string): boolean {
  return isOrderMail(kind) && ORDER_LETTERS[kind].carriesTickets;
}

function isOrderMail(kind: string): kind is OrderMailKind {
  return Object.hasOwn(ORDER_LETTERS, kind);
}
