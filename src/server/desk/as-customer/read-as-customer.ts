import type { AccountAsCustomer, OrderAsCustomer } from '#contract/desk/as-customer/schemas.ts';
import { CUSTOMER_ROWS } from '#contract/desk/customers/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import type { TripCard } from '#contract/trip-cards/schemas.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/http/api-error.ts';
import { findCustomer } from '#server/identity/customers.ts';
import { findOrderPage } from '#server/orders/order-list.ts';
import { presentRecord, presentSummary } from '#server/orders/presenter.ts';
import { listMessages } from '#server/orders/push/list-messages.ts';
import { findOrders, requireOrder } from '#server/orders/queries.ts';
import { readCards } from '#server/trip-cards/read-cards.ts';
import { findOrderId } from '../orders/read-order.ts';

type Viewing = { language: string; actor: StaffActor };

const FIRST_PAGE = { page: 1, pageSize: CUSTOMER_ROWS, offset: 0, filters: [] };

/**
 * An order as its buyer sees it: in the account, or behind the link of the mail if it belongs to none. The log has that it
 * was looked at.
 * @throws {ApiError} not_found
 */
export async function viewOrderAsCustomer(
  context: Pick<Context, 'db' | 'clock' | 'ticketSigner'>,
  { reference, language, actor }: Viewing & { reference: string },
): Promise<OrderAsCustomer> {
  const { clock, ticketSigner } = context;
  const orderId = await findOrderId(context.db, reference);
  const record = await requireOrder(context, orderId);
  const isOwner = record.order.customerId !== null;
  const shown = {
    order: coverCodes(presentRecord(record, { now: clock.now(), language, isOwner, ticketSigner })),
    messages: await listMessages(context, { orderId, isOwner, language }),
  };
  const viewed = { objectKind: 'order', objectId: orderId } as const;
  await recordView(context, { actor, action: 'order_viewed_as_customer', ...viewed });
  return shown;
}

/**
 * What a customer sees of their orders and trip cards. The log has that it was looked at; nothing is accepted in the
 * customer's name.
 * @throws {ApiError} not_found
 */
export async function viewAccountAsCustomer(
  context: Pick<Context, 'db' | 'clock'>,
  { customerId, language, actor }: Viewing & { customerId: string },
): Promise<AccountAsCustomer> {
  const { db, clock } = context;
  const customer = await findCustomer(db, customerId);
  if (!customer) throw notFound();
  const now = clock.now();
  const { ids } = await findOrderPage(db, { customerId, language, list: FIRST_PAGE });
  const records = await findOrders(db, ids);
  const { cards } = await readCards(context, { customerId, language, list: FIRST_PAGE, hasPasses: true });
  const shown = {
    ...{ name: customer.name, email: customer.email },
    orders: records.map((record) => presentSummary(record, { now, language })),
    trip_cards: cards.map(coverCard),
  };
  const viewed = { objectKind: 'customer', objectId: customerId } as const;
  await recordView(context, { actor, action: 'customer_viewed_as_customer', ...viewed });
  return shown;
}

/** Without what a gate would scan. The short codes that people read out stay. */
function coverCodes(order: Order): Order {
  const { party_codes: partyCodes } = order;
  return {
    ...order,
    tickets: order.tickets.map(cover),
    ...(partyCodes ? { party_codes: partyCodes.map(cover) } : {}),
  };
}

function cover<Coded extends { barcode: Order['tickets'][number]['barcode'] }>(coded: Coded): Coded {
  return { ...coded, barcode: { ...coded.barcode, payload: '' } };
}

/** Without the number, with which others could pay, and the payment card of automatic top-ups. */
function coverCard(card: TripCard): TripCard {
  return { ...card, number: null, auto_top_up: null };
}
