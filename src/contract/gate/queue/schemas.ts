import * as z from 'zod/mini';
import { IdSchema, InstantSchema, LocalTimeSchema, PhoneSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { QUEUE_LABEL_LENGTH } from '#contract/gate/limits.ts';
import { PartySchema, PlateSchema } from '#contract/orders/buy/schemas.ts';
import * as endpoints from './endpoints.ts';

/** The least of what a boat carries of this kind, over the stretches of a sailing. Lengths in centimeters. */
const FreePlacesSchema = z.object({
  resource: z.enum(['passenger', 'lane_cm', 'tall_lane_cm', 'bicycle']),
  amount: z.int(),
});

export const QUEUE_STATUSES = ['waiting', 'called', 'served', 'removed', 'left_behind'] as const;

/** A party without tickets that waits for a place. */
const QueueEntrySchema = z.object({
  id: IdSchema,
  sailing_id: IdSchema,
  /** When it joined the queue, of this boat or of the first one that left it behind. */
  arrived_at: InstantSchema,
  /** An earlier boat left it behind. */
  was_left_behind: z.boolean(),
  party: z.object(PartySchema.shape),
  plate: z.nullable(z.string()),
  /** How staff recognize it: "red van". */
  label: z.string(),
  phone: z.string(),
  status: z.enum(['waiting', 'called']),
  /** Whether there are places for it, if those before it that fit take theirs. */
  fits: z.boolean(),
  /** Otherwise, whether there are with what is held back. */
  fits_held_back: z.boolean(),
});
export type QueueEntry = z.infer<typeof QueueEntrySchema>;

/** The queue of a boat at one port, in the order of arrival. */
const QueueSchema = z.object({
  entries: z.array(QueueEntrySchema),
  /** What is free now, by sailing of the boat. */
  free: z.array(z.object({ sailing_id: IdSchema, places: z.array(FreePlacesSchema) })),
  /** When the boat leaves to which those of this one move, on the port's clock; null: none of the same day. */
  next_departs_local: z.nullable(LocalTimeSchema),
  as_of: InstantSchema,
});
export type Queue = z.infer<typeof QueueSchema>;

const JoinQueueSchema = z.strictObject({
  ...PartySchema.shape,
  plate: z._default(z.nullable(PlateSchema), null),
  label: z._default(plainText(0, QUEUE_LABEL_LENGTH), ''),
  phone: z._default(PhoneSchema, ''),
});
export type JoinQueue = z.infer<typeof JoinQueueSchema>;

/** `served`: they have tickets now. `waiting` takes any of the others back. */
const ChangeQueueEntrySchema = z.strictObject({
  status: z.enum(['waiting', 'called', 'served', 'removed']),
});
export type QueueEntryChange = z.infer<typeof ChangeQueueEntrySchema>['status'];

const joinErrors = [
  'not_found',
  'sailing_not_boarding',
  'no_fare',
  'no_passengers',
  'needs_adult',
  'party_too_large',
  'vehicles_not_carried',
  'bicycles_not_carried',
  'vehicle_too_long',
  'vehicle_too_high',
] as const satisfies readonly ErrorCode[];

export const queueCalls = describeCalls(endpoints, {
  getQueue: {
    summary: 'Get the turn-up queue of a boat, with who fits',
    response: QueueSchema,
    errors: ['not_found'],
  },
  joinQueue: {
    summary: 'Add a party without tickets to the queue of a boat',
    body: JoinQueueSchema,
    /** `entry_id`: of the party that joined. */
    response: z.object({ ...QueueSchema.shape, entry_id: IdSchema }),
    errors: joinErrors,
  },
  moveQueue: {
    summary: 'Leave the queue of a boat behind: it moves to the next boat of the day, in its order',
    response: QueueSchema,
    errors: ['not_found'],
  },
  changeQueueEntry: {
    summary: 'Call a party of the queue, note that it has tickets, or remove it',
    body: ChangeQueueEntrySchema,
    response: QueueSchema,
    errors: ['not_found', 'sailing_not_boarding'],
  },
});
