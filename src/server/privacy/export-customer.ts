import { and, asc, count, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { MAX_PAYMENT_CARDS } from '#contract/payment-cards/schemas.ts';
import type { CommandContext, Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import {
  authenticators,
  passkeys,
  recoveryCodes,
  securityEvents,
  sessions,
} from '../database/schema/people.ts';
import { orders } from '../database/schema/sales.ts';
import { inSnapshot, inTransaction } from '../database/transactions.ts';
import { DAY_SECONDS, rateLimit } from '../http/rate-limit.ts';
import type { OwnerOnDevice } from '../identity/customers.ts';
import { type CustomerRow, normalizeEmail, presentCustomer, requireCustomer } from '../identity/customers.ts';
import { changeAccount, reportSecurityEvent } from '../identity/security/security-events.ts';
import { createTicketSigner } from '../orders/tickets/keys.ts';
import { listCards } from '../payment-cards/queries.ts';
import { listSavedParty } from '../saved-party/saved-party.ts';
import { exportTripCards } from '../trip-cards/account-lifecycle.ts';
import {
  exportMails,
  exportOrders,
  isGuestOrderOf,
  listInvitations,
  listReceivedTickets,
  type PersonalData,
} from './export-data.ts';
import { type Answering, auditPrivacyAct, logPrivacyAct, nameActor } from './privacy-log.ts';

/** What the owner reads in place of a device. */
const OPERATOR = 'Ticket office';
const EXPORTS = { name: 'export', limit: 5, windowSeconds: DAY_SECONDS };

/**
 * Reads all data about a customer on one snapshot and mails them that it was exported.
 * @throws {ApiError} rate_limited
 */
export async function exportCustomer(context: Context, owner: OwnerOnDevice): Promise<PersonalData> {
  await rateLimit(context, { ...EXPORTS, who: owner.customerId });
  await changeAccount(context, owner, async (tx, customer) => {
    const count = await tx.$count(orders, isOrderOf(customer));
    await logPrivacyAct(tx, context, { kind: 'account_exported', actor: 'customer', orders: count });
    return 'data_exported';
  });
  return inSnapshot(context.db, (tx) => collectData({ ...context, db: tx }, owner));
}

/**
 * Reads all data about a customer for the operator, who was asked in writing, and mails the customer that it was
 * exported.
 */
export async function exportCustomerForOperator(
  context: CommandContext,
  { customerId, actor, reason }: Answering & { customerId: string },
): Promise<PersonalData> {
  const { db } = context;
  await inTransaction(db, async (tx) => {
    await reportSecurityEvent(tx, context, { customerId, kind: 'data_exported', device: OPERATOR });
    const count = await tx.$count(orders, isOrderOf(await requireCustomer(tx, customerId)));
    const act = { kind: 'account_exported', actor: nameActor(actor), orders: count } as const;
    const recordId = await logPrivacyAct(tx, context, act);
    await auditPrivacyAct(tx, context, {
      ...{ action: 'personal_data_exported', customerId, recordId, orders: count },
      ...{ actor, reason },
    });
  });
  const ticketSigner = await createTicketSigner(context);
  return inSnapshot(db, (tx) =>
    collectData({ ...context, db: tx, ticketSigner }, { customerId, sessionId: null }),
  );
}

type Reader = { customerId: string; sessionId: string | null };

async function collectData(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'ticketSigner'>,
  { customerId, sessionId }: Reader,
): Promise<PersonalData> {
  const { db, clock } = context;
  const customer = await requireCustomer(db, customerId);
  const email = normalizeEmail(customer.email);
  const isOwn = isOrderOf(customer);
  return {
    exported_at: clock.now().toISOString(),
    customer: describeCustomer(customer),
    two_step_sign_in: await describeTwoStep(db, customer),
    passkeys: await listPasskeys(db, customerId),
    sessions: await listSessions(db, customerId, sessionId),
    security_events: await listEvents(db, customerId),
    payment_cards: await listPaymentCards(context, customerId),
    trip_cards: await exportTripCards(context, customerId),
    saved_party: await listSavedParty(db, customerId),
    orders: await exportOrders(context, isOwn),
    received_tickets: await listReceivedTickets(db, email),
    trip_card_invitations: await listInvitations(db, email),
    mails: await exportMails(db, { email, ownOrders: isOwn }),
  };
}

/** Condition on orders: in the account, or bought without signing in under its address. */
function isOrderOf({ id, email }: CustomerRow): SQL {
  return sql`(${eq(orders.customerId, id)} or ${isGuestOrderOf(normalizeEmail(email))})`;
}

function describeCustomer(row: CustomerRow): PersonalData {
  return {
    ...presentCustomer(row),
    email_verified_at: instant(row.emailVerifiedAt),
    has_password: row.passwordHash !== null,
    password_changed_at: instant(row.passwordChangedAt),
    inserted_at: instant(row.insertedAt),
    updated_at: instant(row.updatedAt),
  };
}

async function describeTwoStep(db: Database, { id, mfaRequired }: CustomerRow): Promise<PersonalData> {
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

async function listPasskeys(db: Database, customerId: string): Promise<PersonalData[]> {
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

async function listSessions(
  db: Database,
  customerId: string,
  current: string | null,
): Promise<PersonalData[]> {
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

async function listEvents(db: Database, customerId: string): Promise<PersonalData[]> {
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
async function listPaymentCards(
  context: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<PersonalData[]> {
  const list = { page: 1, pageSize: MAX_PAYMENT_CARDS, offset: 0, filters: [] };
  return (await listCards(context, { customerId, list })).cards;
}

function instant(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}
