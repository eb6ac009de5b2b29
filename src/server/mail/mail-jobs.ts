import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { EmailSchema } from '#contract/common.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { mails } from '../database/schema/system.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { type Mailer, MailRefusedError } from './mailer.ts';
import type { Mail } from './outbox.ts';
import { buildAttachments, hasTickets, renderMail } from './render-mail.ts';
import { isExpiredMail } from './templates/account.ts';

type Dependencies = Pick<Context, 'config' | 'clock' | 'db' | 'log' | 'vault'>;

const PAGE_SIZE = 100;
/** One run of 'send-due-mails' ends before the next is due. */
const RUN_MS = 50_000;
/** Before each further mail of a backlog the server's load without mails is measured for this long. */
const LOAD_SAMPLE_MS = 20;
/** Pause between two mails of a backlog on a server fully occupied by requests. */
const BUSY_PAUSE_MS = 5_000;

/** How many urgent mails are sent concurrently. */
const CONCURRENT_SENDS = 10;
/** Slightly longer than a mail's first retry delay. */
const RETRY_SECONDS = 16;

/** While a worker has claimed a mail, others skip it. Longer than the sum of the SMTP timeouts. */
const LEASE_SECONDS = 300;
const FIRST_WAIT_SECONDS = 15;
const LONGEST_WAIT_SECONDS = 3600;
/** About two and a half days of attempts. */
const ATTEMPTS = 60;

/**
 * Registers the workers of 'send-mail', which sends one mail at once, and of 'send-due-mails', which runs every minute
 * and sends every due mail: not triggered, its worker died, or its server was down.
 */
export async function registerMailJobs(
  context: Dependencies & Pick<Context, 'jobs'>,
  mailer: Mailer,
): Promise<void> {
  const sendOne = async ({ mail_id = '' }) => {
    const outcome = await sendMail(context, mailer, mail_id);
    // Its second delay is longer than this, so later attempts are left to 'send-due-mails'.
    if (outcome === 'delayed') {
      await context.jobs.send('send-mail', { mail_id }, { startAfterSeconds: RETRY_SECONDS });
    }
  };
  await context.jobs.work('send-mail', sendOne, { atOnce: CONCURRENT_SENDS });
  await context.jobs.work('send-due-mails', (_, stopping) => sendDueMails(context, mailer, stopping));
  await context.jobs.schedule('send-due-mails', '* * * * *');
}

/**
 * Sends all due mails, oldest first. Ends at the first sign that the mail server is unavailable, and when this process
 * stops: another process or the next start sends the rest.
 */
export async function sendDueMails(
  context: Dependencies,
  mailer: Mailer,
  stopping?: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  for await (const id of dueMails(context)) {
    if (stopping?.aborted || performance.now() > endsAt) return;
    const outcome = await sendMail(context, mailer, id);
    if (outcome === 'delayed') return;
    if (outcome !== 'sent') continue;
    await waitForRequests(stopping);
  }
}

/** Lets requests go first: takes a moment on an idle server, and seconds during a burst of purchases. */
async function waitForRequests(stopping?: AbortSignal): Promise<void> {
  const since = performance.eventLoopUtilization();
  await delay(LOAD_SAMPLE_MS);
  const { utilization } = performance.eventLoopUtilization(since);
  // Rejects when this process stops.
  await delay(BUSY_PAUSE_MS * utilization ** 3, undefined, stopping && { signal: stopping }).catch(() => {});
}

/** The ids of due mails, page by page: those of a page are no longer due when the next page is read. */
async function* dueMails(context: Dependencies): AsyncGenerator<string> {
  for (;;) {
    const ids = await listDueMails(context);
    if (ids.length === 0) return;
    yield* ids;
  }
}

/**
 * Sends one mail unless another worker has claimed or sent it. A crash between sending and recording it sends the mail
 * again with the same Message-ID, because a duplicate is better than a loss.
 */
