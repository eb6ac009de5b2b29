import { declineTexts } from '#contract/payments/declines.ts';
import { partyErrorTexts } from './orders/buy/party-errors.ts';

/**
 * Every error code the API can return, with its HTTP status and the text a customer reads.
 *
 * 401 means only that a session token is missing or no longer valid, because clients clear the session on any 401. A
 * refusal by a rule is 422, a required fresh sign-in 403, too many attempts 429.
 */
export const apiErrors = {
  // Reported by clients themselves: there was no response.
  ...withStatus(0, {
    network_error: 'Something went wrong. Please try again.',
    timeout: 'Something went wrong. Please try again.',
  }),
  ...withStatus(400, {
    malformed_request: 'We could not read that request. Please reload the page and try again.',
    webhook_rejected: 'The signature does not match.',
  }),
  ...withStatus(401, {
    unauthenticated: 'Please sign in.',
    session_expired: 'Your session has ended. Please sign in again.',
  }),
  ...withStatus(403, {
    forbidden_origin: 'This request came from another site. Please open our page and try again.',
    step_up_required: 'Please confirm that it is you.',
  }),
  not_found: { status: 404, message: 'We could not find that. It may have been removed.' },
  method_not_allowed: { status: 405, message: 'That cannot be done here.' },
  request_in_progress: { status: 409, message: 'We are still working on that. Please wait a moment.' },
  payload_too_large: { status: 413, message: 'That is too large. Please make it shorter.' },
  unsupported_media_type: { status: 415, message: 'Requests must be plain JSON.' },
  misdirected_host: { status: 421, message: 'This server does not answer for that host.' },
  rate_limited: { status: 429, message: 'Too many tries. Please wait a moment and try again.' },
  ...withStatus(500, {
    internal_server_error: 'Something went wrong and has been reported.',
    unknown_error: 'Something went wrong and has been reported.',
  }),
  ...withStatus(503, {
    unavailable: 'We cannot reach our records right now. Please try again.',
    server_busy: 'We are very busy right now. Please try again in a moment.',
    maintenance: 'We are doing maintenance. Please try again in a few minutes.',
    payment_unavailable: 'Card payments are not available right now. Please try again.',
  }),
  ...withStatus(422, {
    invalid_input: "That didn't work. Please check and try again.",
    unknown_field: 'That field cannot be set here. Please reload the page and try again.',
    idempotency_mismatch:
      'That request was already sent with other details. Please reload the page and try again.',
    idempotency_key_required: 'An Idempotency-Key header is needed.',

    invalid_credentials: 'That email and password do not match. Check both and try again.',
    use_change_email: 'Use “Change email” to change your email address.',
    second_factor_missing: 'Set up an authenticator or a passkey before you turn this on.',
    invalid_code: 'That code is not right. Check it and try again.',
    demo_closed:
      'The demo account is closed, because real payments are taken here. Create an account of your own.',
    attempt_expired: 'That took too long. Please start signing in again.',
    link_expired: 'That link has been used or is too old. Ask for a new one.',
    unknown_credential: 'We do not know that passkey. Try another way to sign in.',
    passkey_refused: 'That passkey could not be checked. Please try again.',
    passkey_exists: 'That passkey is already on your account. You can sign in with it.',
    too_many_passkeys: 'That is as many passkeys as an account can have. Remove one first.',
    second_step_required: 'Enter the code from your authenticator too.',
    password_too_short: 'That password is too short. Use a longer one.',
    password_too_long: 'That password is too long. Use a shorter one.',
    password_too_common: 'That password is too easy to guess. Try a few unrelated words.',
    last_second_factor: 'Turn off two-step sign-in before you remove this.',
    authenticator_active: 'You already have an authenticator. Remove it first.',
    no_email_change: 'Your email address is not being changed. Reload the page to see it.',
    account_in_use: 'Your account cannot be deleted yet. Please call us.',

    no_fare: 'There is no fare for your party on this sailing. Choose another sailing.',
    ...partyErrorTexts,
    vehicle_too_long: 'That vehicle is too long for this sailing. Choose another sailing.',
    vehicle_too_high: 'That vehicle is too high for this sailing. Choose another sailing.',
    plate_required: 'Enter the vehicle’s license plate.',
    return_before_outward: 'The return sails before you arrive. Choose a later one.',
    connection_missed: 'These boats do not connect. Choose another connection.',
    promo_invalid: 'That promo code is not valid for this trip. Check it, or go on without.',
    promo_used_up: 'That promo code has been used up. You can go on without it.',

    sold_out: 'That sailing has no room for your party. Choose another sailing.',
    sales_closed: 'Online sales for that sailing have closed. Ask at the ticket booth.',
    sailing_canceled: 'That sailing has been canceled. Choose another one.',
    quote_expired: 'That price has expired. Please look at the new one.',
    price_changed: 'The price has changed. Please look at the new one.',
    hold_expired: 'Your hold expired. Please choose again.',
    hold_not_extendable: 'We cannot hold your places any longer. Please finish before the time is up.',
    terms_outdated: 'Our terms have changed. Please read and accept them again.',

    ...declineTexts,
    payment_in_progress: 'A payment for this order is under way. Please don’t pay again.',
    already_paid: 'This order is already paid. Open it to see your tickets.',
    order_closed: 'This order can no longer be paid or changed. Please start a new one.',
    change_not_allowed: 'This order can no longer be changed here. Please call us.',
    refund_not_allowed: 'Your fare gives no refund any more. Your tickets stay valid.',
    check_in_closed: 'It is too late to cancel these tickets. Please ask at the ticket booth.',
    version_conflict: 'This order has changed in the meantime. Please look at it again.',
    order_blocked: 'Too many cards were declined. Please start a new order later.',

    setup_refused: 'That card could not be added. Please enter it again.',
    setup_unfinished: 'The card has not been added. Please enter it again.',
    too_many_cards: 'That is as many cards as an account can have. Delete one first.',
    card_expired: 'That card has expired. Choose another card.',

    trip_card_refused: 'We do not know a card with that number and PIN. Check both and try again.',
    trip_card_frozen: 'This trip card is frozen. Unfreeze it first.',
    trip_card_lost: 'This trip card was reported lost. Use the one that replaced it.',
    insufficient_balance: 'There is not enough on this trip card. Top it up first.',
    share_limit_reached: 'That is more than the owner of this trip card allows for one day. Pay another way.',
    too_many_trip_cards: 'That is as many trip cards as an account can have. Use one you have.',
    too_many_shares: 'That is as many people as a trip card can be shared with. Stop sharing with one first.',
    below_smallest_charge: 'This is less than a payment card can be charged. Pay it with a trip card.',
    holds_trips: 'This card holds trips. Buy the pass again to add more.',
    pass_expired: 'This pass has expired. Buy it again to use its trips.',
    top_up_amount: 'That amount cannot be put on a trip card. Choose another one.',
  }),
};

export type ErrorCode = keyof typeof apiErrors;

function withStatus<const Status extends number, Code extends string>(
  status: Status,
  texts: Record<Code, string>,
) {
  const errors = Object.entries<string>(texts).map(([code, message]) => [code, { status, message }]);
  return Object.fromEntries(errors) as Record<Code, { status: Status; message: string }>;
}
