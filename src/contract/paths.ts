/** Every API path, with `{name}` where an id goes. Relative to either host's origin. */
export const apiPaths = {
  ping: '/api/ping',
  version: '/version.txt',
  settings: '/api/settings/{name}',
  keys: '/api/keys',
  openapi: '/api/openapi.json',

  catalogue: '/api/catalogue',
  ports: '/api/ports',
  routes: '/api/routes',
  timetable: '/api/routes/{id}/timetable',
  passengerTypes: '/api/passenger_types',
  vehicleTypes: '/api/vehicle_types',
  fares: '/api/fares',
  sailings: '/api/sailings',
  sailing: '/api/sailings/{id}',

  quotes: '/api/quotes',
  holds: '/api/holds',
  hold: '/api/holds/{id}',
  orders: '/api/orders',
  orderLookup: '/api/orders/lookup',
  order: '/api/orders/{id}',
  orderCancel: '/api/orders/{id}/cancel',
  orderPayments: '/api/orders/{id}/payments',
  orderPayment: '/api/orders/{id}/payments/{payment_id}',
  orderTickets: '/api/orders/{id}/tickets',
  orderTicketsPdf: '/api/orders/{id}/tickets.pdf',
  orderCalendar: '/api/orders/{id}/calendar.ics',
  orderResend: '/api/orders/{id}/resend',
  providerWebhooks: '/api/provider/webhooks',

  customerDetails: '/api/customers/details',
  customer: '/api/customers',
  customerOrders: '/api/customers/orders',
  customerOrder: '/api/customers/orders/{id}',
  signIn: '/api/customers/sessions/sign_in',
  signOut: '/api/customers/sign_out',
  sessionPing: '/api/customers/sessions/ping',
} as const;

/** Page paths of the public ticket-purchase host. */
export const ticketPages = {
  home: '/',
  newOrder: '/orders/new',
  confirmation: '/orders/{id}/confirmation',
  notFound: '/404',
} as const;

/** Page paths of the account portal. */
export const portalPages = {
  home: '/',
  orders: '/orders',
  account: '/account',
  security: '/security',
  tripCards: '/trip_cards',
  paymentMethods: '/payment_methods',
  signIn: '/sign_in',
  signOut: '/sign_out',
  signUp: '/sign_up',
  notFound: '/404',
} as const;

type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof Params<Rest>]: string }
  : Record<never, string>;

/** Fills the `{name}` parts of a path, percent-encoding each value. */
export function fillPath<Path extends string>(path: Path, params: Params<Path>): string {
  const values = params as Record<string, string>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
