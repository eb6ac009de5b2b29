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
  tripCards: '/api/customers/trip_cards',
  tripCard: '/api/customers/trip_cards/{id}',
  tripCardBalance: '/api/customers/trip_cards/{id}/balance',
  tripCardStatement: '/api/customers/trip_cards/{id}/statement',
  tripCardOfflineCode: '/api/customers/trip_cards/{id}/offline_code',
  tripCardTopUps: '/api/customers/trip_cards/{id}/top_ups',
  tripCardTopUp: '/api/customers/trip_cards/{id}/top_ups/{top_up_id}',
  tripCardAutoTopUp: '/api/customers/trip_cards/{id}/auto_top_up',
  tripCardFreeze: '/api/customers/trip_cards/{id}/freeze',
  tripCardUnfreeze: '/api/customers/trip_cards/{id}/unfreeze',
  tripCardLost: '/api/customers/trip_cards/{id}/lost',
  tripCardTransfers: '/api/customers/trip_cards/{id}/transfers',
  tripCardShares: '/api/customers/trip_cards/{id}/shares',
  tripCardShare: '/api/customers/trip_cards/{id}/shares/{share_id}',
  customerExport: '/api/customers/export',
  primaryCard: '/api/customers/primary_card',
  paymentCards: '/api/customers/payment_cards',
  newPaymentCard: '/api/customers/payment_cards/setup_intent',
  makeCardPrimary: '/api/customers/payment_cards/{id}/primary',
  paymentCard: '/api/customers/payment_cards/{id}',
  changeEmail: '/api/customers/change_email',
  resendChangeEmail: '/api/customers/resend_change_email_instructions',
  verifyChangeEmail: '/api/customers/verify_change_email',
  undoChangeEmail: '/api/customers/undo_change_email',

  register: '/api/customers/register',
  verifyAccount: '/api/customers/verify/{token}',
  resetInstructions: '/api/customers/password/reset_instructions',
  resetPassword: '/api/customers/password/reset',
  changePassword: '/api/customers/password',

  signIn: '/api/customers/sessions/sign_in',
  signOut: '/api/customers/sign_out',
  sessionPing: '/api/customers/sessions/ping',
  magicLink: '/api/customers/sessions/magic_link',
  verifyMagicLink: '/api/customers/sessions/magic_link/verify',
  verifyAuthenticator: '/api/customers/authenticator/verify',
  passkeyChallenge: '/api/customers/sessions/passkey/challenge',
  verifyPasskey: '/api/customers/sessions/passkey/verify',
  reauthenticate: '/api/customers/sessions/reauthenticate',

  security: '/api/customers/security',
  securityEvents: '/api/customers/security_events',
  sessions: '/api/customers/sessions',
  session: '/api/customers/sessions/{id}',
  passkeys: '/api/customers/passkeys',
  newPasskeyChallenge: '/api/customers/passkeys/challenge',
  passkey: '/api/customers/passkeys/{id}',
  authenticator: '/api/customers/authenticator',
  confirmAuthenticator: '/api/customers/authenticator/confirm',
  recoveryCodes: '/api/customers/recovery_codes',
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
  tripCardBalance: '/trip_cards/{id}/balance',
  tripCardTopUps: '/trip_cards/{id}/top_ups',
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

type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name | keyof Params<Rest>]: string }
  : Record<never, string>;

/** Fills the `{name}` parts of a path, percent-encoding each value. */
export function fillPath<Path extends string>(path: Path, params: Params<Path>): string {
  const values = params as Record<string, string>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}
