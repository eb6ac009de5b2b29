import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { queryRows } from '../database/database.ts';
import { queueOperatorMail } from '../mail/operator-mails.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { isDoubtfulPayment, isRefundOverdue, isReturnedRefund } from '../orders/pay/unsettled.ts';
import { operatorDay } from '../sailings/operator.ts';

type ReportContext = Pick<Context, 'db' | 'clock' | 'jobs'>;

/** Longer lists would not be worked through from a mail. */
const MAX_LISTED = 20;

/** Registers the job that writes to the operator once a day if money or mails need a person. */
export async function registerProblemReport(context: ReportContext): Promise<void> {
  await context.jobs.work('report-problems', () => reportProblems(context));
  await context.jobs.schedule('report-problems', '30 13 * * *');
}

async function reportProblems(context: ReportContext): Promise<void> {
  const [refunds, payments, mails, unrefunded, payouts] = await Promise.all([
    findReturnedRefunds(context),
    findDoubtfulPayments(context),
    findRefusedMails(context),
    findOverdueRefunds(context),
    findOldPayouts(context),
  ]);
  const found = [refunds, payments, mails, unrefunded, payouts];
  if (found.every(({ length }) => length === 0)) return;
  const day = await operatorDay(context);
  const data = { day, refunds, payments, mails, unrefunded, payouts };
  const mailId = await queueOperatorMail(context, { kind: 'problems', data });
  if (mailId !== null) wakeMailWorker(context.jobs);
}

/** References of orders with a refund that the bank returned after all tries and that was not repeated. */
function findReturnedRefunds({ db }: ReportContext): Promise<string[]> {
  return findReferences(
    db,
    sql`
      select o.reference from refunds r join orders o on o.id = r.order_id
      where ${isReturnedRefund}`,
  );
}

/** References of orders with a card payment that is open for more than an hour. */
function findDoubtfulPayments({ db, clock }: ReportContext): Promise<string[]> {
  return findReferences(
    db,
    sql`
      select o.reference from payments p join orders o on o.id = p.order_id
      where ${isDoubtfulPayment(clock.now())}`,
  );
}

/** References of orders whose mails were refused in the last day. */
function findRefusedMails({ db, clock }: ReportContext): Promise<string[]> {
  const since = new Date(clock.now().getTime() - 24 * 3_600_000).toISOString();
  return findReferences(
    db,
    sql`
      select o.reference from mails m join orders o on o.id = m.order_id
      where m.status = 'failed' and m.try_at > ${since}::timestamptz`,
  );
}

/** References of orders of a canceled sailing that were not refunded at the deadline. */
function findOverdueRefunds({ db }: ReportContext): Promise<string[]> {
  return findReferences(db, sql`select o.reference from orders o where ${isRefundOverdue}`);
}

/** References of orders with a refund that the office has to pay out for more than a day. */
function findOldPayouts({ db, clock }: ReportContext): Promise<string[]> {
  const since = new Date(clock.now().getTime() - 24 * 3_600_000).toISOString();
  return findReferences(
    db,
    sql`
      select o.reference from refunds r join orders o on o.id = r.order_id
      where r.status = 'awaiting_payout' and r.inserted_at < ${since}::timestamptz`,
  );
}

async function findReferences(db: Context['db'], orders: ReturnType<typeof sql>): Promise<string[]> {
  const rows = await queryRows<{ reference: string }>(
    db,
    sql`select distinct reference from (${orders}) as problem order by reference limit ${MAX_LISTED}`,
  );
  return rows.map(({ reference }) => reference);
}
