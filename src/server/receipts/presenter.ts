import type { ReceiptRow } from '../database/schema/accounting.ts';

/** A receipt as its buyer and staff see it. */
export function presentReceipt({ id, number, kind, total, currency, refersTo, content }: ReceiptRow) {
  return {
    ...{ id, number, kind, total, currency, issued_on: content.issuedOn, refers_to: refersTo },
    recipient: content.recipient?.name ?? null,
    has_ubl: content.electronic !== undefined,
  };
}
