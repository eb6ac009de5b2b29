import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Deps } from '../deps.ts';
import { findTravelDocument } from '../documents/travel-document.ts';
import type { AccountMessage } from './account-mails.ts';
import { letterHtml, letterText } from './letter.ts';
import { MailRefusedError } from './mailer.ts';
import { type Mail, saveLetter, type WrittenLetter } from './outbox.ts';
import { accountLetter } from './templates/account.ts';
import { ORDER_LETTERS, type OrderMailKind, orderLetter } from './templates/order.ts';

type Dependencies = Pick<Deps, 'db' | 'config' | 'vault'>;

/**
 * The content of a queued mail. A mail about an order is rendered for the first attempt, from the order's current
 * state, and stored. A mail about an account is rendered for each attempt and never stored, because it gives access to
 * the account.
 */
export async function letterOf(
  deps: Dependencies,
  mail: Mail,
  settings: WebSettings,
): Promise<WrittenLetter> {
  if (mail.sealedFacts !== null) return writeAccountLetter(deps, mail, mail.sealedFacts, settings);
  const { subject, text, html } = mail;
  if (subject !== null && text !== null && html !== null) return { subject, text, html };
  const letter = await writeOrderLetter(deps, mail, settings);
  await saveLetter(deps.db, mail.id, letter);
  return letter;
}

/** Whether mails of this kind have tickets and calendar file attached. */
export function carriesTickets(kind: string): boolean {
  return isOrderMail(kind) && ORDER_LETTERS[kind].carriesTickets;
}

function writeAccountLetter(
  { config, vault }: Dependencies,
  { kind, insertedAt }: Mail,
  sealedFacts: string,
  settings: WebSettings,
): WrittenLetter {
  const message = { kind, facts: openFacts(vault, sealedFacts) } as AccountMessage;
  const { subject, letter } = accountLetter(message, {
    settings,
    origin: config.origins.portal,
    askedAt: insertedAt,
  });
  return { subject, text: letterText(letter), html: letterHtml(letter) };
}

function openFacts(vault: Deps['vault'], sealedFacts: string): unknown {
  try {
    return JSON.parse(vault.open(sealedFacts));
  } catch {
    // Encrypted with a secret that this installation no longer has, so retries are useless.
    throw new MailRefusedError('What it says cannot be read any more.');
  }
}

async function writeOrderLetter(
  { db, config }: Dependencies,
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

function isOrderMail(kind: string): kind is OrderMailKind {
  return Object.hasOwn(ORDER_LETTERS, kind);
}
