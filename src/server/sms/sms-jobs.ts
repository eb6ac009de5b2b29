import { and, eq, gt } from 'drizzle-orm';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import type { Context } from '../context.ts';
import { type SmsRow, smsMessages } from '../database/schema/sms.ts';
import { findTravelDocument, type TravelDocument } from '../documents/travel-document.ts';
import { type SendOutcome, sendDue } from '../jobs/send-due.ts';
import { findPushEnd, writeNotice } from '../push/push-texts.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { SOON_MS } from './queue-sms.ts';
import type { SmsSender } from './sms-port.ts';

type JobContext = Pick<Context, 'config' | 'db' | 'clock' | 'log'>;

/** About half an hour of attempts: later, the message comes too late. */
const ATTEMPTS = 7;
const LONGEST_WAIT_SECONDS = 900;
const LEASE_SECONDS = 60;
const DAY_MS = 24 * 3_600_000;
/** The number may belong to another person than the buyer. */
const NUMBER_PER_DAY = 10;

/**
 * Registers the worker of 'send-due-sms', which also runs every minute and sends every due text message.
 * @param sender null: those that wait are dropped
 */
export async function registerSmsJobs(
  context: JobContext & Pick<Context, 'jobs'>,
  sender: SmsSender | null,
): Promise<void> {
  const queue = {
    table: smsMessages,
    leaseSeconds: LEASE_SECONDS,
    attempts: ATTEMPTS,
    longestWaitSeconds: LONGEST_WAIT_SECONDS,
    send: async (message: SmsRow) => (sender === null ? 'dropped' : sendSms(context, sender, message)),
  };
  await context.jobs.work('send-due-sms', (_, stopping) => sendDue(context, queue, stopping));
  await context.jobs.schedule('send-due-sms', '* * * * *');
}

async function sendSms(
  context: JobContext,
  sender: SmsSender,
  { orderId, kind, toNumber }: SmsRow,
): Promise<SendOutcome> {
  const now = context.clock.now();
  const document = await findTravelDocument(context.db, orderId);
  if (!document) return 'dropped';
  const settings = await loadWebSettings(context);
  const { title, crossing, about } = writeNotice(kind, { document, settings, config: context.config, now });
  const end = findPushEnd(kind, { document, now });
  if (end <= now || !about || getExpectedTimes(about).departsAt > now.getTime() + SOON_MS) return 'dropped';
  if (await isLimitReached(context, toNumber)) return 'failed';
  const outcome = await sender.send({
    to: toNumber,
    text: toPlainCharacters(
      [`${settings.brand.name}: ${title}`, crossing, getAddress(context, document)].join('\n'),
    ),
    validSeconds: Math.ceil((end.getTime() - now.getTime()) / 1000),
  });
  return outcome === 'refused' ? 'failed' : outcome;
}

function getAddress({ config }: JobContext, { order }: TravelDocument): string {
  return `${config.origins.tickets}${fillPath(ticketPages.confirmation, { id: order.id })}`;
}

/** Several processes that send at once may exceed a limit by a few messages. */
async function isLimitReached({ config, db, clock, log }: JobContext, toNumber: string): Promise<boolean> {
  const perDay = config.sms?.perDay ?? 0;
  const isRecent = gt(smsMessages.sentAt, new Date(clock.now().getTime() - DAY_MS));
  const toThis = await db.$count(smsMessages, and(isRecent, eq(smsMessages.toNumber, toNumber)));
  const all = await db.$count(smsMessages, isRecent);
  if (all >= perDay) log.warn('text messages of the day are used up', { limit: perDay });
  return toThis >= NUMBER_PER_DAY || all >= perDay;
}

/** Other spaces, dashes and arrows than those of SMS's alphabet would more than halve how much fits into one message. */
function toPlainCharacters(text: string): string {
  return text
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(/[\u2010-\u2014]/g, '-')
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/\u2192/g, '>');
}
