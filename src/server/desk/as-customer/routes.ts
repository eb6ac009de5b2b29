import type { asCustomerCalls } from '#contract/desk/as-customer/schemas.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { viewAccountAsCustomer, viewOrderAsCustomer } from './read-as-customer.ts';

/** Handlers for what a customer sees, for staff to look at and never to act on. */
export function createAsCustomerHandlers(context: Context): Handlers<typeof asCustomerCalls> {
  const viewing = (session: StaffSession, c: HttpContext) => {
    const client = readClient(c);
    return { actor: describeStaffActor(session, client), language: client.language };
  };
  return {
    getOrderAsCustomer: ({ params: { reference }, session }, c) =>
      viewOrderAsCustomer(context, { reference, ...viewing(session, c) }),

    getAccountAsCustomer: ({ params: { id }, session }, c) =>
      viewAccountAsCustomer(context, { customerId: id, ...viewing(session, c) }),
  };
}
