import { and, eq, sql } from 'drizzle-orm';
import { formatTicketCode, parseCode, ticketFormat } from '#domain/orders/ticket-code.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { orders, tickets } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { queuePushes, wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { VALID_MINUTES_AFTER_DEPARTURE } from './issue-tickets.ts';

type ReissueContext = Pick<Context, 'db' | 'clock' | 'ticketSigner'>;

const PAGE_SIZE = 100;

/** Registers the job for tickets that a process still signed with a key while it was revoked. */
export async function registerTicketJobs(context: ReissueContext & Pick<Context, 'jobs'>): Promise<void> {
  await context.jobs.work('reissue-tickets', async () => {
    if ((await reissueTickets(context)) > 0) wakeMessageWorkers(context.jobs);
  });
  await context.jobs.schedule('reissue-tickets', '*/5 * * * *');
}

/**
 * Signs tickets again whose key was revoked, as long as they can still be used, and queues a mail to each buyer.
 * @returns the number of orders
 */
export async function reissueTickets(context: ReissueContext): Promise<number> {
  let count = 0;
  for (;;) {
    const page = await findOrders(context);
    for (const orderId of page) await reissueOrder(context, orderId);
    count += page.length;
    if (page.length < PAGE_SIZE) return count;
  }
}

async function findOrders({ db, clock }: ReissueContext): Promise<string[]> {
  const now = clock.now();
  const departedAfter = new Date(now.getTime() - VALID_MINUTES_AFTER_DEPARTURE * 60_000);
  const rows = await queryRows<{ id: string }>(
    db,
    sql`
      select distinct t.order_id as id
      from ticket_keys k
        join tickets t on t.key_id = k.key_id and t.status in ('issued', 'checked_in')
        join sailings s on s.id = t.sailing_id and s.departs_at > ${departedAfter.toISOString()}::timestamptz
      where k.not_after <= ${now.toISOString()}::timestamptz
      limit ${PAGE_SIZE}`,
  );
  return rows.map(({ id }) => id);
}

async function reissueOrder(context: ReissueContext, orderId: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await tx
      .update(orders)
      .set({ version: sql`${orders.version} + 1`, updatedAt: context.clock.now() })
      .where(eq(orders.id, orderId));
    await signAgain(tx, context, orderId);
    await queueOrderMail(tx, context, { kind: 'order-tickets-reissued', orderId });
    await queuePushes(tx, context, { kind: 'order-tickets-reissued', orderIds: [orderId] });
  });
}

/** All tickets of the order, so that those of one party have one key. */
async function signAgain(
  tx: Database,
  { ticketSigner }: Pick<Context, 'ticketSigner'>,
  orderId: string,
): Promise<void> {
  const { keyId, sign } = ticketSigner;
  const rows = await tx
    .select({ id: tickets.id, payload: tickets.payload, version: tickets.version })
    .from(tickets)
    .where(and(eq(tickets.orderId, orderId), sql`${tickets.status} in ('issued', 'checked_in')`));
  for (const { id, payload, version } of rows) {
    const parsed = parseCode(payload);
    if (!parsed.ok || parsed.type !== 'ticket') throw new Error(`The code of ticket ${id} cannot be read.`);
    const signed = ticketFormat.encode({ ...parsed.fields, keyId, version: version + 1 });
    await tx
      .update(tickets)
      .set({ payload: formatTicketCode(signed, sign(signed)), keyId, version: version + 1 })
      .where(eq(tickets.id, id));
  }
}
