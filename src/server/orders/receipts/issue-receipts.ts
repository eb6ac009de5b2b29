import { eq, sql } from 'drizzle-orm';
import type { Recipient } from '#contract/receipts/schemas.ts';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import type { ReceiptRow } from '#server/database/schema/accounting.ts';
import { invoices } from '#server/database/schema/invoices.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueInvoiceMail } from '#server/invoices/invoice-mails.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { issueMissing } from '#server/receipts/write-receipts.ts';
import { findSeller } from '#server/settings/seller.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { type Caller, requireBuyer } from '../buyer.ts';
import { lockOrder } from '../confirm-order.ts';

/** Who asks for receipts. */
type Asking = { kind: 'buyer'; caller: Caller } | (AuditActor & { kind: 'staff' | 'server' });

/** Orders per run of the job, which runs every five minutes. */
const BATCH = 200;

type IssueContext = Pick<Context, 'db' | 'clock' | 'config' | 'jobs' | 'log' | 'vault'>;

/**
 * Issues a receipt for each sale of an order that has none yet, and a credit note for each reduction. Repeated, it changes
 * nothing.
 * @param input recipient: of a full invoice; null: simplified, or as the order's first receipt. by: a buyer who asks for it,
 * staff, or the server
 * @returns all receipts of the order, oldest first
 * @throws {ApiError} as `requireBuyer`; not_found before the order is confirmed; no_receipts if the settings do not say who
 * issues them; recipient_fixed if the order has a receipt for another recipient
 */
export async function issueReceipts(
  context: IssueContext,
  { orderId, recipient, by }: { orderId: string; recipient: Recipient | null; by: Asking },
): Promise<ReceiptRow[]> {
  const settings = await loadWebSettings(context);
  const seller = findSeller(settings);
  const { earlier, issued } = await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order?.confirmedAt) throw notFound();
    if (by.kind === 'buyer') requireBuyer(context, order, by.caller);
    if (!seller) throw new ApiError('no_receipts');
    const written = await issueMissing(tx, context, { order, recipient, seller, settings });
    if (by.kind === 'staff') {
      await recordAudit(tx, context, {
        ...{ actor: by, action: 'receipts_issued', objectKind: 'order', objectId: orderId },
        before: { receipts: written.earlier.length },
        ...{ after: { receipts: written.earlier.length + written.issued.length }, reason: null },
      });
    }
    await queueCreditNotes(tx, context, written);
    return written;
  });
  if (issued.length > 0) wakeMailWorker(context.jobs);
  return [...earlier, ...issued];
}

/** Queues mails with the credit notes of an order that was sold on an invoice, to its recipient. */
async function queueCreditNotes(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { earlier, issued }: { earlier: readonly ReceiptRow[]; issued: readonly ReceiptRow[] },
): Promise<void> {
  const receipt = earlier.find(({ content }) => content.due !== undefined);
  const [invoice] = receipt ? await tx.select().from(invoices).where(eq(invoices.receiptId, receipt.id)) : [];
  if (!receipt || !invoice) return;
  for (const document of issued.filter(({ kind }) => kind === 'credit_note')) {
    await queueInvoiceMail(tx, context, { kind: 'invoice-credited', invoice, receipt, document });
  }
}

/**
 * Registers the job that issues credit notes and further receipts of orders that have one, when their worth has changed.
 */
export async function registerReceiptJobs(context: Context): Promise<void> {
  await context.jobs.work('issue-receipts', () => issueFurtherReceipts(context));
  await context.jobs.schedule('issue-receipts', '*/5 * * * *');
}

async function issueFurtherReceipts(context: Context): Promise<void> {
  if (!findSeller(await loadWebSettings(context))) return;
  const due = await queryRows<{ orderId: string }>(
    context.db,
    sql`
      select r.order_id as "orderId" from (
        select order_id, max(through_seq) as through_seq from receipts group by order_id
      ) r
      where exists (
        select from sale_entries e where e.order_id = r.order_id and e.seq > r.through_seq
        group by e.booked_at having sum(e.gross) <> 0
      )
      limit ${BATCH}
    `,
  );
  for (const { orderId } of due)
    await issueReceipts(context, { orderId, recipient: null, by: { kind: 'server' } });
}
