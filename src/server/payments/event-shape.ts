import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { ApiError } from '../http/api-error.ts';

/** The provider's ids, as `evt_1Nx…`: they become part of addresses. */
const Id = z.string().check(z.regex(/^[a-z][\w.-]{0,254}$/i));
/** Text that the database can keep. */
const Text = z.string().check(z.regex(/^[^\0]*$/));
const Reference = z.nullable(z.union([Id, z.looseObject({ id: Id })]));
const Metadata = z.record(z.string(), Text);

const PaymentIntent = z.looseObject({
  id: Id,
  status: Text,
  amount: z.int(),
  amount_received: z.int(),
  currency: Text,
  metadata: Metadata,
  customer: Reference,
  payment_method: Reference,
  setup_future_usage: z.nullable(Text),
  last_payment_error: z.nullish(
    z.looseObject({
      code: z.nullish(Text),
      decline_code: z.nullish(Text),
      charge: z.nullish(Text),
      payment_method: z.nullish(z.looseObject({ id: Id })),
    }),
  ),
});
const Refund = z.looseObject({ id: Id, status: z.nullable(Text), metadata: z.nullish(Metadata) });
const OfPayment = z.looseObject({ id: Id, payment_intent: z.nullish(Reference) });
const SetupIntent = z.looseObject({ id: Id, payment_method: Reference, metadata: z.nullish(Metadata) });
const Identified = z.looseObject({ id: Id });

/** What is read of the objects of the events that are acted on, by the beginning of the event's type. */
const SHAPES: readonly (readonly [type: string, object: z.ZodMiniType])[] = [
  ['payment_intent.', PaymentIntent],
  ['refund.', Refund],
  ['charge.refunded', OfPayment],
  ['charge.dispute.', OfPayment],
  ['setup_intent.', SetupIntent],
  ['payment_method.', Identified],
];

const Envelope = z.looseObject({
  id: Id,
  type: Text,
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({}) }),
});

/**
 * Makes sure that an event has the fields that are read of it. Objects of other types are not looked at.
 * Source: https://docs.stripe.com/api/events/object
 * @throws {ApiError} malformed_request
 */
export function checkEvent(event: unknown): Stripe.Event {
  const envelope = Envelope.safeParse(event);
  if (!envelope.success) throw new ApiError('malformed_request');
  const { type, data } = envelope.data;
  const [, object] = SHAPES.find(([start]) => type.startsWith(start)) ?? [];
  if (object && !object.safeParse(data.object).success) throw new ApiError('malformed_request');
  return event as Stripe.Event;
}
