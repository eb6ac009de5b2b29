import { and, eq } from 'drizzle-orm';
import { EmailSchema } from '#contract/common.ts';
import type { Context } from '../context.ts';
import { mails } from '../database/schema/system.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { queueWrittenMail } from './outbox.ts';
import { type OperatorMail, operatorMailContent } from './templates/operator.ts';

/**
 * Queues a mail to the contact address in the settings, unless the same mail was queued within the time that mails are
 * kept. Call `wakeMailWorker` afterwards.
 * @returns the mail's id; null if it was queued before, or if the settings contain no address
 */
export async function queueOperatorMail(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  mail: OperatorMail,
): Promise<string | null> {
  const settings = await loadWebSettings({ db });
  const address = EmailSchema.safeParse(settings.contact.email);
  if (!address.success) return null;
  const content = operatorMailContent(mail, settings);
  const isSame = and(eq(mails.kind, mail.kind), eq(mails.subject, content.title));
  if ((await db.$count(mails, isSame)) > 0) return null;
  return queueWrittenMail(db, { kind: mail.kind, to: address.data, content, now: clock.now() });
}
