import { sql } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { queryRows } from '#server/database/database.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { queuePushes, wakeMessageWorkers } from '#server/push/queue-pushes.ts';

/** How long before its end the buyer of an open ticket gets a mail. */
const REMIND_HOURS = 48;

/** An open ticket chosen so shortly before the mail is due needs none. */
const RECENT_HOURS = 24;

/** Reminders per run of the job, which runs every minute. */
const BATCH = 200;

const HOUR_MS = 3_600_000;

/** Mails the buyers of open tickets that end soon, once for each. */
export async function remindOfOpenTickets(context: Context): Promise<void> {
  const now = context.clock.now();
  const inHours = (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString();
  const reminded = await inTransaction(context.db, async (tx) => {
    const rows = await queryRows<{ orderId: string }>(
      tx,
      sql`
      update rebooking_offers set reminded_at = ${now.toISOString()}
      where id in (
        select id from rebooking_offers
        where status = 'open' and open_ticket_at <= ${inHours(-RECENT_HOURS)} and reminded_at is null
          and deadline > ${now.toISOString()} and deadline <= ${inHours(REMIND_HOURS)}
        order by deadline limit ${BATCH} for update skip locked)
      returning order_id as "orderId"`,
    );
    const orderIds = new Set(rows.map(({ orderId }) => orderId));
    for (const orderId of orderIds) await queueOrderMail(tx, context, { kind: 'open-ticket-ends', orderId });
    await queuePushes(tx, context, { kind: 'open-ticket-ends', orderIds: [...orderIds] });
    return orderIds.size;
  });
  if (reminded > 0) wakeMessageWorkers(context.jobs);
}
