import { count, desc, eq, lt } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import {
  type SecurityEvent,
  type SecurityEventKind,
  SecurityEventSchema,
} from '#contract/identity/security/schemas.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { present } from '#server/core/present.ts';
import type { Database } from '#server/database/database.ts';
import { securityEvents } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { type ListQuery, pageMeta } from '#server/http/list-query.ts';
import { queueAccountMail, sendSoon } from '#server/mail/account-mails.ts';
import { daysBefore, type RetentionRule } from '#server/retention.ts';
import { type CustomerRow, lockOwner, type OwnerOnDevice, requireCustomer } from '../customers.ts';

export type NewSecurityEvent = {
  customerId: string;
  kind: SecurityEventKind;
  /** The device as shown to the owner: "Safari on iPhone". */
  device: string;
};

/**
 * Records a security event and queues the mail to the owner. Call it in the transaction of the change, and `sendSoon`
 * after the commit.
 * @returns the mail's id
 */
export async function reportSecurityEvent(
  tx: Database,
  context: Pick<Context, 'clock' | 'vault'>,
  event: NewSecurityEvent,
): Promise<string> {
  const { email } = await requireCustomer(tx, event.customerId);
  await recordSecurityEvent(tx, context, event);
  return queueAccountMail(tx, context, {
    to: email,
    kind: 'security-event',
    data: { event: event.kind, device: event.device, at: context.clock.now().toISOString() },
  });
}

/**
 * Changes an account in a transaction that has locked its row, and reports the change.
 * @param change returns the kind of event; null if nothing is to be reported
 * @throws {ApiError} session_expired
 */
export async function changeAccount(
  context: Context,
  { device, ...owner }: OwnerOnDevice,
  change: (tx: Database, customer: CustomerRow) => Promise<SecurityEventKind | null>,
): Promise<void> {
  const mailId = await inTransaction(context.db, async (tx) => {
    const kind = await change(tx, await lockOwner(tx, context, owner));
    return kind && reportSecurityEvent(tx, context, { customerId: owner.customerId, kind, device });
  });
  sendSoon(context.jobs, mailId);
}

/** Records a security event without a mail, because another mail of the same change covers it. */
export async function recordSecurityEvent(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  event: NewSecurityEvent,
): Promise<void> {
  await tx.insert(securityEvents).values({ id: newId('sev'), ...event, insertedAt: clock.now() });
}

/** One page of the account's security events, newest first. */
export async function listSecurityEvents(
  db: Database,
  { customerId, list }: { customerId: string; list: ListQuery },
): Promise<{ events: SecurityEvent[]; meta: PageMeta }> {
  const own = eq(securityEvents.customerId, customerId);
  const [total] = await db.select({ count: count() }).from(securityEvents).where(own);
  const rows = await db
    .select()
    .from(securityEvents)
    .where(own)
    .orderBy(desc(securityEvents.insertedAt), desc(securityEvents.id))
    .limit(list.pageSize)
    .offset(list.offset);
  const events = rows.map((row) => present(SecurityEventSchema, row));
  return { events, meta: pageMeta(list, total?.count ?? 0) };
}

/** Deletes what owners need no longer look back on. */
export const deleteOldSecurityEvents: RetentionRule = async (db, now, keepDays) => {
  const end = daysBefore(now, keepDays.securityEvents);
  await db.delete(securityEvents).where(lt(securityEvents.insertedAt, end));
};
