import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { findCustomer } from '../identity/customers.ts';
import { type AccountMail, type AccountMailFacts, queueAccountMail } from '../mail/account-mails.ts';
import type { TripCardRow } from './queries.ts';

type CardFacts = 'name' | 'lastFour';

/**
 * Queues a mail about a card to its owner, or to another customer.
 * @returns the mail's id; null without a recipient
 */
export async function queueCardMail<Kind extends `trip-card-${string}` & keyof AccountMailFacts>(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  {
    card,
    kind,
    facts,
    customerId = card.customerId,
  }: {
    card: TripCardRow;
    kind: Kind;
    facts: Omit<AccountMailFacts[Kind], CardFacts>;
    customerId?: string | null;
  },
): Promise<string | null> {
  const recipient = await findCustomer(tx, customerId);
  if (!recipient) return null;
  const named = { name: card.name, lastFour: card.number.slice(-4), ...facts };
  return queueAccountMail(tx, context, { to: recipient.email, kind, facts: named } as AccountMail);
}
