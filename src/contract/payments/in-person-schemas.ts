import * as z from 'zod/mini';
import { EmailSchema, plainText } from '#contract/common.ts';
import { INVOICE_DAYS_LIMIT, TERMINAL_REFERENCE_LENGTH } from '#contract/limits.ts';
import { RecipientSchema } from '#contract/receipts/schemas.ts';

/** The longest text of a trip card's code. */
export const CARD_CODE_LENGTH = 400;

const CashSchema = z.strictObject({ method: z.literal('cash') });
const TerminalSchema = z.strictObject({
  method: z.literal('terminal'),
  reference: plainText(1, TERMINAL_REFERENCE_LENGTH),
});

/**
 * How people pay in person. `reference`: of the receipt of a card terminal of another system. `card`: the number of a trip
 * card with money, or the text of its code.
 */
export const PaidInPersonSchema = z.discriminatedUnion('method', [
  CashSchema,
  TerminalSchema,
  z.strictObject({ method: z.literal('trip_card'), card: plainText(1, CARD_CODE_LENGTH) }),
]);
export type PaidInPerson = z.infer<typeof PaidInPersonSchema>;

/** On an invoice that its recipient pays later. `days`: to pay; null: as usual. */
const InvoicedSchema = z.strictObject({
  method: z.literal('invoice'),
  recipient: RecipientSchema,
  /** Where the invoice is mailed. */
  email: EmailSchema,
  days: z._default(z.nullable(z.int().check(z.gte(1), z.lte(INVOICE_DAYS_LIMIT))), null),
});

/** How staff sell: paid in person, or on an invoice. */
export const StaffSaleSchema = z.discriminatedUnion('method', [
  ...PaidInPersonSchema.def.options,
  InvoicedSchema,
]);
export type StaffSale = z.infer<typeof StaffSaleSchema>;

/** How staff sell value on trip cards, which other value does not pay. */
export const CardSalePaymentSchema = z.discriminatedUnion('method', [
  CashSchema,
  TerminalSchema,
  InvoicedSchema,
]);
