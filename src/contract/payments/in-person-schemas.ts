import * as z from 'zod/mini';
import { plainText } from '#contract/common.ts';
import { TERMINAL_REFERENCE_LENGTH } from '#contract/limits.ts';

/** The longest text of a trip card's code. */
export const CARD_CODE_LENGTH = 400;

/**
 * How people pay in person. `reference`: of the receipt of a card terminal of another system. `card`: the number of a trip
 * card with money, or the text of its code.
 */
export const PaidInPersonSchema = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('cash') }),
  z.strictObject({ method: z.literal('terminal'), reference: plainText(1, TERMINAL_REFERENCE_LENGTH) }),
  z.strictObject({ method: z.literal('trip_card'), card: plainText(1, CARD_CODE_LENGTH) }),
]);
export type PaidInPerson = z.infer<typeof PaidInPersonSchema>;
