import type { checkoutCalls, StartPayment } from '#contract/checkout/schemas.ts';
import type { Order, orderCalls } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import type { HttpContext, SignedIn } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { readClient } from '../http/client.ts';
import type { CallInput, Handlers } from '../http/handle-calls.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { changeOrder } from '../orders/change-order.ts';
import { presentRecord, presentTickets } from '../orders/presenter.ts';
import { type OrderRecord, requireOrder } from '../orders/queries.ts';
import { createOrder } from './create-order.ts';
import { cancelUnpaidOrder, expireHold, releaseHold } from './expire-holds.ts';
import { extendHold, readHold, requireHold, swapHold, takeHold } from './holds.ts';
import type { PaymentInput } from './payment-input.ts';
import { createQuote } from './quotes.ts';
import { startPayment } from './start-payment.ts';
import type { TripCardInput } from './trip-card-part.ts';

/** Enough for an office behind one address, too few for a script that takes all places. */
const HOLDS_PER_NETWORK = { name: 'holds', limit: 120, windowSeconds: 600 };

/** Enough for a household, too few to guess a code. */
const PROMO_CODES_PER_NETWORK = { name: 'promo-codes', limit: 100, windowSeconds: 600 };

/** Prices and places, before there is an order. */
export function createCheckoutHandlers(context: Context): Handlers<typeof checkoutCalls> {
  return {
    createQuote: async ({ body }, c) => {
      if (body.promo_code) {
        await rateLimit(context, { ...PROMO_CODES_PER_NETWORK, who: readClient(c).network });
      }
      return createQuote(context, body);
    },

    takeHold: {
      storesResponse: async ({ body, claim, store }, c) => {
        await rateLimit(context, { ...HOLDS_PER_NETWORK, who: readClient(c).network });
        return takeHold(context, { quoteId: body.quote_id, claim, store });
      },
    },

    changeHold: ({ params, body }) =>
      body.quote_id
        ? swapHold(context, { holdId: params.id, quoteId: body.quote_id })
        : extendHold(context, params.id),

    releaseHold: async ({ params }) => {
      await requireHold(context, params.id);
      await releaseHold(context, params.id);
      return readHold(context, params.id);
    },
  };
}

/** The order that a hold becomes, its payment and its tickets. */
export function createOrderHandlers(context: Context): Handlers<typeof orderCalls> {
  return {
    createOrder: {
      storesResponse: ({ session, body, store }) =>
        createOrder(
          context,
          { ...body, customerId: session?.customerId ?? null },
          { present: (record) => presentFor(context, session, record), store },
        ),
    },

    getOrder: ({ session, params }) => readOrder(context, session, params.id),

    changeOrder: async ({ session, params, body }) => {
      const customerId = session?.customerId ?? null;
      await changeOrder(context, { ...body, orderId: params.id, customerId });
      return readOrder(context, session, params.id);
    },

    cancelOrder: async ({ session, params }) => {
      await cancelUnpaidOrder(context, params.id);
      return readOrder(context, session, params.id);
    },

    startPayment: ({ params, ...input }, c) =>
      startPayment(context, {
        orderId: params.id,
        network: readClient(c).network,
        payment: paymentInputOf(input, c),
      }),

    listTickets: async ({ params }) =>
      presentTickets(await requireOrder(context, params.id), context.clock.now()),
  };
}

/** The order as the caller may see it. Reading an order expires its hold once the hold's time is over. */
async function readOrder(context: Context, session: SignedIn | null, id: string): Promise<Order> {
  let record = await requireOrder(context, id);
  if (record.hold.status === 'active' && record.hold.expiresAt <= context.clock.now()) {
    await expireHold(context, record.hold.id);
    record = await requireOrder(context, id);
  }
  return presentFor(context, session, record);
}

function presentFor({ clock, ticketSigner }: Context, session: SignedIn | null, record: OrderRecord): Order {
  const { customerId } = record.order;
  const isOwner = customerId !== null && customerId === session?.customerId;
  return presentRecord(record, clock.now(), { isOwner, ticketSigner });
}

/**
 * The payment options that need a signed-in customer; null if there are none.
 * @throws {ApiError} unauthenticated, invalid_input for options that exclude each other
 */
function paymentInputOf(
  { session, body }: Pick<CallInput<typeof orderCalls.startPayment>, 'session' | 'body'>,
  c: HttpContext,
): PaymentInput | null {
  const { payment_card_id: paymentCardId = null, save_card: isToBeSaved = false } = body;
  const tripCard = tripCardOf(body);
  if (paymentCardId === null && !isToBeSaved && tripCard === null) return null;
  if (paymentCardId !== null && isToBeSaved) throw new ApiError('invalid_input', { field: 'save_card' });
  if (session === null) throw new ApiError('unauthenticated');
  const { customerId, sessionId } = session;
  return {
    customerId,
    sessionId,
    device: readClient(c).device,
    paymentCardId,
    isToBeSaved,
    tripCard: tripCard && { customerId, ...tripCard },
  };
}

function tripCardOf(body: StartPayment): Omit<TripCardInput, 'customerId'> | null {
  const { method, trip_card_id: tripCardId, trip_card_amount: amount = null, trips = null } = body;
  const isWhole = method === 'trip_card';
  if (tripCardId === undefined) {
    if (isWhole) throw new ApiError('invalid_input', { field: 'trip_card_id' });
    if (amount !== null) throw new ApiError('invalid_input', { field: 'trip_card_amount' });
    if (trips !== null) throw new ApiError('invalid_input', { field: 'trips' });
    return null;
  }
  if (trips !== null && amount !== null) {
    throw new ApiError('invalid_input', { field: 'trip_card_amount' });
  }
  if (isWhole && (body.payment_card_id !== undefined || body.save_card)) {
    throw new ApiError('invalid_input', { field: 'method' });
  }
  return { tripCardId, amount, trips, isWhole };
}
