import * as z from 'zod/mini';
import {
  AmountSchema,
  CountrySchema,
  CurrencySchema,
  DaySchema,
  IdSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import * as endpoints from './endpoints.ts';
import { RECEIPT_KINDS } from './kinds.ts';
import { ADDRESS_LENGTH, TAX_NUMBER_LENGTH } from './limits.ts';

/** Whom a full invoice names. Empty `tax_number`: none. */
export const RecipientSchema = z.strictObject({
  name: plainText(1, PERSON_NAME_LENGTH),
  address: plainText(1, ADDRESS_LENGTH),
  tax_number: plainText(0, TAX_NUMBER_LENGTH),
  /** Of the address. Without it there is no UBL file. */
  country: z.optional(CountrySchema),
});
export type Recipient = z.infer<typeof RecipientSchema>;

export const ReceiptSchema = z.object({
  id: IdSchema,
  /** Without gaps in its series and year, such as R-2026-000017. */
  number: z.string(),
  kind: z.enum(RECEIPT_KINDS),
  /** In the operator's zone. */
  issued_on: DaySchema,
  /** In minor units; negative for a credit note. */
  total: AmountSchema,
  currency: CurrencySchema,
  /** The receipts that a credit note corrects, separated by commas. */
  refers_to: z.nullable(z.string()),
  /** The name of the recipient; null: a simplified invoice. */
  recipient: z.nullable(z.string()),
  /** Whether it can be downloaded as UBL, for the recipient's bookkeeping. */
  has_ubl: z.boolean(),
});
export type Receipt = z.infer<typeof ReceiptSchema>;

export const receiptCalls = describeCalls(endpoints, {
  issueReceipts: {
    summary: 'Issue receipts and credit notes for what has none yet, once, and list all of the order',
    body: z.strictObject({
      recipient: z.nullable(RecipientSchema),
      /** Of a guest's order. */
      buyer_secret: z.optional(z.string().check(z.maxLength(128))),
    }),
    response: z.array(ReceiptSchema),
    errors: ['not_found', 'unauthenticated', 'change_not_allowed', 'no_receipts', 'recipient_fixed'],
  },
  getReceiptPdf: {
    summary: 'Download a receipt or credit note, by the id that only its buyer gets',
    response: { mediaType: 'application/pdf' },
    errors: ['not_found', 'server_busy'],
  },
  getReceiptUbl: {
    summary: 'Download the receipt or credit note of a company as UBL 2.1 (EN 16931)',
    response: { mediaType: 'application/xml' },
    errors: ['not_found', 'server_busy'],
  },
});
