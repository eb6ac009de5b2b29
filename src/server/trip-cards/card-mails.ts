import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { findCustomer } from '../identity/customers.ts';
import {
  type AccountMail,
  type AccountMailData,
  queueAccountMail,
  type TripCardData,
} from '../mail/account-mails.ts';
import type { TripCardRow } from './queries.ts';

/**
 * Queues a mail about a card to its owner, or to another customer.
 * @returns the mail's id; null without a recipient
 */
export async function queueCardMail<Kind extends `trip-card-${string}` & keyof AccountMailData>(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  {
    card,
    kind,
    data,
    customerId = card.customerId,
  }: {
    card: TripCardRow;
    kind: Kind;
    data: Omit<AccountMailData[Kind], keyof TripCardData>;
    customerId?: string | null;
  },
): Promise<string | null> {
  const recipient = await findCustomer(tx, customerId);
  if (!recipient) return null;
  const { name, number, unit, currency } = card;
  const described = { name, lastFour: number.slice(-4), unit, currency, ...data };
  return queueAccountMail(tx, context, { to: recipient.email, kind, data: described } as AccountMail);
}
