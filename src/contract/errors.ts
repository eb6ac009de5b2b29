import { partyErrors } from '#contract/checkout/party-errors.ts';
import { declineErrors } from '#contract/payments/declines.ts';

/**
 * Every error code the API can return, with its HTTP status and the text a customer reads.
 *
 * 401 means only that a session token is missing or no longer valid, because clients clear the session on any 401. A
 * refusal by a rule is 422, a required fresh sign-in 403, too many attempts 429.
 */
export const apiErrors = {
  // Reported by clients themselves; status 0 if there was no response.
  network_error: { status: 0, message: 'Something went wrong. Please try again.' },
  timeout: { status: 0, message: 'Something went wrong. Please try again.' },

  internal_server_error: { status: 500, message: 'Something went wrong and has been reported.' },
  unknown_error: { status: 500, message: 'Something went wrong and has been reported.' },
  unavailable: { status: 503, message: 'We cannot reach our records right now. Please try again.' },
  server_busy: { status: 503, message: 'We are very busy right now. Please try again in a moment.' },
  maintenance: { status: 503, message: 'We are doing maintenance. Please try again in a few minutes.' },

  malformed_request: {
    status: 400,
    message: 'We could not read that request. Please reload the page and try again.',
  },
  invalid_input: { status: 422, message: "That didn't work. Please check and try again." },
  unknown_field: {
    status: 422,
    message: 'That field cannot be set here. Please reload the page and try again.',
  },
  unauthenticated: { status: 401, message: 'Please sign in.' },
  session_expired: { status: 401, message: 'Your session has ended. Please sign in again.' },
  forbidden_origin: {
    status: 403,
    message: 'This request came from another site. Please open our page and try again.',
  },
  not_found: { status: 404, message: 'We could not find that. It may have been removed.' },
  method_not_allowed: { status: 405, message: 'That cannot be done here.' },
  payload_too_large: { status: 413, message: 'That is too large. Please make it shorter.' },
  unsupported_media_type: { status: 415, message: 'Requests must be plain JSON.' },
  misdirected_host: { status: 421, message: 'This server does not answer for that host.' },
  rate_limited: { status: 429, message: 'Too many tries. Please wait a moment and try again.' },
  idempotency_mismatch: {
    status: 422,
    message: 'That request was already sent with other details. Please reload the page and try again.',
  },
  idempotency_key_required: { status: 422, message: 'An Idempotency-Key header is needed.' },
  request_in_progress: { status: 409, message: 'We are still working on that. Please wait a moment.' },

  invalid_credentials: {
    status: 422,
    message: 'That email and password do not match. Check both and try again.',
  },
  use_change_email: { status: 422, message: 'Use “Change email” to change your email address.' },
  second_factor_missing: {
    status: 422,
    message: 'Set up an authenticator or a passkey before you turn this on.',
  },
  invalid_code: { status: 422, message: 'That code is not right. Check it and try again.' },
  demo_closed: {
    status: 422,
    message:
      'The demo account is closed, because real payments are taken here. Create an account of your own.',
  },
  attempt_expired: { status: 422, message: 'That took too long. Please start signing in again.' },
  link_expired: { status: 422, message: 'That link has been used or is too old. Ask for a new one.' },
  unknown_credential: { status: 422, message: 'We do not know that passkey. Try another way to sign in.' },
  passkey_refused: { status: 422, message: 'That passkey could not be checked. Please try again.' },
  passkey_exists: {
    status: 422,
    message: 'That passkey is already on your account. You can sign in with it.',
  },
  too_many_passkeys: {
    status: 422,
    message: 'That is as many passkeys as an account can have. Remove one first.',
  },
  second_step_required: { status: 422, message: 'Enter the code from your authenticator too.' },
  password_too_short: { status: 422, message: 'That password is too short. Use a longer one.' },
  password_too_long: { status: 422, message: 'That password is too long. Use a shorter one.' },
  password_too_common: {
    status: 422,
    message: 'That password is too easy to guess. Try a few unrelated words.',
  },
  last_second_factor: { status: 422, message: 'Turn off two-step sign-in before you remove this.' },
  authenticator_active: { status: 422, message: 'You already have an authenticator. Remove it first.' },
  no_email_change: {
    status: 422,
    message: 'Your email address is not being changed. Reload the page to see it.',
  },
  account_in_use: { status: 422, message: 'Your account cannot be deleted yet. Please call us.' },
  step_up_required: { status: 403, message: 'Please confirm that it is you.' },

  no_fare: {
    status: 422,
    message: 'There is no fare for your party on this sailing. Choose another sailing.',
  },
  ...partyErrors,
  vehicle_too_long: {
    status: 422,
    message: 'That vehicle is too long for this sailing. Choose another sailing.',
  },
  vehicle_too_high: {
    status: 422,
    message: 'That vehicle is too high for this sailing. Choose another sailing.',
  },
  plate_required: { status: 422, message: 'Enter the vehicle’s license plate.' },
  return_before_outward: { status: 422, message: 'The return sails before you arrive. Choose a later one.' },
  promo_invalid: {
    status: 422,
    message: 'That promo code is not valid for this trip. Check it, or go on without.',
  },
  promo_used_up: { status: 422, message: 'That promo code has been used up. You can go on without it.' },

  sold_out: { status: 422, message: 'That sailing has no room for your party. Choose another sailing.' },
  sales_closed: {
    status: 422,
    message: 'Online sales for that sailing have closed. Ask at the ticket booth.',
  },
  sailing_cancelled: { status: 422, message: 'That sailing has been canceled. Choose another one.' },
  quote_expired: { status: 422, message: 'That price has expired. Please look at the new one.' },
  price_changed: { status: 422, message: 'The price has changed. Please look at the new one.' },
  hold_expired: { status: 422, message: 'Your hold expired. Please choose again.' },
  hold_not_extendable: {
    status: 422,
    message: 'We cannot hold your places any longer. Please finish before the time is up.',
  },
  terms_outdated: { status: 422, message: 'Our terms have changed. Please read and accept them again.' },

  ...declineErrors,
  payment_in_progress: {
    status: 422,
    message: 'A payment for this order is under way. Please don’t pay again.',
  },
  payment_unavailable: {
    status: 503,
    message: 'Card payments are not available right now. Please try again.',
  },
  already_paid: { status: 422, message: 'This order is already paid. Open it to see your tickets.' },
  order_closed: {
    status: 422,
    message: 'This order can no longer be paid or changed. Please start a new one.',
  },
  order_blocked: { status: 422, message: 'Too many cards were declined. Please start a new order later.' },

  setup_refused: { status: 422, message: 'That card could not be added. Please enter it again.' },
  setup_unfinished: { status: 422, message: 'The card has not been added. Please enter it again.' },
  too_many_cards: {
    status: 422,
    message: 'That is as many cards as an account can have. Delete one first.',
  },
  card_expired: { status: 422, message: 'That card has expired. Choose another card.' },

  trip_card_refused: {
    status: 422,
    message: 'We do not know a card with that number and PIN. Check both and try again.',
  },
  trip_card_frozen: { status: 422, message: 'This trip card is frozen. Unfreeze it first.' },
  trip_card_lost: { status: 422, message: 'This trip card was reported lost. Use the one that replaced it.' },
  insufficient_balance: { status: 422, message: 'There is not enough on this trip card. Top it up first.' },
  share_limit_reached: {
    status: 422,
    message: 'That is more than the owner of this trip card allows for one day. Pay another way.',
  },
  too_many_trip_cards: {
    status: 422,
    message: 'That is as many trip cards as an account can have. Use one you have.',
  },
  too_many_shares: {
    status: 422,
    message: 'That is as many people as a trip card can be shared with. Stop sharing with one first.',
  },
  below_smallest_charge: {
    status: 422,
    message: 'This is less than a payment card can be charged. Pay it with a trip card.',
  },
  top_up_amount: { status: 422, message: 'That amount cannot be put on a trip card. Choose another one.' },

  webhook_rejected: { status: 400, message: 'The signature does not match.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof apiErrors;

/** HTTP statuses that clients compare with. */
export const STATUS = {
  badRequest: 400,
  unauthorized: 401,
  unprocessable: 422,
  serverError: 500,
  network: 0,
} as const;

/** Texts for responses without one (newer and older call style). */
export const CLIENT_TEXTS = {
  tryAgain: 'Something went wrong. Please try again.',
  checkAndTryAgain: "That didn't work. Please check and try again.",
  reported: 'Something went wrong and has been reported.',
  plain: 'Something went wrong',
} as const;
