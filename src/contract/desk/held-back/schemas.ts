import * as z from 'zod/mini';
import { IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { HELD_BACK_LIMIT, HELD_BACK_REASON_LENGTH } from '../limits.ts';
import * as endpoints from './endpoints.ts';

const AmountHeldBackSchema = z.int().check(z.gte(0), z.lte(HELD_BACK_LIMIT));

/** Places of each resource; lengths of lanes in centimeters. */
const Places = {
  passenger: AmountHeldBackSchema,
  lane_cm: AmountHeldBackSchema,
  tall_lane_cm: AmountHeldBackSchema,
  bicycle: AmountHeldBackSchema,
};

/** Places of a boat that are not sold online. */
export const HeldBackSchema = z.object({
  id: IdSchema,
  places: z.object(Places),
  /** Only staff read it. */
  reason: z.string(),
  at: InstantSchema,
});
export type HeldBack = z.infer<typeof HeldBackSchema>;

const HeldBackInputSchema = z.strictObject({
  ...Places,
  reason: plainText(1, HELD_BACK_REASON_LENGTH),
});
export type HeldBackInput = z.infer<typeof HeldBackInputSchema>;

/** What is then held back of the resources that were asked for, and what is left to be sold online. */
const HeldBackOutcomeSchema = z.object({
  resources: z.array(
    z.object({
      resource: z.enum(['passenger', 'lane_cm', 'tall_lane_cm', 'bicycle']),
      held_back: z.int(),
      free_online: z.int(),
    }),
  ),
});
export type HeldBackOutcome = z.infer<typeof HeldBackOutcomeSchema>;

export const heldBackCalls = describeCalls(endpoints, {
  previewHeldBackPlaces: {
    summary: 'Tell what holding places back would leave for sale online, without doing it',
    body: HeldBackInputSchema,
    response: HeldBackOutcomeSchema,
    errors: ['not_found', 'boat_change_refused', 'few_places_free'],
  },
  holdBackPlaces: {
    summary: 'Hold places of a boat back from sale online; the desk sells them',
    body: HeldBackInputSchema,
    response: HeldBackOutcomeSchema,
    errors: ['not_found', 'boat_change_refused', 'few_places_free'],
  },
  releaseHeldBackPlaces: {
    summary: 'Put places that were held back on sale online again',
    response: HeldBackOutcomeSchema,
    errors: ['not_found'],
  },
});
