import { and, asc, eq, isNotNull } from 'drizzle-orm';
import { mails } from '#server/database/schema/system.ts';
import type { Deps } from '#server/deps.ts';

/** A mail about an account as it waits to be sent. */
export type QueuedMail = { kind: string; facts: Record<string, string> };

/** The mails to an address that are still to be sent, oldest first, with what they say. */
export async function mailsTo(
  { db, vault }: Pick<Deps, 'db' | 'vault'>,
  email: string,
): Promise<QueuedMail[]> {
  const rows = await db
    .select({ kind: mails.kind, facts: mails.sealedFacts })
    .from(mails)
    .where(and(eq(mails.toAddress, email), isNotNull(mails.sealedFacts)))
    .orderBy(asc(mails.insertedAt), asc(mails.id));
  return rows.map(({ kind, facts }) => ({ kind, facts: JSON.parse(vault.open(facts ?? '')) }));
}

/** The code and the token of the link that were mailed to an address last. */
export async function lastCode(
  deps: Pick<Deps, 'db' | 'vault'>,
  email: string,
): Promise<{ code: string; token: string }> {
  const mail = (await mailsTo(deps, email)).findLast(({ kind }) => kind.endsWith('-code'));
  if (!mail) throw new Error('No code was mailed there.');
  return { code: mail.facts.code ?? '', token: (mail.facts.link ?? '').split('#token=')[1] ?? '' };
}
