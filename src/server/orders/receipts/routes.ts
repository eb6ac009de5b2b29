import { eq } from 'drizzle-orm';
import type { receiptCalls } from '#contract/receipts/schemas.ts';
import type { Context } from '#server/context.ts';
import { type ReceiptRow, receipts } from '#server/database/schema/accounting.ts';
import { makeDocument } from '#server/documents/documents.ts';
import { notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { answerFile } from '#server/http/respond.ts';
import { presentReceipt } from '#server/receipts/presenter.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { issueReceipts } from './issue-receipts.ts';

/** Handlers for receipts. Only the buyer gets them, because they may name a company; companions have the order's link too. */
export function createReceiptHandlers(context: Context): Handlers<typeof receiptCalls> {
  const findReceipt = async (id: string): Promise<ReceiptRow> => {
    const [receipt] = await context.db.select().from(receipts).where(eq(receipts.id, id));
    if (!receipt) throw notFound();
    return receipt;
  };
  return {
    issueReceipts: async ({ params, session, body: { recipient, buyer_secret: buyerSecret } }) => {
      const caller = { customerId: session?.customerId ?? null, buyerSecret };
      const issued = await issueReceipts(context, {
        orderId: params.id,
        recipient,
        by: { kind: 'buyer', caller },
      });
      return issued.map(presentReceipt);
    },

    getReceiptPdf: async ({ params }, c) => {
      const receipt = await findReceipt(params.id);
      const { network, signal } = readClient(c);
      const input = { receipt, settings: await loadWebSettings(context) };
      const pdf = await makeDocument(input, { key: network, signal });
      return answerFile(c, pdf, { type: 'application/pdf', name: `${receipt.number}.pdf` });
    },

    getReceiptUbl: async ({ params }, c) => {
      const receipt = await findReceipt(params.id);
      if (receipt.content.electronic === undefined) throw notFound();
      const { network, signal } = readClient(c);
      const ubl = await makeDocument({ ubl: receipt }, { key: network, signal });
      return answerFile(c, ubl, { type: 'application/xml', name: `${receipt.number}.xml` });
    },
  };
}
