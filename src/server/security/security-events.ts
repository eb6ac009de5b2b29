import { count, desc, eq } from 'drizzle-orm';
import type { PageMeta } from '#contract/common.ts';
import type { SecurityEvent, SecurityEventKind } from '#contract/security/schemas.ts';
import type { Clock } from '../clock.ts';
import { requireCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import { securityEvents } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { type ListQuery, pageMeta } from '../http/list-query.ts';
import { newId } from '../ids.ts';
import { queueAccountMail } from '../mail/account-mails.ts';

export type NewSecurityEvent = {
  customerId: string;
  kind: SecurityEventKind;
  /** From where, as the owner would say it: "Safari on iPhone". */
  device: string;
};

export const SECURITY_EVENTS_PAGE_SIZE = 20;

/**
 * Notes what happened to an account's security, and the mail that tells its owner. Call it in the transaction of
 * the change, and `sendSoon` after the commit.
 * @returns the mail's id
 */
export async function noteSecurityEvent(
  db: Database,
  deps: Pick<Deps, 'clock' | 'vault'>,
  event: NewSecurityEvent,
): Promise<string> {
  const { email } = await requireCustomer(db, event.customerId);
  await recordSecurityEvent(db, deps.clock, event);
  return queueAccountMail(db, deps, {
    to: email,
    kind: 'security-event',
    facts: { event: event.kind, device: event.device, at: deps.clock.now().toISOString() },
  });
}

/** Notes what happened without a mail of its own: for what another mail of the same change tells. */
export async function recordSecurityEvent(
  db: Database,
  clock: Clock,
  event: NewSecurityEvent,
): Promise<void> {
  await db.insert(securityEvents).values({ id: newId('sev'), ...event, insertedAt: clock.now() });
}

/** One page of what happened to an account's security, newest first. */
export async function listSecurityEvents(
  db: Database,
  customerId: string,
  query: ListQuery,
): Promise<{ events: SecurityEvent[]; meta: PageMeta }> {
  const own = eq(securityEvents.customerId, customerId);
  const [total] = await db.select({ count: count() }).from(securityEvents).where(own);
  const rows = await db
    .select()
    .from(securityEvents)
    .where(own)
    .orderBy(desc(securityEvents.insertedAt), desc(securityEvents.id))
    .limit(query.pageSize)
    .offset(query.offset);
  const events = rows.map(({ id, kind, device, insertedAt }) => ({
    id,
    kind,
    device,
    inserted_at: insertedAt.toISOString(),
  }));
  return { events, meta: pageMeta(query, total?.count ?? 0) };
}
