import * as z from 'zod/mini';
import { PositiveAmountSchema } from '#contract/common.ts';
import { TICKET_LIMIT } from '#contract/orders/cancel/schemas.ts';

/** The longest boarding code with its separators. */
const BOARDING_CODE_LENGTH = 16;

/**
 * What is refunded beyond the fare's rules: all tickets that are left, those with these boarding codes, an amount without
 * canceling anything, or only refunds that failed.
 */
export const RefundScopeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all') }),
  z.strictObject({
    kind: z.literal('tickets'),
    boarding_codes: z
      .array(z.string().check(z.maxLength(BOARDING_CODE_LENGTH)))
      .check(z.minLength(1), z.maxLength(TICKET_LIMIT)),
  }),
  z.strictObject({ kind: z.literal('amount'), amount: PositiveAmountSchema }),
  z.strictObject({ kind: z.literal('failed') }),
]);
export type RefundScope = z.infer<typeof RefundScopeSchema>;
