import type { checkoutCalls } from '#contract/checkout/schemas.ts';
import type { CreatedOrder, Order, orderCalls } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import type { SignedIn } from '../http/api.ts';
import { readClient } from '../http/client.ts';
import type { Handlers } from '../http/handle-calls.ts';
import { rateLimit } from '../http/rate-limit.ts';
import { createBuyerSecret } from '../orders/buyer.ts';
import { changeOrder } from '../orders/change-order.ts';
import { presentRecord, presentTickets } from '../orders/presenter.ts';
import { type OrderRecord, requireOrder } from '../orders/queries.ts';
import { createOrder } from './create-order.ts';
import { cancelUnpaidOrder, expireHold, releaseHold } from './expire-holds.ts';
import { extendHold, readHold, requireHold, swapHold, takeHold } from './holds.ts';
import { createQuote } from './quotes.ts';
import { readPaymentInput } from './read-payment-input.ts';
import { startPayment } from './start-payment.ts';

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

    takeHold: async ({ body, claim }, c) => {
      const { network } = readClient(c);
      await rateLimit(context, { ...HOLDS_PER_NETWORK, who: network });
      return takeHold(context, {
        quoteId: body.quote_id,
        claim,
        network: context.vault.fingerprint('hold-network', network),
      });
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
    createOrder: async ({ session, body }) => {
      const customerId = session?.customerId ?? null;
      return presentCreated(context, session, await createOrder(context, { ...body, customerId }));
    },

    getOrder: ({ session, params }) => readOrder(context, session, params.id),

    changeOrder: async ({ session, params, body }) => {
      const customerId = session?.customerId ?? null;
      await changeOrder(context, { ...body, orderId: params.id, customerId });
      return readOrder(context, session, params.id);
    },

    cancelOrder: async ({ session, params, body }) => {
      const customerId = session?.customerId ?? null;
      await cancelUnpaidOrder(context, {
        orderId: params.id,
        customerId,
        buyerSecret: body?.buyer_secret,
      });
      return readOrder(context, session, params.id);
    },

    startPayment: ({ session, params, body }, c) => {
      const client = readClient(c);
      const payment = readPaymentInput(session, { body, client });
      const payerId = session?.customerId ?? null;
      return startPayment(context, { orderId: params.id, network: client.network, payerId, payment });
    },

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

/** With the secret of a guest's order for the browser that buys it. */
function presentCreated(
  context: Context,
  session: SignedIn | null,
  { record, isPurchase }: { record: OrderRecord; isPurchase: boolean },
): CreatedOrder {
  const order = presentFor(context, session, record);
  if (!isPurchase || record.order.customerId !== null) return order;
  return { ...order, buyer_secret: createBuyerSecret(context, record.order) };
}

function presentFor({ clock, ticketSigner }: Context, session: SignedIn | null, record: OrderRecord): Order {
  const { customerId } = record.order;
  const isOwner = customerId !== null && customerId === session?.customerId;
  return presentRecord(record, clock.now(), { isOwner, ticketSigner });
}
