import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { mails } from '#server/database/schema/system.ts';

/** A queued mail about an account. */
export type QueuedMail = { kind: string; data: Record<string, string> };

/** The queued mails to an address, oldest first, with their data. */
export async function mailsTo(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  email: string,
): Promise<QueuedMail[]> {
  const rows = await db
    .select({ kind: mails.kind, data: mails.encryptedData })
    .from(mails)
    .where(and(eq(mails.toAddress, email), isNotNull(mails.encryptedData)))
    .orderBy(asc(mails.insertedAt), asc(mails.id));
  return rows.map(({ kind, data }) => ({ kind, data: JSON.parse(vault.decrypt(data ?? '')) }));
}

/** The code and the token of the link last mailed to an address. */
export async function lastCode(
  context: Pick<Context, 'db' | 'vault'>,
  email: string,
): Promise<{ code: string; token: string }> {
  const mail = (await mailsTo(context, email)).findLast(({ kind }) => kind.endsWith('-code'));
  if (!mail) throw new Error('No code was mailed there.');
  return { code: mail.data.code ?? '', token: (mail.data.link ?? '').split('#token=')[1] ?? '' };
}
