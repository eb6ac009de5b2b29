import { and, asc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import type { pushes } from '../database/schema/push.ts';
import type { smsMessages } from '../database/schema/sms.ts';
import type { mails } from '../database/schema/system.ts';

type Dependencies = Pick<Context, 'db' | 'clock' | 'log'>;
/** Their columns of sending are alike. */
type MessageTable = typeof mails | typeof pushes | typeof smsMessages;
type Message = { id: string; kind: string; attempts: number };

/** How many messages are claimed with one statement and sent at once. */
const BATCH_SIZE = 10;
const FIRST_WAIT_SECONDS = 15;

/** What became of an attempt. `dropped`: there is no reason to send it any more. */
export type SendOutcome = 'sent' | 'failed' | 'dropped' | { retryAfterSeconds: number | null };

export type MessageQueue<Table extends MessageTable> = {
  table: Table;
  /** Longer than the timeout of a service. */
  leaseSeconds: number;
  attempts: number;
  longestWaitSeconds: number;
  /** Sends a claimed message. An error counts as a failed attempt. */
  send(message: Table['$inferSelect']): Promise<SendOutcome>;
};

/** Sends all due messages, oldest first, until none is left or this process stops. */
export async function sendDue<Table extends MessageTable>(
  context: Dependencies,
  queue: MessageQueue<Table>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const claimed = await claimDue(context, queue);
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((message) => sendClaimed(context, queue, message)));
  }
}

async function sendClaimed<Table extends MessageTable>(
  context: Dependencies,
  queue: MessageQueue<Table>,
  message: Table['$inferSelect'],
): Promise<void> {
  const outcome = await attempt(context, queue, message);
  const now = context.clock.now();
  const isOver = typeof outcome === 'string' || message.attempts >= queue.attempts;
  const status = typeof outcome === 'string' ? outcome : 'failed';
  const columns = isOver
    ? { status, sentAt: status === 'sent' ? now : null }
    : { tryAt: getRetryTime(message, now, { ...queue, ...outcome }) };
  const messages = asPushes(queue.table);
  await context.db.update(messages).set(columns).where(eq(messages.id, message.id));
}

async function attempt<Table extends MessageTable>(
  { log }: Dependencies,
  { send }: MessageQueue<Table>,
  message: Table['$inferSelect'],
): Promise<SendOutcome> {
  const { id, kind, attempts }: Message = message;
  try {
    const outcome = await send(message);
    if (outcome !== 'sent' && outcome !== 'dropped')
      log.warn('message not sent', { id, kind, attempts, refused: outcome === 'failed' });
    return outcome;
  } catch (error) {
    log.warn('message not sent', { id, kind, attempts, ...describeError(error) });
    return { retryAfterSeconds: null };
  }
}

/**
 * Claims due messages, oldest first; at most one worker gets a message until its lease ends.
 * @param options which: a condition on the table; order: before the age
 */
export async function claimDue<Table extends MessageTable>(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  { table, leaseSeconds }: Pick<MessageQueue<Table>, 'table' | 'leaseSeconds'>,
  { which, order = [] }: { which?: SQL; order?: readonly SQL[] } = {},
): Promise<Table['$inferSelect'][]> {
  const now = clock.now();
  const messages = asPushes(table);
  const due = db.$with('due').as(
    db
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.status, 'queued'), lte(messages.tryAt, now), which))
      .orderBy(...order, asc(messages.tryAt))
      .limit(BATCH_SIZE)
      .for('update', { skipLocked: true }),
  );
  return db
    .with(due)
    .update(messages)
    .set({ attempts: sql`${messages.attempts} + 1`, tryAt: new Date(now.getTime() + leaseSeconds * 1000) })
    .where(inArray(messages.id, db.select({ id: due.id }).from(due)))
    .returning();
}

/** When a message is tried again: with an increasing delay, or after the time that the service asked for. */
export function getRetryTime(
  { attempts }: Pick<Message, 'attempts'>,
  now: Date,
  {
    longestWaitSeconds,
    retryAfterSeconds = null,
  }: { longestWaitSeconds: number; retryAfterSeconds?: number | null },
): Date {
  const usual = FIRST_WAIT_SECONDS * 2 ** (attempts - 1);
  const wait = Math.min(Math.max(usual, retryAfterSeconds ?? 0), longestWaitSeconds);
  return new Date(now.getTime() + wait * 1000);
}

/** The query builder cannot build statements for a table that is one of several. */
function asPushes(table: MessageTable): typeof pushes {
  return table as typeof pushes;
}
