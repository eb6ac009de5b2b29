import { performance } from 'node:perf_hooks';
import { eq, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import { EmailSchema } from '#contract/common.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { mails } from '../database/schema/system.ts';
import { claimDue, getRetryTime } from '../jobs/send-due.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { createDelivery, type Delivery, type Outcome } from './delivery.ts';
import { isServerUnavailable, type Mailer, MailRefusedError } from './mailer.ts';
import type { Mail, RenderedMail } from './outbox.ts';
import { type PreparedMail, prepareMail } from './render-mail.ts';
import { isExpiredMail } from './templates/account.ts';

type Dependencies = Pick<Context, 'config' | 'clock' | 'db' | 'log' | 'vault'>;

/** How many mails of 'send-mail' are sent at once. */
const BATCH_SIZE = 10;
/** One run of 'send-due-mails' ends before the next is due. */
const RUN_MS = 50_000;

/** Slightly longer than a mail's first retry delay. */
const RETRY_SECONDS = 16;

/** Longer than the sum of the SMTP timeouts. */
const LEASE_SECONDS = 300;
const LONGEST_WAIT_SECONDS = 3600;
/** About two and a half days of attempts. */
const ATTEMPTS = 60;
/** The host of a mail's mailbox. */
const HOST = sql<string>`lower(split_part(${mails.toAddress}, '@', -1))`;

/**
 * Registers the workers of 'send-mail', which sends one mail at once, and of 'send-due-mails', which runs every minute
 * and sends every due mail: not triggered, its worker died, or its server was down.
 */
export async function registerMailJobs(
  context: Dependencies & Pick<Context, 'jobs'>,
  mailer: Mailer,
  delivery = openDelivery(context, mailer),
): Promise<void> {
  const sendOne = async ({ mail_id = '' }) => {
    if (delivery.isFull()) return;
    const outcome = await sendMail(context, delivery, mail_id);
    // Its second delay is longer than this, so later attempts are left to 'send-due-mails'.
    if (outcome === 'delayed' || outcome === 'unavailable') {
      await context.jobs.send('send-mail', { mail_id }, { startAfterSeconds: RETRY_SECONDS });
    }
  };
  await context.jobs.work('send-mail', sendOne, { atOnce: BATCH_SIZE });
  await context.jobs.work('send-due-mails', (_, stopping) => sendDueMails(context, delivery, stopping));
  await context.jobs.schedule('send-due-mails', '* * * * *');
}

export function openDelivery(context: Dependencies, mailer: Mailer, patienceMs?: number): Delivery {
  const steps = {
    send: (timed: Mailer, mail: Mail) => attempt(context, timed, mail),
    finish: (sent: readonly Mail[]) => markSent(context, sent),
  };
  return createDelivery(context, mailer, steps, patienceMs);
}

/**
 * Sends all due mails, oldest first. Mails to a host that does not answer wait for a later run. Ends when the mail
 * server is unavailable or takes none at the moment, and when this process stops: another process or the next start
 * sends the rest.
 */
export async function sendDueMails(
  context: Dependencies,
  delivery: Delivery,
  stopping?: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  while (!stopping?.aborted && !delivery.isFull() && performance.now() < endsAt) {
    const batch = await claimMails(context, notInArray(HOST, delivery.slowHosts()));
    if (batch.length === 0) return;
    const results = await Promise.allSettled(batch.map((mail) => delivery.start(mail)));
    const outcomes = results.map((result) => (result.status === 'fulfilled' ? result.value : 'delayed'));
    const sent = batch.filter((_, index) => outcomes[index] === 'sent');
    if (sent.length > 0) await delivery.finish(sent);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if (outcomes.includes('unavailable') || outcomes.every((outcome) => outcome === 'delayed')) return;
  }
}

/**
 * Sends one mail unless another worker has claimed or sent it. A crash between sending and recording it sends the mail
 * again with the same Message-ID, because a duplicate is better than a loss.
 */
export async function sendMail(
  context: Dependencies,
  delivery: Delivery,
  id: string,
): Promise<Outcome | 'slow' | 'not_claimed'> {
  const [mail] = await claimMails(context, eq(mails.id, id));
  if (!mail) return 'not_claimed';
  const outcome = await delivery.start(mail);
  if (outcome === 'sent') await delivery.finish([mail]);
  return outcome;
}

async function attempt(context: Dependencies, mailer: Mailer, mail: Mail): Promise<Outcome> {
  let rendered: RenderedMail | null = null;
  try {
    if (!EmailSchema.safeParse(mail.toAddress).success) throw new MailRefusedError('Not one address.');
    if (isExpiredMail(mail.kind, mail.insertedAt, context.clock.now()))
      throw new MailRefusedError('Too late.');
    const settings = await loadWebSettings(context);
    const { content, attachments, isFirstRendering } = await prepareMail(context, mail, settings);
    if (isFirstRendering) rendered = content;
    await deliver(mailer, mail, { content, attachments, settings });
  } catch (error) {
    return afterFailure(context, mail, { error, rendered });
  }
  return 'sent';
}

async function deliver(
  mailer: Mailer,
  { id, toAddress }: Mail,
  {
    content,
    attachments,
    settings,
  }: Pick<PreparedMail, 'content' | 'attachments'> & { settings: WebSettings },
): Promise<void> {
  await mailer.send({
    id,
    to: toAddress,
    brandName: settings.brand.name,
    replyTo: getReplyAddress(settings),
    subject: content.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(),
    text: content.text,
    html: content.html,
    attachments,
  });
}

/** The operator's address; null if the settings contain none or an invalid one. */
function getReplyAddress({ contact }: WebSettings): string | null {
  const address = EmailSchema.safeParse(contact.email);
  return address.success ? address.data : null;
}

/** @param failure rendered: the content of a first attempt, which is stored, so that a retry sends the same */
async function afterFailure(
  context: Dependencies,
  mail: Mail,
  { error, rendered }: { error: unknown; rendered: RenderedMail | null },
): Promise<Outcome> {
  const fields = { mail_id: mail.id, kind: mail.kind, attempts: mail.attempts, ...describeError(error) };
  if (error instanceof MailRefusedError) {
    context.log.warn('mail refused', fields);
    await markFailed(context, mail.id);
    return 'refused';
  }
  context.log.warn('mail not sent yet', fields);
  await scheduleRetry(context, mail, rendered);
  return isServerUnavailable(error) ? 'unavailable' : 'delayed';
}

/** Account mails first, because their recipients are waiting. */
function claimMails(context: Dependencies, which: SQL): Promise<Mail[]> {
  const order = [sql`${mails.encryptedData} is null`];
  return claimDue(context, { table: mails, leaseSeconds: LEASE_SECONDS }, { which, order });
}

/** Marks mails as delivered and deletes the secrets they contained. */
async function markSent({ db, clock }: Dependencies, sent: readonly Mail[]): Promise<void> {
  const ids = sent.map(({ id }) => id);
  await db
    .update(mails)
    .set({ status: 'sent', sentAt: clock.now(), encryptedData: null })
    .where(inArray(mails.id, ids));
}

async function markFailed({ db }: Pick<Dependencies, 'db'>, id: string): Promise<void> {
  await db.update(mails).set({ status: 'failed', encryptedData: null }).where(eq(mails.id, id));
}

/** Schedules a retry with an increasing delay; gives up after two and a half days. */
async function scheduleRetry(
  { db, clock }: Dependencies,
  mail: Mail,
  rendered: RenderedMail | null,
): Promise<void> {
  if (mail.attempts >= ATTEMPTS) return markFailed({ db }, mail.id);
  const tryAt = getRetryTime(mail, clock.now(), { longestWaitSeconds: LONGEST_WAIT_SECONDS });
  await db
    .update(mails)
    .set({ ...rendered, tryAt })
    .where(eq(mails.id, mail.id));
}
