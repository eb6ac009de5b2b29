import type { orderHistoryCalls } from '#contract/orders/history/schemas.ts';
import type { CreatedOrder, Order, orderCalls } from '#contract/orders/schemas.ts';
import type { Context } from '../context.ts';
import type { CustomerSession, HttpContext } from '../http/api.ts';
import { notFound } from '../http/api-error.ts';
import { readClient } from '../http/client.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { createOrder } from './buy/create-order.ts';
import { cancelUnpaidOrder, expireHold } from './buy/expire-holds.ts';
import { readPaymentInput } from './buy/read-payment-input.ts';
import { startPayment } from './buy/start-payment.ts';
import { createBuyerSecret } from './buyer.ts';
import { changeOrder } from './change-order.ts';
import { listFavoriteRoutes } from './favorite-routes.ts';
import { findOrderPage } from './order-list.ts';
import { presentRecord, presentSummary, presentTickets } from './presenter.ts';
import { findOrders, type OrderRecord, requireOrder } from './queries.ts';

/** The order that a hold becomes, its payment and its tickets. */
export function createOrderHandlers(context: Context): Handlers<typeof orderCalls> {
  return {
    createOrder: async ({ session, body }, c) => {
      const customerId = session?.customerId ?? null;
      const input = { ...body, locale: body.locale ?? readClient(c).language, customerId };
      return presentCreated(context, { session, c }, await createOrder(context, input));
    },

    getOrder: ({ session, params }, c) => readOrder(context, { session, c }, params.id),

    changeOrder: async ({ session, params, body }, c) => {
      const customerId = session?.customerId ?? null;
      await changeOrder(context, { ...body, orderId: params.id, customerId });
      return readOrder(context, { session, c }, params.id);
    },

    cancelOrder: async ({ session, params, body }, c) => {
      const customerId = session?.customerId ?? null;
      await cancelUnpaidOrder(context, {
        orderId: params.id,
        customerId,
        buyerSecret: body?.buyer_secret,
      });
      return readOrder(context, { session, c }, params.id);
    },

    startPayment: ({ session, params, body }, c) => {
      const client = readClient(c);
      const payment = readPaymentInput(session, { body, client });
      const payerId = session?.customerId ?? null;
      return startPayment(context, {
        orderId: params.id,
        network: client.network,
        language: client.language,
        payerId,
        payment,
      });
    },

    listTickets: async ({ params }, c) =>
      presentTickets(await requireOrder(context, params.id), {
        now: context.clock.now(),
        language: readClient(c).language,
      }),
  };
}

/** My Orders: the orders of the signed-in customer. */
export function createOrderHistoryHandlers(context: Context): Handlers<typeof orderHistoryCalls> {
  return {
    listOrders: async ({ session, list, query }, c) => {
      const { ids, meta } = await findOrderPage(context.db, {
        customerId: session.customerId,
        language: readClient(c).language,
        list,
        ...query,
      });
      const reading = { now: context.clock.now(), language: readClient(c).language };
      const records = await findOrders(context.db, ids);
      return new Reply(
        records.map((record) => presentSummary(record, reading)),
        { meta },
      );
    },

    getCustomerOrder: async ({ session, params }, c) => {
      const record = await requireOrder(context, params.id);
      if (record.order.customerId !== session.customerId) throw notFound();
      return presentFor(context, { session, c }, record);
    },

    listFavoriteRoutes: ({ session }) => listFavoriteRoutes(context, session.customerId),
  };
}

type Caller = { session: CustomerSession | null; c: HttpContext };

/** The order as the caller may see it. Reading an order expires its hold once the hold's time is over. */
async function readOrder(context: Context, caller: Caller, id: string): Promise<Order> {
  let record = await requireOrder(context, id);
  if (record.hold.status === 'active' && record.hold.expiresAt <= context.clock.now()) {
    await expireHold(context, record.hold.id);
    record = await requireOrder(context, id);
  }
  return presentFor(context, caller, record);
}

/** With the secret of a guest's order for the browser that buys it. */
function presentCreated(
  context: Context,
  caller: Caller,
  { record, isPurchase }: { record: OrderRecord; isPurchase: boolean },
): CreatedOrder {
  const order = presentFor(context, caller, record);
  if (!isPurchase || record.order.customerId !== null) return order;
  return { ...order, buyer_secret: createBuyerSecret(context, record.order) };
}

function presentFor({ clock, ticketSigner }: Context, { session, c }: Caller, record: OrderRecord): Order {
  const { customerId } = record.order;
  const isOwner = customerId !== null && customerId === session?.customerId;
  const { language } = readClient(c);
  return presentRecord(record, { now: clock.now(), language, isOwner, ticketSigner });
}
