import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema } from '#contract/common.ts';
import type { Translations } from '#messages/translations.ts';

export const PASS_STARTS = ['purchase', 'first_use'] as const;

/**
 * A pass on sale, and its conditions. A sold pass keeps a copy, so that later changes of the product do not affect it.
 */
export const PassTermsSchema = z.object({
  code: z.string(),
  name: z.string(),
  summary: z.string(),
  /** Trips on the pass when it is bought. */
  trips: z.int(),
  price: AmountSchema,
  currency: CurrencySchema,
  /** Lines it is valid on, by the `route_id` of the timetable; null: every line. */
  lines: z.nullable(z.array(z.string())),
  line_names: z.array(z.string()),
  /** Codes of the passenger types it pays for; null: all; empty: none besides the driver of the vehicle. */
  passenger_types: z.nullable(z.array(z.string())),
  passenger_names: z.array(z.string()),
  /** Code of the vehicle type it pays for, a vehicle for one trip; null: no vehicles. */
  vehicle_type: z.nullable(z.string()),
  vehicle_name: z.nullable(z.string()),
  /** Days after `valid_from`; null: without an end. */
  valid_days: z.nullable(z.int()),
  valid_from: z.enum(PASS_STARTS),
});
/** `translations`: of the stored terms. The API answers in the reader's language. */
export type PassTerms = z.infer<typeof PassTermsSchema> & { translations?: Translations };
