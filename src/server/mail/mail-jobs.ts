import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { and, asc, eq, lte, notInArray, sql } from 'drizzle-orm';
import { EmailSchema } from '#contract/common.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { mails } from '../database/schema/system.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { createDelivery, type Delivery, hostOf, type Outcome } from './delivery.ts';
import { isServerUnavailable, type Mailer, MailRefusedError } from './mailer.ts';
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
/** A run ends when so many mails in a row were put off: the mail server may take none at the moment. */
const MAX_DELAYED_IN_A_ROW = 10;

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
  delivery = openDelivery(context, mailer),
): Promise<void> {
  const sendOne = async ({ mail_id = '' }) => {
    if (delivery.isFull()) return;
    const outcome = await delivery.start(mail_id);
    // Its second delay is longer than this, so later attempts are left to 'send-due-mails'.
    if (outcome === 'delayed' || outcome === 'unavailable') {
      await context.jobs.send('send-mail', { mail_id }, { startAfterSeconds: RETRY_SECONDS });
    }
  };
  await context.jobs.work('send-mail', sendOne, { atOnce: CONCURRENT_SENDS });
  await context.jobs.work('send-due-mails', (_, stopping) => sendDueMails(context, delivery, stopping));
  await context.jobs.schedule('send-due-mails', '* * * * *');
}

export function openDelivery(context: Dependencies, mailer: Mailer, patienceMs?: number): Delivery {
  return createDelivery(context, mailer, (timed, id) => sendMail(context, timed, id), patienceMs);
}

/**
 * Sends all due mails, oldest first. Mails to a host that does not answer wait for a later run. Ends when the mail
 * server is unavailable, and when this process stops: another process or the next start sends the rest.
 */
export async function sendDueMails(
  context: Dependencies,
  delivery: Delivery,
  stopping?: AbortSignal,
): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  let delayedInARow = 0;
  for await (const { id, host } of dueMails(context, delivery)) {
    if (stopping?.aborted || delivery.isFull() || performance.now() > endsAt) return;
    if (delivery.slowHosts().includes(host)) continue;
    const outcome = await delivery.start(id);
    delayedInARow = outcome === 'delayed' ? delayedInARow + 1 : 0;
    if (outcome === 'unavailable' || delayedInARow === MAX_DELAYED_IN_A_ROW) return;
    if (outcome === 'sent') await waitForRequests(stopping);
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

/** Due mails, page by page: those of a page are no longer due, or to a slow host, when the next page is read. */
async function* dueMails(context: Dependencies, delivery: Delivery): AsyncGenerator<DueMail> {
  for (;;) {
    const page = await listDueMails(context, delivery.slowHosts());
    if (page.length === 0) return;
    yield* page;
  }
}

type DueMail = { id: string; host: string };

/**
 * Sends one mail unless another worker has claimed or sent it. A crash between sending and recording it sends the mail
 * again with the same Message-ID, because a duplicate is better than a loss.
 */
export async function sendMail(context: Dependencies, mailer: Mailer, id: string): Promise<Outcome> {
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

async function afterFailure(context: Dependencies, mail: Mail, error: unknown): Promise<Outcome> {
  const facts = { mail_id: mail.id, kind: mail.kind, attempts: mail.attempts, ...describeError(error) };
  if (error instanceof MailRefusedError) {
    context.log.warn('mail refused', facts);
    await markFailed(context, mail.id);
    return 'refused';
  }
  context.log.warn('mail not sent yet', facts);
  await scheduleRetry(context, mail);
  return isServerUnavailable(error) ? 'unavailable' : 'delayed';
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

/** Account mails first, because their recipients are waiting. */
async function listDueMails({ db, clock }: Dependencies, slowHosts: readonly string[]): Promise<DueMail[]> {
  const host = sql<string>`lower(split_part(${mails.toAddress}, '@', -1))`;
  const rows = await db
    .select({ id: mails.id, toAddress: mails.toAddress })
    .from(mails)
    .where(and(eq(mails.status, 'queued'), lte(mails.tryAt, clock.now()), notInArray(host, [...slowHosts])))
    .orderBy(sql`${mails.encryptedFacts} is null`, asc(mails.tryAt))
    .limit(PAGE_SIZE);
  return rows.map(({ id, toAddress }) => ({ id, host: hostOf(toAddress) }));
}
