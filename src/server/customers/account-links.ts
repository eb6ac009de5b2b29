import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { accountLinks } from '../database/schema/people.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { newId, newSecret } from '../ids.ts';
import { hashToken } from '../vault.ts';

export type AccountLink = typeof accountLinks.$inferSelect;
type LinkKind = AccountLink['kind'];

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long each link is good. Milliseconds. */
const LIFE: Readonly<Record<LinkKind, number>> = {
  register: 24 * HOUR,
  reset_password: 30 * MINUTE,
  change_email: 24 * HOUR,
  undo_email: 7 * 24 * HOUR,
};

/** How long the link of a registration is good, in seconds. */
export const REGISTRATION_SECONDS = LIFE.register / 1000;

/**
 * Makes a link and answers its secret, which is kept only as a hash and belongs in a mail to `email` and nowhere
 * else.
 * @param link `customerId`: null for an account that is yet to be; `data`: what following it needs
 */
export async function createLink(
  db: Database,
  clock: Clock,
  link: Pick<AccountLink, 'kind' | 'customerId' | 'email'> & { data?: Record<string, string> },
): Promise<string> {
  const { kind, customerId, email, data = {} } = link;
  const now = clock.now();
  const secret = newSecret();
  await db.insert(accountLinks).values({
    id: newId('lnk'),
    kind,
    tokenHash: hashToken(secret),
    customerId,
    email,
    data,
    insertedAt: now,
    expiresAt: new Date(now.getTime() + LIFE[kind]),
  });
  return secret;
}

/**
 * The link of a secret that may still be followed; it is not used up by looking.
 * @throws {ApiError} link_expired, also for one that never was or is of another kind
 */
export async function requireLink(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  kind: LinkKind,
  secret: string,
): Promise<AccountLink> {
  const [link] = await db
    .select()
    .from(accountLinks)
    .where(
      and(
        eq(accountLinks.tokenHash, hashToken(secret)),
        eq(accountLinks.kind, kind),
        isNull(accountLinks.consumedAt),
        gt(accountLinks.expiresAt, clock.now()),
      ),
    );
  if (!link) throw new ApiError('link_expired');
  return link;
}

/**
 * Uses a link up, in the transaction of what it does: of several who follow it at once only one does it. What it
 * carried is forgotten.
 * @throws {ApiError} link_expired when somebody else was first
 */
export async function consumeLink(tx: Database, clock: Clock, { id }: AccountLink): Promise<void> {
  const consumed = await tx
    .update(accountLinks)
    .set({ consumedAt: clock.now(), data: {} })
    .where(and(eq(accountLinks.id, id), isNull(accountLinks.consumedAt)))
    .returning({ id: accountLinks.id });
  if (consumed.length === 0) throw new ApiError('link_expired');
}

/**
 * Makes the links of some kinds that could still be followed useless: those of a customer, or those mailed to an
 * address.
 * @returns their ids
 */
export async function voidLinks(
  db: Database,
  clock: Clock,
  of: { kinds: LinkKind[] } & ({ customerId: string } | { email: string }),
): Promise<string[]> {
  const now = clock.now();
  const whose =
    'customerId' in of ? eq(accountLinks.customerId, of.customerId) : eq(accountLinks.email, of.email);
  const voided = await db
    .update(accountLinks)
    .set({ consumedAt: now, data: {} })
    .where(
      and(
        whose,
        inArray(accountLinks.kind, of.kinds),
        isNull(accountLinks.consumedAt),
        gt(accountLinks.expiresAt, now),
      ),
    )
    .returning({ id: accountLinks.id });
  return voided.map(({ id }) => id);
}
