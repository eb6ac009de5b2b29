import { and, eq } from 'drizzle-orm';
import { EmailSchema } from '#contract/common.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { mails } from '../database/schema/system.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { renderHtml, renderText } from './mail-content.ts';
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
  const id = newId('mal');
  const now = clock.now();
  await db.insert(mails).values({
    id,
    kind: mail.kind,
    toAddress: address.data,
    subject: content.title,
    text: renderText(content),
    html: renderHtml(content),
    status: 'queued',
    tryAt: now,
    insertedAt: now,
  });
  return id;
}
