import { and, asc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Order, Ticket } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { orders } from '../database/schema/sales.ts';
import { mails } from '../database/schema/system.ts';
import { presentRecord } from '../orders/presenter.ts';
import { findOrders } from '../orders/queries.ts';
import { listShares } from '../ticket-shares/shares.ts';

/** Data about a person, by section, in readable form. Without secrets or their hashes. */
export type PersonalData = Record<string, unknown>;

/** Orders as their owner sees them, with the persons to whom tickets were sent. */
export async function exportOrders(
  { db, clock, ticketSigner }: Pick<Context, 'db' | 'clock' | 'ticketSigner'>,
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
    const reader = { isOwner: true, ticketSigner };
    const { tickets, party_codes: _, ...order }: Order = presentRecord(record, clock.now(), reader);
    const shares = await listShares({ db }, { record, isOwner: true });
    exported.push({ ...order, tickets: tickets.map(withoutBarcode), shares });
  }
  return exported;
}

/** Without the signed code, which permits boarding and must not be in a file. */
function withoutBarcode({ barcode: _, ...ticket }: Ticket): Omit<Ticket, 'barcode'> {
  return ticket;
}

/**
 * Mails sent to a person, except those about orders of others.
 * @param input email: normalised; ownOrders: a condition on orders
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
