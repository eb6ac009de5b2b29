import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId, newSecret } from '../core/ids.ts';
import { hashToken } from '../core/vault.ts';
import type { Database } from '../database/database.ts';
import { accountLinks } from '../database/schema/people.ts';
import { ApiError } from '../http/api-error.ts';
import { daysBefore } from '../retention.ts';

export type AccountLink = typeof accountLinks.$inferSelect;
type LinkKind = AccountLink['kind'];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Lifetime of each link in milliseconds. */
const LIFETIME_MS: Readonly<Record<LinkKind, number>> = {
  register: 24 * HOUR,
  reset_password: 30 * MINUTE,
  change_email: 24 * HOUR,
  undo_email: 7 * 24 * HOUR,
};

/** Lifetime of a registration's link in seconds. */
export const REGISTRATION_SECONDS = LIFETIME_MS.register / 1000;

/**
 * Creates a link and returns its secret, of which only a hash is stored and which may only be mailed to `email`.
 * @param input `customerId`: null before the account exists; `data`: needed to follow it
 */
export async function createLink(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  {
    data = {},
    ...link
  }: Pick<AccountLink, 'kind' | 'customerId' | 'email'> & { data?: Record<string, string> },
): Promise<string> {
  const now = clock.now();
  const secret = newSecret();
  await tx.insert(accountLinks).values({
    ...link,
    data,
    id: newId('lnk'),
    tokenHash: hashToken(secret),
    insertedAt: now,
    expiresAt: new Date(now.getTime() + LIFETIME_MS[link.kind]),
  });
  return secret;
}

/**
 * The link of a secret if it is valid; does not use it up.
 * @throws {ApiError} link_expired, also for an unknown secret or another kind
 */
export async function requireLink(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { kind, token }: { kind: LinkKind; token: string },
): Promise<AccountLink> {
  const [link] = await db
    .select()
    .from(accountLinks)
    .where(
      and(
        eq(accountLinks.tokenHash, hashToken(token)),
        eq(accountLinks.kind, kind),
        isNull(accountLinks.consumedAt),
        gt(accountLinks.expiresAt, clock.now()),
      ),
    );
  if (!link) throw new ApiError('link_expired');
  return link;
}

/**
 * Uses up a link in the transaction of its effect, so that of several concurrent requests one succeeds. Its data is
 * deleted.
 * @throws {ApiError} link_expired if another request was first
 */
export async function consumeLink(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { id }: AccountLink,
): Promise<void> {
  const consumed = await tx
    .update(accountLinks)
    .set({ consumedAt: clock.now(), data: {} })
    .where(and(eq(accountLinks.id, id), isNull(accountLinks.consumedAt)))
    .returning({ id: accountLinks.id });
  if (consumed.length === 0) throw new ApiError('link_expired');
}

/**
 * Invalidates the pending links of some kinds, of a customer or mailed to an address.
 * @returns their ids
 */
export async function voidLinks(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  input: { kinds: LinkKind[] } & ({ customerId: string } | { email: string }),
): Promise<string[]> {
  const now = clock.now();
  const isOwn =
    'customerId' in input
      ? eq(accountLinks.customerId, input.customerId)
      : eq(accountLinks.email, input.email);
  const voided = await tx
    .update(accountLinks)
    .set({ consumedAt: now, data: {} })
    .where(
      and(
        isOwn,
        inArray(accountLinks.kind, input.kinds),
        isNull(accountLinks.consumedAt),
        gt(accountLinks.expiresAt, now),
      ),
    )
    .returning({ id: accountLinks.id });
  return voided.map(({ id }) => id);
}

/** An expired link is kept for a day, so that who opens it is told that it expired. */
export async function deleteOldLinks(db: Database, now: Date): Promise<void> {
  await db.delete(accountLinks).where(lt(accountLinks.expiresAt, daysBefore(now, 1)));
}
