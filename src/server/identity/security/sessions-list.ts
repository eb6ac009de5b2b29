import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import { SessionSchema, type SignedInDevice } from '#contract/identity/security/schemas.ts';
import type { Context } from '#server/context.ts';
import { present } from '#server/core/present.ts';
import { sessions } from '#server/database/schema/people.ts';
import { notFound } from '#server/http/api-error.ts';
import type { Owner, OwnerOnDevice } from '../customers.ts';
import { endCustomerSession, endSessions, IDLE_DAYS } from '../sessions.ts';
import { forgetDevices } from './known-device.ts';
import { changeAccount } from './security-events.ts';

const DAY = 86_400_000;

/** The account's sessions, last used first. */
export async function listSessions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { customerId, sessionId }: Owner,
): Promise<SignedInDevice[]> {
  const now = clock.now();
  const rows = await db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.customerId, customerId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, new Date(now.getTime() - IDLE_DAYS * DAY)),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
  return rows.map((row) => present(SessionSchema, { ...row, current: row.id === sessionId }));
}

/**
 * Ends one of the customer's sessions; its device is forgotten. Ending the caller's session is a sign-out and sends no
 * mail.
 * @throws {ApiError} not_found
 */
export async function endOneSession(
  context: Context,
  { id, ...owner }: OwnerOnDevice & { id: string },
): Promise<void> {
  const { customerId } = owner;
  await changeAccount(context, owner, async (tx) => {
    const isEnded = await endCustomerSession(tx, context, { customerId, sessionId: id });
    if (!isEnded) throw notFound();
    if (id === owner.sessionId) return null;
    await forgetDevices(tx, context, customerId);
    return 'sessions_ended';
  });
}

/** Ends every session except the caller's and every pending sign-in, and forgets every device. */
export async function endOtherSessions(context: Context, owner: OwnerOnDevice): Promise<void> {
  const { customerId, sessionId } = owner;
  await changeAccount(context, owner, async (tx) => {
    await forgetDevices(tx, context, customerId);
    const ended = await endSessions(tx, context, { customerId, except: sessionId });
    return ended === 0 ? null : 'sessions_ended';
  });
}
