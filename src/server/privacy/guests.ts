import { and, eq, isNull, sql } from 'drizzle-orm';
import type { CommandContext } from '../context.ts';
import type { Database } from '../database/database.ts';
import { signInChallenges } from '../database/schema/people.ts';
import { mails } from '../database/schema/system.ts';
import { tripCardShares } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { normalizeEmail } from '../identity/customers.ts';
import { createTicketSigner } from '../orders/tickets/keys.ts';
import {
  eraseOrders,
  eraseRecipient,
  isOrderOfPerson,
  lockErasableOrders,
  PrivacyRefused,
} from './erase-orders.ts';
import {
  exportMails,
  exportOrders,
  isGuestOrderOf,
  listInvitations,
  listReceivedTickets,
  type PersonalData,
} from './export-data.ts';
import { type Answering, auditPrivacyAct, logPrivacyAct, nameActor } from './privacy-log.ts';
import { deleteStoredResponses } from './stored-responses.ts';

type GuestInput = Answering & { email: string };

/**
 * Reads everything stored about a person who bought without an account.
 * @throws {PrivacyRefused} if nothing is stored
 */
export async function exportGuest(
  context: CommandContext,
  { email, actor, reason }: GuestInput,
): Promise<PersonalData> {
  const { db, clock } = context;
  const address = normalizeEmail(email);
  const ownOrders = isGuestOrderOf(address);
  const ticketSigner = await createTicketSigner(context);
  const data = {
    orders: await exportOrders({ ...context, ticketSigner }, ownOrders),
    received_tickets: await listReceivedTickets(db, address),
    trip_card_invitations: await listInvitations(db, address),
    mails: await exportMails(db, { email: address, ownOrders }),
  };
  if (Object.values(data).every(({ length }) => length === 0)) throw nothingStored();
  await inTransaction(db, (tx) =>
    recordAnswer(tx, context, { kind: 'guest_exported', orders: data.orders.length, actor, reason }),
  );
  return { exported_at: clock.now().toISOString(), email: address, ...data };
}

/**
 * Erases everything stored about a person who bought without an account, or nothing. Sums, tickets and the ledger stay,
 * without the person.
 * @returns the number of erased orders
 * @throws {PrivacyRefused} if an order is not over yet, or nothing is stored
 */
export async function eraseGuest(
  { db, clock, vault }: Pick<CommandContext, 'db' | 'clock' | 'vault'>,
  { email, actor, reason }: GuestInput,
): Promise<number> {
  const address = normalizeEmail(email);
  return inTransaction(db, async (tx) => {
    const isOwn = isOrderOfPerson({ customerId: null, email: address });
    const ids = await lockErasableOrders(tx, isOwn, clock.now());
    await eraseOrders(tx, ids);
    await deleteStoredResponses(tx, { vault }, ids);
    const others = await eraseElsewhere(tx, address);
    if (ids.length + others === 0) throw nothingStored();
    await recordAnswer(tx, { clock }, { kind: 'guest_erased', orders: ids.length, actor, reason });
    return ids.length;
  });
}

function nothingStored(): PrivacyRefused {
  return new PrivacyRefused([{ reason: 'nothing_stored' }]);
}

type GuestAct = Answering & { kind: 'guest_exported' | 'guest_erased'; orders: number };

async function recordAnswer(
  tx: Database,
  context: Pick<CommandContext, 'clock'>,
  { kind, orders, actor, reason }: GuestAct,
): Promise<void> {
  const recordId = await logPrivacyAct(tx, context, { kind, orders, actor: nameActor(actor) });
  const action = kind === 'guest_erased' ? 'personal_data_erased' : 'personal_data_exported';
  await auditPrivacyAct(tx, context, { actor, reason, action, orders, recordId, customerId: null });
}

/** Erases the address from mails, tickets sent to it, invitations to trip cards, and codes. @returns changed rows */
export async function eraseElsewhere(tx: Database, email: string): Promise<number> {
  const deletedMails = await tx
    .delete(mails)
    .where(eq(sql`lower(${mails.toAddress})`, email))
    .returning({ id: mails.id });
  const invitations = await tx
    .delete(tripCardShares)
    .where(and(eq(tripCardShares.email, email), isNull(tripCardShares.customerId)))
    .returning({ id: tripCardShares.id });
  await tx.delete(signInChallenges).where(eq(signInChallenges.email, email));
  return deletedMails.length + invitations.length + (await eraseRecipient(tx, email));
}
