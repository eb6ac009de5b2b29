import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Order, Ticket } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { pushes } from '../database/schema/push.ts';
import { orders } from '../database/schema/sales.ts';
import { smsMessages } from '../database/schema/sms.ts';
import { mails } from '../database/schema/system.ts';
import { ticketShares } from '../database/schema/ticket-shares.ts';
import { tripCardShares } from '../database/schema/trip-cards.ts';
import { presentRecord } from '../orders/presenter.ts';
import { findOrders } from '../orders/queries.ts';
import { listShares } from '../orders/tickets/shares.ts';
import { exportDetails } from '../passenger-lists/traveler-details.ts';
import { listSubscriptions } from '../push/subscriptions.ts';

/** Data about a person, by section, in readable form. Without secrets or their hashes. */
export type PersonalData = Record<string, unknown>;

/** Orders as their owner sees them, with the persons to whom tickets were sent and the browsers that are told. */
export async function exportOrders(
  { db, clock, vault, ticketSigner }: Pick<Context, 'db' | 'clock' | 'vault' | 'ticketSigner'>,
  condition: SQL,
): Promise<PersonalData[]> {
  const ids = await db
    .select({ id: orders.id })
    .from(orders)
    .where(condition)
    .orderBy(asc(orders.insertedAt), asc(orders.id));
  const records = await findOrders(
    db,
    ids.map(({ id }) => id),
  );
  const exported: PersonalData[] = [];
  for (const record of records) {
    const reader = { now: clock.now(), language: record.order.locale, isOwner: true, ticketSigner };
    const { tickets, party_codes: _, ...order }: Order = presentRecord(record, reader);
    const shares = await listShares({ db }, { record, isOwner: true });
    const pushes = await exportPushes(db, order.id);
    const textMessages = await exportSms(db, order.id);
    const passengerList = await exportDetails({ db, vault }, order.id);
    exported.push({
      ...order,
      tickets: tickets.map(withoutBarcode),
      shares,
      ...pushes,
      text_messages: textMessages,
      passenger_list: passengerList,
    });
  }
  return exported;
}

/** The browsers that are told about an order, and what they were told. */
async function exportPushes(db: Database, orderId: string): Promise<PersonalData> {
  const devices = await listSubscriptions(db, orderId);
  const sent = await db
    .select()
    .from(pushes)
    .where(eq(pushes.orderId, orderId))
    .orderBy(asc(pushes.insertedAt), asc(pushes.id));
  return {
    told_devices: devices.map(({ device, insertedAt }) => ({
      device,
      inserted_at: insertedAt.toISOString(),
    })),
    pushes: sent.map(({ kind, device, status, insertedAt, sentAt }) => ({
      kind,
      device,
      status,
      inserted_at: insertedAt.toISOString(),
      sent_at: sentAt?.toISOString() ?? null,
    })),
  };
}

async function exportSms(db: Database, orderId: string): Promise<PersonalData[]> {
  const sent = await db
    .select()
    .from(smsMessages)
    .where(eq(smsMessages.orderId, orderId))
    .orderBy(asc(smsMessages.insertedAt), asc(smsMessages.id));
  return sent.map(({ kind, toNumber, status, insertedAt, sentAt }) => ({
    kind,
    to: toNumber,
    status,
    inserted_at: insertedAt.toISOString(),
    sent_at: sentAt?.toISOString() ?? null,
  }));
}

/** Condition on orders: bought without an account under an address. */
export function isGuestOrderOf(email: string): SQL {
  return sql`(${orders.customerId} is null and lower(${orders.contactEmail}) = ${email})`;
}

/** Without the signed code, which permits boarding and must not be in a file. */
function withoutBarcode({ barcode: _, ...ticket }: Ticket): Omit<Ticket, 'barcode'> {
  return ticket;
}

/**
 * Mails sent to a person, except those about orders of others.
 * @param input email: normalized; ownOrders: a condition on orders
 */
export async function exportMails(
  db: Database,
  { email, ownOrders }: { email: string; ownOrders: SQL },
): Promise<PersonalData[]> {
  const own = db.select({ id: orders.id }).from(orders).where(ownOrders);
  const rows = await db
    .select({
      kind: mails.kind,
      to: mails.toAddress,
      status: mails.status,
      insertedAt: mails.insertedAt,
      sentAt: mails.sentAt,
    })
    .from(mails)
    .where(
      and(eq(sql`lower(${mails.toAddress})`, email), or(isNull(mails.orderId), inArray(mails.orderId, own))),
    )
    .orderBy(asc(mails.insertedAt), asc(mails.id));
  return rows.map(({ kind, to, status, insertedAt, sentAt }) => ({
    kind,
    to,
    status,
    inserted_at: insertedAt.toISOString(),
    sent_at: sentAt?.toISOString() ?? null,
  }));
}

/** The tickets that others sent to an address. */
export async function listReceivedTickets(db: Database, email: string): Promise<PersonalData[]> {
  const rows = await db
    .select({ name: ticketShares.name, insertedAt: ticketShares.insertedAt })
    .from(ticketShares)
    .where(eq(ticketShares.email, email))
    .orderBy(asc(ticketShares.insertedAt));
  return rows.map(({ name, insertedAt }) => ({ name, inserted_at: insertedAt.toISOString() }));
}

/** The trip cards that others share with an address, or offered to. */
export async function listInvitations(db: Database, email: string): Promise<PersonalData[]> {
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
