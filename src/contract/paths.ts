/** Page paths of the public ticket-purchase host. */
export const ticketPages = {
  home: '/',
  newOrder: '/orders/new',
  confirmation: '/orders/{id}/confirmation',
  changeOrder: '/orders/{id}/change',
  departures: '/departures',
  portDepartures: '/departures/{code}',
  sharedTickets: '/shared_tickets/{token}',
  notFound: '/404',
} as const;

/** Page paths of the staff host. */
export const staffPages = {
  home: '/',
  gate: '/gate',
  invitation: '/invitation',
  work: '/to_do',
  boats: '/boats',
  boat: '/boats/{id}',
  orders: '/orders',
  order: '/orders/{reference}',
  orderAsCustomer: '/orders/{reference}/as_customer',
  customer: '/customers/{id}',
  customerAsCustomer: '/customers/{id}/as_customer',
  devices: '/devices',
  pairDevice: '/gate/pair',
  passengerLists: '/passenger_lists',
  passengerList: '/passenger_lists/{id}',
  staff: '/staff',
  drawer: '/drawer',
  cardSales: '/trip_cards',
  cardSale: '/trip_cards/{id}',
  invoices: '/invoices',
  timetable: '/timetable',
  prices: '/timetable/prices',
  reports: '/reports',
  payout: '/reports/payouts/{id}',
  audit: '/audit',
  settings: '/settings',
  privacy: '/privacy',
  account: '/account',
  notFound: '/404',
} as const;

/** Page paths of the account portal. */
export const portalPages = {
  home: '/',
  orders: '/orders',
  account: '/account',
  security: '/security',
  tripCards: '/trip_cards',
  tripCardBalance: '/trip_cards/{id}/balance',
  tripCardTopUps: '/trip_cards/{id}/top_ups',
  passes: '/passes',
  paymentMethods: '/payment_methods',
  signIn: '/sign_in',
  signOut: '/sign_out',
  signUp: '/sign_up',
  verifyAccount: '/account/verify/{token}',
  verifyEmail: '/account/verify_email',
  undoEmail: '/account/undo_email',
  askForReset: '/password/reset',
  newPassword: '/password/new',
  verifyMagicLink: '/sessions/magic_link/verify',
  notFound: '/404',
} as const;

/** The values of the `{name}` parts of a path. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof PathParams<Rest>]: string }
  : Record<never, string>;

/** Fills the `{name}` parts of a path, percent-encoding each value. */
export function fillPath<Path extends string>(path: Path, params: PathParams<Path>): string {
  const values = params as Record<string, string>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
