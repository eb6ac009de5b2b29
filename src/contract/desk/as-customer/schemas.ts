import * as z from 'zod/mini';
import { describeCalls } from '#contract/endpoint.ts';
import { OrderMessageSchema } from '#contract/orders/push/schemas.ts';
import { OrderSchema, OrderSummarySchema } from '#contract/orders/schemas.ts';
import { TripCardSchema } from '#contract/trip-cards/schemas.ts';
import * as endpoints from './endpoints.ts';

const OrderAsCustomerSchema = z.object({
  /** With masked addresses if it belongs to no account. The payloads of its codes are empty, so nothing can be scanned. */
  order: OrderSchema,
  messages: z.array(OrderMessageSchema),
});
export type OrderAsCustomer = z.infer<typeof OrderAsCustomerSchema>;

const AccountAsCustomerSchema = z.object({
  name: z.string(),
  email: z.string(),
  /** The latest first, at most twenty. */
  orders: z.array(OrderSummarySchema),
  /** Those shared with the customer too, at most twenty. Without their numbers and the payment card of top-ups. */
  trip_cards: z.array(TripCardSchema),
});
export type AccountAsCustomer = z.infer<typeof AccountAsCustomerSchema>;

export const asCustomerCalls = describeCalls(endpoints, {
  getOrderAsCustomer: {
    summary: 'Get an order as its buyer sees it, without codes',
    response: OrderAsCustomerSchema,
    errors: ['not_found'],
  },
  getAccountAsCustomer: {
    summary: 'Get the orders and trip cards of an account as its owner sees them, without codes',
    response: AccountAsCustomerSchema,
    errors: ['not_found'],
  },
});
