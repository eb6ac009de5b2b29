import * as z from 'zod/mini';
import { ChangeCustomerSchema, CustomerSchema, SignedInSchema, SignInSchema } from './customers.ts';
import type { Endpoint } from './endpoint.ts';
import { ORDER_FILTER_FIELDS, OrderSchema, OrderSummarySchema } from './orders.ts';
import { apiPaths } from './paths.ts';
import { WebSettingsSchema } from './settings.ts';
import { purchaseEndpoints, ticketEndpoints, timetableEndpoints } from './ticket-office-endpoints.ts';

const accountEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: apiPaths.signIn,
    summary: 'Signs in with a password',
    auth: 'none',
    body: SignInSchema,
    response: SignedInSchema,
    errors: ['invalid_credentials', 'rate_limited'],
  },
  {
    method: 'DELETE',
    path: apiPaths.signOut,
    summary: 'Ends the session of the bearer token; says the same when there was none',
    auth: 'none',
    response: z.null(),
    errors: [],
  },
  {
    method: 'GET',
    path: apiPaths.sessionPing,
    summary: 'Whether the session lives; `success` and `errorCode` stand at the top level',
    auth: 'optional',
    response: z.object({ errorCode: z.nullable(z.string()) }),
    errors: ['session_expired'],
  },
  {
    method: 'GET',
    path: apiPaths.customerDetails,
    summary: 'The customer; the fields stand at the top level too',
    auth: 'session',
    response: CustomerSchema,
    errors: [],
  },
  {
    method: 'PATCH',
    path: apiPaths.customer,
    summary: 'Changes the customer and answers what is stored; the fields stand at the top level too',
    auth: 'session',
    body: ChangeCustomerSchema,
    response: CustomerSchema,
    errors: ['unknown_field', 'use_change_email', 'second_factor_missing', 'step_up_required'],
  },
  {
    method: 'GET',
    path: apiPaths.customerOrders,
    summary: 'The customer’s orders, newest first',
    auth: 'session',
    filters: ORDER_FILTER_FIELDS,
    response: z.array(OrderSummarySchema),
    errors: [],
  },
  {
    method: 'GET',
    path: apiPaths.customerOrder,
    summary: 'One of the customer’s orders',
    auth: 'session',
    response: OrderSchema,
    errors: ['not_found'],
  },
];

const systemEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: apiPaths.ping,
    summary: 'Whether the API can be reached',
    auth: 'none',
    response: z.object({ pong: z.boolean() }),
    errors: [],
  },
  {
    method: 'GET',
    path: apiPaths.settings,
    summary: 'The operator’s public settings; the only name is `web`',
    auth: 'none',
    response: WebSettingsSchema,
    errors: ['not_found'],
  },
  {
    method: 'GET',
    path: apiPaths.openapi,
    summary: 'This description',
    auth: 'none',
    response: { mediaType: 'application/json' },
    errors: [],
  },
];

/** Every call the API answers; a test holds it against what is really mounted. Not for the browser's bundle. */
export const endpoints: readonly Endpoint[] = [
  ...systemEndpoints,
  ...timetableEndpoints,
  ...purchaseEndpoints,
  ...ticketEndpoints,
  ...accountEndpoints,
];
