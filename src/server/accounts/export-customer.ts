import { and, asc, count, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Order, Ticket } from '#contract/orders/schemas.ts';
import { MAX_PAYMENT_CARDS } from '#contract/payment-cards/schemas.ts';
import type { Context } from '../context.ts';
import type { OwnerOnDevice } from '../customers/queries.ts';
import {
  type CustomerRow,
  normaliseEmail,
  type Owner,
  presentCustomer,
  requireCustomer,
} from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import {
  authenticators,
  passkeys,
  recoveryCodes,
  securityEvents,
  sessions,
} from '../database/schema/people.ts';
import { orders } from '../database/schema/sales.ts';
import { mails } from '../database/schema/system.ts';
import { inSnapshot } from '../database/transactions.ts';
import { DAY_SECONDS, rateLimit } from '../http/rate-limit.ts';
import { presentRecord } from '../orders/presenter.ts';
import { findOrders } from '../orders/queries.ts';
import { listCards } from '../payment-cards/queries.ts';
import { changeAccount } from '../security/security-events.ts';
import { listShares } from '../ticket-shares/shares.ts';
import { exportTripCards } from '../trip-cards/account-lifecycle.ts';

const EXPORTS = { name: 'export', limit: 5, windowSeconds: DAY_SECONDS };

/** All data stored about a customer, by section, in readable form. Without secrets or their hashes. */
export type CustomerExport = Record<string, unknown>;

/**
 * Reads all data about a customer on one snapshot and mails them that it was exported.
 * @throws {ApiError} rate_limited
 */
export async function exportCustomer(context: Context, owner: OwnerOnDevice): Promise<CustomerExport> {
  await rateLimit(context, { ...EXPORTS, who: owner.customerId });
  await changeAccount(context, owner, async () => 'data_exported');
  return inSnapshot(context.db, (tx) => collectData({ ...context, db: tx }, owner));
}

async function collectData(context: Context, { customerId, sessionId }: Owner): Promise<CustomerExport> {
  const { db, clock } = context;
  const customer = await requireCustomer(db, customerId);
  return {
    exported_at: clock.now().toISOString(),
    customer: describeCustomer(customer),
    two_step_sign_in: await describeTwoStep(db, customer),
    passkeys: await listPasskeys(db, customerId),
    sessions: await listSessions(db, customerId, sessionId),
    security_events: await listEvents(db, customerId),
    payment_cards: await listPaymentCards(context, customerId),
    trip_cards: await exportTripCards(context, customerId),
    orders: await listOrders(context, customerId),
    mails: await listMails(db, customer),
  };
}

function describeCustomer(row: CustomerRow): CustomerExport {
  return {
    ...presentCustomer(row),
    email_verified_at: instant(row.emailVerifiedAt),
    has_password: row.passwordHash !== null,
    password_changed_at: instant(row.passwordChangedAt),
    inserted_at: instant(row.insertedAt),
    updated_at: instant(row.updatedAt),
  };
}

async function describeTwoStep(db: Database, { id, mfaRequired }: CustomerRow): Promise<CustomerExport> {
  const [authenticator] = await db
    .select({ insertedAt: authenticators.insertedAt, confirmedAt: authenticators.confirmedAt })
    .from(authenticators)
    .where(eq(authenticators.customerId, id));
  const [codes] = await db
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.customerId, id), isNull(recoveryCodes.usedAt)));
  return {
    is_required: mfaRequired,
    authenticator: authenticator
      ? { inserted_at: instant(authenticator.insertedAt), confirmed_at: instant(authenticator.confirmedAt) }
      : null,
    recovery_codes_left: codes?.left ?? 0,
  };
}

async function listPasskeys(db: Database, customerId: string): Promise<CustomerExport[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.customerId, customerId))
    .orderBy(asc(passkeys.insertedAt));
  return rows.map(({ id, name, backedUp, insertedAt, lastUsedAt }) => ({
    id,
    name,
    backed_up: backedUp,
    inserted_at: instant(insertedAt),
    last_used_at: instant(lastUsedAt),
  }));
}

async function listSessions(db: Database, customerId: string, current: string): Promise<CustomerExport[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(eq(sessions.customerId, customerId))
    .orderBy(asc(sessions.insertedAt));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    device: row.device,
    inserted_at: instant(row.insertedAt),
    last_seen_at: instant(row.lastSeenAt),
    expires_at: instant(row.expiresAt),
    ended_at: instant(row.revokedAt),
    current: row.id === current,
  }));
}

async function listEvents(db: Database, customerId: string): Promise<CustomerExport[]> {
  const rows = await db
    .select()
    .from(securityEvents)
    .where(eq(securityEvents.customerId, customerId))
    .orderBy(asc(securityEvents.insertedAt), asc(securityEvents.id));
  return rows.map(({ id, kind, device, insertedAt }) => ({
    id,
    kind,
    device,
    inserted_at: instant(insertedAt),
  }));
}

/** As many as an account can have. */
async function listPaymentCards(context: Context, customerId: string): Promise<CustomerExport[]> {
  const list = { page: 1, pageSize: MAX_PAYMENT_CARDS, offset: 0, filters: [] };
  return (await listCards(context, { customerId, list })).cards;
}

async function listOrders(
  { db, clock, ticketSigner }: Context,
  customerId: string,
): Promise<CustomerExport[]> {
  const ids = await db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.customerId, customerId))
    .orderBy(asc(orders.insertedAt), asc(orders.id));
  const records = await findOrders(
    db,
    ids.map(({ id }) => id),
  );
  const exported: CustomerExport[] = [];
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

/** Mails sent to the owner: about the account and about their orders. */
async function listMails(db: Database, { id, email }: CustomerRow): Promise<CustomerExport[]> {
  const own = db.select({ id: orders.id }).from(orders).where(eq(orders.customerId, id));
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
      and(
        sql`lower(${mails.toAddress}) = ${normaliseEmail(email)}`,
        or(isNull(mails.orderId), inArray(mails.orderId, own)),
      ),
    )
    .orderBy(asc(mails.insertedAt), asc(mails.id));
  return rows.map(({ kind, to, status, insertedAt, sentAt }) => ({
    kind,
    to,
    status,
    inserted_at: instant(insertedAt),
    sent_at: instant(sentAt),
  }));
}

function instant(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
