import type { orderHistoryCalls } from '#contract/orders/history/schemas.ts';
import type { CreatedOrder, Order, orderCalls } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import type { SignedIn } from '../http/api.ts';
import { notFound } from '../http/api-error.ts';
import { readClient } from '../http/client.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { createOrder } from './buy/create-order.ts';
import { cancelUnpaidOrder, expireHold } from './buy/expire-holds.ts';
import { readPaymentInput } from './buy/read-payment-input.ts';
import { startPayment } from './buy/start-payment.ts';
import { createBuyerSecret } from './buyer.ts';
import { changeOrder } from './change-order.ts';
import { findOrderPage } from './order-list.ts';
import { presentRecord, presentSummary, presentTickets } from './presenter.ts';
import { findOrders, type OrderRecord, requireOrder } from './queries.ts';

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

/** My Orders: the orders of the signed-in customer. */
export function createOrderHistoryHandlers(context: Context): Handlers<typeof orderHistoryCalls> {
  return {
    listOrders: async ({ session, list, query }) => {
      const { ids, meta } = await findOrderPage(context.db, {
        customerId: session.customerId,
        list,
        ...query,
      });
      const now = context.clock.now();
      const records = await findOrders(context.db, ids);
      return new Reply(
        records.map((record) => presentSummary(record, now)),
        { meta },
      );
    },

    getCustomerOrder: async ({ session, params }) => {
      const record = await requireOrder(context, params.id);
      if (record.order.customerId !== session.customerId) throw notFound();
      return presentFor(context, session, record);
    },
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
