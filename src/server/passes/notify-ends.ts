import { and, eq, gt, isNotNull, lte, or, sql } from 'drizzle-orm';
import { getLastDay } from '#domain/passes/validity.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { tripCards } from '../database/schema/trip-cards.ts';
import { inTransaction } from '../database/transactions.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { queueCardMail } from '../trip-cards/card-mails.ts';
import { lockCard } from '../trip-cards/queries.ts';

/** Days before the end of a pass on which its owner gets a mail, the last first. */
const NOTICE_DAYS = [7, 30, 60] as const;
const DAY_MS = 24 * 3_600_000;
const BATCH = 500;

/** Registers the hourly job that mails the owners of passes that end soon. */
export async function registerPassJobs(context: Context): Promise<void> {
  await context.jobs.work('notify-pass-ends', () => notifyPassEnds(context));
  await context.jobs.schedule('notify-pass-ends', '23 * * * *');
}

/**
 * Mails the owners of passes with trips 60, 30 and 7 days before they end, once each. A pass that was valid for fewer days
 * from the start gets only the later ones. A failure does not stop the rest.
 */
export async function notifyPassEnds(context: Context): Promise<void> {
  for (const days of NOTICE_DAYS) {
    const due = await context.db
      .select({ id: tripCards.id })
      .from(tripCards)
      .where(isDue(context, days))
      .orderBy(tripCards.expiresAt)
      .limit(BATCH);
    for (const { id } of due) {
      try {
        await inTransaction(context.db, (tx) => notifyOwner(tx, context, { cardId: id, days }));
      } catch (error) {
        context.log.error('end of a pass not mailed', { trip_card_id: id, ...describeError(error) });
      }
    }
    if (due.length > 0) wakeMailWorker(context.jobs);
  }
}

function isDue({ clock }: Pick<Context, 'clock'>, days: number) {
  const now = clock.now();
  return and(
    isNotNull(tripCards.customerId),
    gt(tripCards.balance, 0),
    gt(tripCards.expiresAt, now),
    lte(tripCards.expiresAt, new Date(now.getTime() + days * DAY_MS)),
    or(sql`${tripCards.noticeDays} is null`, gt(tripCards.noticeDays, days)),
    sql`(${tripCards.pass} ->> 'valid_days')::int > ${days}::int`,
  );
}

async function notifyOwner(
  tx: Database,
  context: Context,
  { cardId, days }: { cardId: string; days: number },
): Promise<void> {
  const card = await lockCard(tx, cardId);
  const [due] = await tx
    .update(tripCards)
    .set({ noticeDays: days })
    .where(and(eq(tripCards.id, cardId), isDue(context, days)))
    .returning({ id: tripCards.id });
  if (!due || card.expiresAt === null) return;
  const { timeZone } = await getOperator(tx);
  const validUntil = getLastDay(card.expiresAt.getTime(), timeZone);
  const data = { trips: card.balance, validUntil, days };
  await queueCardMail(tx, context, { card, kind: 'trip-card-pass-ends', data });
}
