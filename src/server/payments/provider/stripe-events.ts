import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { ApiError } from '#server/http/api-error.ts';
import type { ProviderEvent } from './payment-provider.ts';
import { getId, toIntent, toRefund } from './stripe-objects.ts';

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

/** The fields we read, by the prefix of the event's type. */
const SHAPES: readonly (readonly [type: string, object: z.ZodMiniType])[] = [
  ['payment_intent.', PaymentIntent],
  ['refund.', Refund],
  ['charge.refunded', OfPayment],
  ['charge.dispute.', OfPayment],
  ['setup_intent.', SetupIntent],
  ['payment_method.', Identified],
  ['payout.', Identified],
];

const Envelope = z.looseObject({
  id: Id,
  type: Text,
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({}) }),
});

/**
 * Translates an event after verifying that the fields we read are there.
 * Source: https://docs.stripe.com/api/events/object
 * @throws {ApiError} malformed_request
 */
export function toEvent(message: unknown): ProviderEvent {
  const envelope = Envelope.safeParse(message);
  if (!envelope.success) throw new ApiError('malformed_request');
  const { id, type, livemode: isLive, data } = envelope.data;
  const [, object] = SHAPES.find(([start]) => type.startsWith(start)) ?? [];
  if (object && !object.safeParse(data.object).success) throw new ApiError('malformed_request');
  return { id, type, isLive, ...getContent(message as Stripe.Event) };
}

type Content<Event = ProviderEvent> = Event extends unknown ? Omit<Event, 'id' | 'type' | 'isLive'> : never;

function getContent(event: Stripe.Event): Content {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.requires_action':
    case 'payment_intent.canceled':
      return { kind: 'intent', intent: toIntent(event.data.object) };
    case 'refund.updated':
    case 'refund.failed':
      return { kind: 'refund', refund: toRefund(event.data.object) };
    case 'charge.refunded':
      return { kind: 'charge_refunded', intentId: getId(event.data.object.payment_intent) ?? '' };
    case 'setup_intent.succeeded': {
      const { payment_method: method, metadata } = event.data.object;
      const cardId = getId(method);
      return cardId === null ? { kind: 'other' } : { kind: 'card_saved', cardId, device: metadata?.device };
    }
    case 'setup_intent.setup_failed': {
      const { id, metadata } = event.data.object;
      return { kind: 'setup_declined', setup: { id, metadata: metadata ?? {} } };
    }
    case 'payment_method.updated':
    case 'payment_method.automatically_updated':
      return { kind: 'card_changed', cardId: event.data.object.id };
    case 'payment_method.detached':
      return { kind: 'card_detached', cardId: event.data.object.id };
    case 'payout.created':
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.canceled':
    case 'payout.reconciliation_completed':
      return { kind: 'payout', payoutId: event.data.object.id };
    default:
      return isOfDispute(event) ? toDisputeContent(event.data.object) : { kind: 'other' };
  }
}

/** Every one: an inquiry becomes a dispute, and money moves, between the first event of a dispute and the last. */
function isOfDispute(event: Stripe.Event): event is Stripe.Event & { data: { object: Stripe.Dispute } } {
  return event.type.startsWith('charge.dispute.');
}

function toDisputeContent({ id, payment_intent: intent }: Stripe.Dispute): Content {
  return { kind: 'dispute', disputeId: id, intentId: getId(intent) ?? '' };
}
