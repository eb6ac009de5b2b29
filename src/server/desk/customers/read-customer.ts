import { and, asc, count, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { CUSTOMER_ROWS, type StaffCustomer } from '#contract/desk/customers/schemas.ts';
import { findMessageTitle } from '#sentences/order-messages.ts';
import { readAuditPage } from '#server/audit/read-audit.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import { sessions } from '#server/database/schema/people.ts';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';
import { notFound } from '#server/http/api-error.ts';
import { type CustomerRow, findCustomer, normalizeEmail } from '#server/identity/customers.ts';
import { presentSummary } from '#server/orders/presenter.ts';
import { findOrders } from '#server/orders/queries.ts';
import { findBlock } from './unblock-customer.ts';

type Viewing = { customerId: string; language: string; actor: StaffActor };

/**
 * A customer with their orders, trip cards and last mails. The log has that they were looked at. Nothing is done in their
 * name, and no payment cards are read.
 * @throws {ApiError} not_found
 */
export async function viewCustomer(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { customerId, language, actor }: Viewing,
): Promise<StaffCustomer> {
  const customer = await findCustomer(db, customerId);
  if (!customer) throw notFound();
  const ids = await db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.customerId, customerId))
    .orderBy(desc(orders.insertedAt), desc(orders.id))
    .limit(CUSTOMER_ROWS + 1);
  const now = clock.now();
  const records = await findOrders(
    db,
    ids.slice(0, CUSTOMER_ROWS).map(({ id }) => id),
  );
  const cards = await listCards(db, customerId);
  const { entries } = await readAuditPage(db, {
    ...{ page: 1, pageSize: CUSTOMER_ROWS, offset: 0 },
    filters: [{ field: 'object_id', op: 'in', values: [customerId, ...cards.map((card) => card.id)] }],
  });
  const { id, name, email, phone, insertedAt } = customer;
  const shown = {
    ...{ id, name, email, phone, inserted_at: insertedAt.toISOString() },
    sessions: await countSessions(db, customerId, now),
    blocked: presentBlock(customer, now),
    orders: records.map((record) => presentSummary(record, { now, language })),
    has_more_orders: ids.length > CUSTOMER_ROWS,
    trip_cards: cards,
    mails: await listMails(db, { email, language }),
    audit: entries,
  };
  const viewed = { objectKind: 'customer', objectId: customerId } as const;
  await recordView({ db, clock }, { actor, action: 'customer_viewed', ...viewed });
  return shown;
}

function presentBlock(customer: CustomerRow, now: Date): StaffCustomer['blocked'] {
  const { password, codesUntil } = findBlock(customer, now);
  if (!password && codesUntil === null) return null;
  return { password, codes_until: codesUntil?.toISOString() ?? null };
}

async function countSessions(db: Database, customerId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ sessions: count() })
    .from(sessions)
    .where(and(eq(sessions.customerId, customerId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now)));
  return row?.sessions ?? 0;
}

/** Those that others share with the customer are on the page of their owner. */
async function listCards(db: Database, customerId: string): Promise<StaffCustomer['trip_cards']> {
  const rows = await db
    .select()
    .from(tripCards)
    .where(eq(tripCards.customerId, customerId))
    .orderBy(sql`${tripCards.status} = 'lost'`, asc(tripCards.insertedAt), asc(tripCards.id));
  return rows.map(({ id, name, number, unit, currency, balance, status, expiresAt }) => ({
    ...{ id, name, unit, currency, balance, status },
    last_four: number.slice(-4),
    expires_at: expiresAt?.toISOString() ?? null,
  }));
}

/** Without their subjects, which may have a code by which the customer signs in. */
async function listMails(
  db: Database,
  { email, language }: { email: string; language: string },
): Promise<StaffCustomer['mails']> {
  const t = textsIn(language);
  const rows = await db
    .select({ id: mails.id, kind: mails.kind, status: mails.status, insertedAt: mails.insertedAt })
    .from(mails)
    .where(eq(sql`lower(${mails.toAddress})`, normalizeEmail(email)))
    .orderBy(desc(mails.insertedAt), desc(mails.id))
    .limit(CUSTOMER_ROWS);
  return rows.map(({ id, kind, status, insertedAt }) => {
    const title = findMessageTitle(kind);
    const subject = title === null ? t('About the account') : t(title);
    return { id, status, subject, at: insertedAt.toISOString() };
  });
}
