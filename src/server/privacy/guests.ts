import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { CommandContext } from '../command.ts';
import { findCustomerByEmail, normaliseEmail } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { signInChallenges } from '../database/schema/people.ts';
import { orders } from '../database/schema/sales.ts';
import { mails } from '../database/schema/system.ts';
import { ticketShares } from '../database/schema/ticket-shares.ts';
import { tripCardShares } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { createTicketSigner } from '../tickets/keys.ts';
import { eraseOrders, eraseRecipient, lockOrdersToErase } from './erase-orders.ts';
import { exportMails, exportOrders, type PersonalData } from './export-data.ts';
import { logPrivacyAct } from './privacy-log.ts';

/** The data cannot be exported or erased; the message tells the operator why. */
export class GuestRefused extends Error {}

/** `actor`: the system user who asks, for the log. */
type GuestInput = { email: string; actor: string };

/**
 * Reads everything stored about a person who bought without an account.
 * @throws {GuestRefused} if the address has an account, or nothing is stored
 */
export async function exportGuest(
  context: CommandContext,
  { email, actor }: GuestInput,
): Promise<PersonalData> {
  const { db, clock } = context;
  const address = normaliseEmail(email);
  await requireGuest(db, address);
  const ownOrders = isOrderOf(address);
  const ticketSigner = await createTicketSigner(context);
  const data = {
    orders: await exportOrders({ db, clock, ticketSigner }, ownOrders),
    received_tickets: await listReceivedTickets(db, address),
    trip_card_invitations: await listInvitations(db, address),
    mails: await exportMails(db, { email: address, ownOrders }),
  };
  if (Object.values(data).every(({ length }) => length === 0)) throw nothingStored();
  await logPrivacyAct(db, context, { kind: 'guest_exported', actor, orders: data.orders.length });
  return { exported_at: clock.now().toISOString(), email: address, ...data };
}

/**
 * Erases everything stored about a person who bought without an account, or nothing. Sums, tickets and the ledger stay,
 * without the person.
 * @returns the number of erased orders
 * @throws {GuestRefused} if the address has an account, an order is not over yet, or nothing is stored
 */
export async function eraseGuest(
  { db, clock }: Pick<CommandContext, 'db' | 'clock'>,
  { email, actor }: GuestInput,
): Promise<number> {
  const address = normaliseEmail(email);
  return inTransaction(db, async (tx) => {
    await requireGuest(tx, address);
    const isOwn = sql`o.customer_id is null and lower(o.contact_email) = ${address}`;
    const found = await lockOrdersToErase(tx, isOwn, clock.now());
    const blocked = found.filter(({ blocker }) => blocker !== null);
    if (blocked.length > 0) throw new GuestRefused(blocked.map(describeBlocker).join('\n'));
    await eraseOrders(
      tx,
      found.map(({ id }) => id),
    );
    const others = await eraseElsewhere(tx, address);
    if (found.length + others === 0) throw nothingStored();
    await logPrivacyAct(tx, { clock }, { kind: 'guest_erased', actor, orders: found.length });
    return found.length;
  });
}

async function requireGuest(db: Database, email: string): Promise<void> {
  if ((await findCustomerByEmail(db, email)) === null) return;
  throw new GuestRefused(
    'This address has an account. Its owner downloads or deletes all data on the Account page of the portal.',
  );
}

function isOrderOf(email: string) {
  return sql`${orders.customerId} is null and lower(${orders.contactEmail}) = ${email}`;
}

function describeBlocker({ reference, blocker }: { reference: string; blocker: 'open' | 'upcoming' | null }) {
  return blocker === 'upcoming'
    ? `Order ${reference} has a sailing that is not over. Cancel it first, or wait until it has arrived.`
    : `Order ${reference} has a payment, refund, change or choice that is not finished. Wait for it, or finish it first.`;
}

function nothingStored(): GuestRefused {
  return new GuestRefused('Nothing is stored about this address.');
}

/** Erases the address from mails, tickets sent to it, invitations to trip cards, and codes. @returns changed rows */
async function eraseElsewhere(tx: Database, email: string): Promise<number> {
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

async function listReceivedTickets(db: Database, email: string): Promise<PersonalData[]> {
  const rows = await db
    .select({ name: ticketShares.name, insertedAt: ticketShares.insertedAt })
    .from(ticketShares)
    .where(eq(ticketShares.email, email))
    .orderBy(asc(ticketShares.insertedAt));
  return rows.map(({ name, insertedAt }) => ({ name, inserted_at: insertedAt.toISOString() }));
}

async function listInvitations(db: Database, email: string): Promise<PersonalData[]> {
  const rows = await db
    .select({
      role: tripCardShares.role,
      status: tripCardShares.status,
      insertedAt: tripCardShares.insertedAt,
    })
    .from(tripCardShares)
    .where(eq(tripCardShares.email, email))
    .orderBy(asc(tripCardShares.insertedAt));
  return rows.map(({ insertedAt, ...share }) => ({ ...share, inserted_at: insertedAt.toISOString() }));
}