export async function sendMail(
  context: Dependencies,
  mailer: Mailer,
  id: string,
): Promise<'sent' | 'not_claimed' | 'refused' | 'delayed'> {
  const mail = await claimMail(context, id);
  if (!mail) return 'not_claimed';
  try {
    await deliver(context, mailer, mail);
  } catch (error) {
    return afterFailure(context, mail, error);
  }
  await markSent(context, mail.id);
  return 'sent';
}

async function deliver(context: Dependencies, mailer: Mailer, mail: Mail): Promise<void> {
  if (!EmailSchema.safeParse(mail.toAddress).success) throw new MailRefusedError('Not one address.');
  if (isExpiredMail(mail.kind, mail.insertedAt, context.clock.now())) throw new MailRefusedError('Too late.');
  const settings = await loadWebSettings(context);
  const content = await renderMail(context, mail, settings);
  await mailer.send({
    id: mail.id,
    to: mail.toAddress,
    brandName: settings.brand.name,
    replyTo: getReplyAddress(settings),
    subject: content.subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(),
    text: content.text,
    html: content.html,
    attachments:
      mail.orderId !== null && hasTickets(mail.kind)
        ? await buildAttachments(context, { orderId: mail.orderId, html: content.html }, settings)
        : [],
  });
}

/** The operator's address; null if the settings contain none or an invalid one. */
function getReplyAddress({ contact }: WebSettings): string | null {
  const address = EmailSchema.safeParse(contact.email);
  return address.success ? address.data : null;
}

async function afterFailure(
  context: Dependencies,
  mail: Mail,
  error: unknown,
): Promise<'refused' | 'delayed'> {
  const facts = { mail_id: mail.id, kind: mail.kind, attempts: mail.attempts, ...describeError(error) };
  if (error instanceof MailRefusedError) {
    context.log.warn('mail refused', facts);
    await markFailed(context, mail.id);
    return 'refused';
  }
  context.log.warn('mail not sent yet', facts);
  await scheduleRetry(context, mail);
  return 'delayed';
}

/** Claims a mail for sending; at most one worker gets it until its lease ends. */
async function claimMail({ db, clock }: Dependencies, id: string): Promise<Mail | null> {
  const now = clock.now();
  const [mail] = await db
    .update(mails)
    .set({
      attempts: sql`${mails.attempts} + 1`,
      tryAt: new Date(now.getTime() + LEASE_SECONDS * 1000),
    })
    .where(and(eq(mails.id, id), eq(mails.status, 'queued'), lte(mails.tryAt, now)))
    .returning();
  return mail ?? null;
}

/** Marks the mail as delivered and deletes the secrets it contained. */
async function markSent({ db, clock }: Dependencies, id: string): Promise<void> {
  await db
    .update(mails)
    .set({ status: 'sent', sentAt: clock.now(), encryptedFacts: null })
    .where(eq(mails.id, id));
}

async function markFailed({ db }: Pick<Dependencies, 'db'>, id: string): Promise<void> {
  await db.update(mails).set({ status: 'failed', encryptedFacts: null }).where(eq(mails.id, id));
}

/** Schedules a retry with an increasing delay; gives up after two and a half days. */
async function scheduleRetry({ db, clock }: Dependencies, mail: Mail): Promise<void> {
  if (mail.attempts >= ATTEMPTS) return markFailed({ db }, mail.id);
  const wait = Math.min(FIRST_WAIT_SECONDS * 2 ** (mail.attempts - 1), LONGEST_WAIT_SECONDS);
  await db
    .update(mails)
    .set({ tryAt: new Date(clock.now().getTime() + wait * 1000) })
    .where(eq(mails.id, mail.id));
}

/** Ids of due mails, account mails first, because their recipients are waiting. */
async function listDueMails({ db, clock }: Dependencies): Promise<string[]> {
  const rows = await db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.status, 'queued'), lte(mails.tryAt, clock.now())))
    .orderBy(sql`${mails.encryptedFacts} is null`, asc(mails.tryAt))
    .limit(PAGE_SIZE);
  return rows.map((row) => row.id);
}
