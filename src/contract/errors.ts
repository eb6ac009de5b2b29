import { declineTexts } from '#contract/payments/declines.ts';
import { type Message, message } from '#messages/translate.ts';
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
    network_error: message('Something went wrong. Please try again.'),
    timeout: message('Something went wrong. Please try again.'),
  }),
  ...withStatus(400, {
    malformed_request: message('We could not read that request. Please reload the page and try again.'),
    webhook_rejected: message('The signature does not match.'),
  }),
  ...withStatus(401, {
    unauthenticated: message('Please sign in.'),
    session_expired: message('Your session has ended. Please sign in again.'),
  }),
  ...withStatus(403, {
    forbidden_origin: message('This request came from another site. Please open our page and try again.'),
    not_permitted: message('Your role does not allow this. Please ask a manager.'),
    step_up_required: message('Please confirm that it is you.'),
  }),
  not_found: { status: 404, message: message('We could not find that. It may have been removed.') },
  method_not_allowed: { status: 405, message: message('That cannot be done here.') },
  request_in_progress: {
    status: 409,
    message: message('We are still working on that. Please wait a moment.'),
  },
  payload_too_large: { status: 413, message: message('That is too large. Please make it shorter.') },
  unsupported_media_type: { status: 415, message: message('Requests must be plain JSON.') },
  misdirected_host: { status: 421, message: message('This server does not answer for that host.') },
  rate_limited: { status: 429, message: message('Too many tries. Please wait a moment and try again.') },
  ...withStatus(500, {
    internal_server_error: message('Something went wrong and has been reported.'),
    unknown_error: message('Something went wrong and has been reported.'),
  }),
  ...withStatus(503, {
    unavailable: message('We cannot reach our records right now. Please try again.'),
    server_busy: message('We are very busy right now. Please try again in a moment.'),
    maintenance: message('We are doing maintenance. Please try again in a few minutes.'),
    payment_unavailable: message('Card payments are not available right now. Please try again.'),
  }),
  ...withStatus(422, {
    invalid_input: message("That didn't work. Please check and try again."),
    unknown_field: message('That field cannot be set here. Please reload the page and try again.'),
    idempotency_mismatch: message(
      'That request was already sent with other details. Please reload the page and try again.',
    ),
    idempotency_key_required: message('An Idempotency-Key header is needed.'),

    weak_pin: message('That PIN is easy to guess. Choose another one.'),
    wrong_pin: message('That PIN is not right. Try again.'),
    device_revoked: message('This device is not paired any more. Ask for a new code at the desk.'),
    timetable_changed: message(
      'This is not what you checked any more: the timetable, its tickets or the files have changed. Please check again.',
    ),
    boat_change_refused: message(
      'This is not possible for this boat. It may have left, or the time may be past.',
    ),
    few_places_free: message('Not that many places are free. Choose fewer.'),
    no_receipts: message('We cannot issue receipts here. Please ask us for one.'),
    no_invoices: message(
      'Nothing can be sold on an invoice until the settings have the seller’s name, address, tax number and bank account.',
    ),
    cards_refused: message(
      'Some of these cards can no longer get what you sell. Please look at the sale again.',
    ),
    card_sale_stays: message(
      'Only a sale on an invoice of which nothing is used or paid can be taken back. Correct the balance of single cards instead.',
    ),
    invoice_changed: message('Another amount is owed on this invoice now. Please look at it again.'),
    invoice_not_mailed: message(
      'Only an invoice with an email address is mailed, and reminders are sent for overdue ones only.',
    ),
    recipient_fixed: message(
      'There is a receipt already, which stays as it is. Please ask us for another one.',
    ),
    settings_changed: message(
      'Someone else has published settings meanwhile. Look at what changed, then publish yours.',
    ),
    privacy_refused: message('The data cannot be exported or erased now.'),
    drawer_open: message('Your drawer is open already. Reload to see it.'),
    datev_incomplete: message('The settings for DATEV are not complete.'),
    month_open: message('This month is not over yet, or a month before it is still open.'),
    sailing_not_boarding: message('This boat has departed or is canceled. Reload to see its state.'),

    invalid_credentials: message('That email and password do not match. Check both and try again.'),
    use_change_email: message('Use “Change email” to change your email address.'),
    second_factor_missing: message('Set up an authenticator or a passkey before you turn this on.'),
    invalid_code: message('That code is not right. Check it and try again.'),
    demo_closed: message(
      'The demo account is closed, because real payments are taken here. Create an account of your own.',
    ),
    attempt_expired: message('That took too long. Please start signing in again.'),
    link_expired: message('That link has been used or is too old. Ask for a new one.'),
    unknown_credential: message('We do not know that passkey. Try another way to sign in.'),
    passkey_refused: message('That passkey could not be checked. Please try again.'),
    passkey_exists: message('That passkey is already on your account. You can sign in with it.'),
    too_many_passkeys: message('That is as many passkeys as an account can have. Remove one first.'),
    second_step_required: message('Enter the code from your authenticator too.'),
    password_too_short: message('That password is too short. Use a longer one.'),
    password_too_long: message('That password is too long. Use a shorter one.'),
    password_too_common: message('That password is too easy to guess. Try a few unrelated words.'),
    last_second_factor: message('Turn off two-step sign-in before you remove this.'),
    authenticator_active: message('You already have an authenticator. Remove it first.'),
    no_email_change: message('Your email address is not being changed. Reload the page to see it.'),
    staff_exists: message('Someone with this address works here already. Change their role instead.'),
    last_sign_in: message('This is your only way to sign in. Add another passkey first.'),
    last_manager: message('There must be another manager first.'),
    account_in_use: message('Your account cannot be deleted yet. Please call us.'),

    no_fare: message('There is no fare for your party on this sailing. Choose another sailing.'),
    ...partyErrorTexts,
    vehicle_too_long: message('That vehicle is too long for this sailing. Choose another sailing.'),
    vehicle_too_high: message('That vehicle is too high for this sailing. Choose another sailing.'),
    plate_required: message('Enter the vehicle’s license plate.'),
    return_before_outward: message('The return sails before you arrive. Choose a later one.'),
    connection_missed: message('These boats do not connect. Choose another connection.'),
    promo_invalid: message('That promo code is not valid for this trip. Check it, or go on without.'),
    promo_used_up: message('That promo code has been used up. You can go on without it.'),

    places_held_back: message('The places that are left are held back for others.'),
    sold_out: message('That sailing has no room for your party. Choose another sailing.'),
    sales_closed: message('Online sales for that sailing have closed. Ask at the ticket booth.'),
    sailing_canceled: message('That sailing has been canceled. Choose another one.'),
    quote_expired: message('That price has expired. Please look at the new one.'),
    price_changed: message('The price has changed. Please look at the new one.'),
    hold_expired: message('Your hold expired. Please choose again.'),
    hold_not_extendable: message(
      'We cannot hold your places any longer. Please finish before the time is up.',
    ),
    terms_outdated: message('Our terms have changed. Please read and accept them again.'),

    ...declineTexts,
    payment_in_progress: message('A payment for this order is under way. Please don’t pay again.'),
    already_paid: message('This order is already paid. Open it to see your tickets.'),
    order_closed: message('This order can no longer be paid or changed. Please start a new one.'),
    change_not_allowed: message('This order can no longer be changed here. Please call us.'),
    refund_not_allowed: message('Your fare gives no refund any more. Your tickets stay valid.'),
    refund_refused: message('This refund is not possible. Look at the order again.'),
    refund_needs_approval: message('This is more than one person may refund. Ask for the refund instead.'),
    check_in_closed: message('It is too late to cancel these tickets. Please ask at the ticket booth.'),
    version_conflict: message('This order has changed in the meantime. Please look at it again.'),
    order_blocked: message('Too many cards were declined. Please start a new order later.'),

    setup_refused: message('That card could not be added. Please enter it again.'),
    setup_unfinished: message('The card has not been added. Please enter it again.'),
    too_many_saved: message('You have saved as many as an account can have. Delete one first.'),
    too_many_cards: message('That is as many cards as an account can have. Delete one first.'),
    card_expired: message('That card has expired. Choose another card.'),

    trip_card_refused: message('We do not know a card with that number and PIN. Check both and try again.'),
    trip_card_frozen: message('This trip card is frozen. Unfreeze it first.'),
    trip_card_lost: message('This trip card was reported lost. Use the one that replaced it.'),
    unknown_trip_card: message('No trip card with money has this number. Check it and try again.'),
    insufficient_balance: message('There is not enough on this trip card. Top it up first.'),
    fare_refused: message('This card cannot pay this fare any more. Scan it again.'),
    share_limit_reached: message(
      'That is more than the owner of this trip card allows for one day. Pay another way.',
    ),
    too_many_trip_cards: message('That is as many trip cards as an account can have. Use one you have.'),
    too_many_shares: message(
      'That is as many people as a trip card can be shared with. Stop sharing with one first.',
    ),
    too_many_push_subscriptions: message(
      'That is as many devices as can be told about an order. Turn it off on one of them first.',
    ),
    below_smallest_charge: message(
      'This is less than a payment card can be charged. Pay it with a trip card.',
    ),
    holds_trips: message('This card holds trips. Buy the pass again to add more.'),
    pass_expired: message('This pass has expired. Buy it again to use its trips.'),
    top_up_amount: message('That amount cannot be put on a trip card. Choose another one.'),
  }),
};

export type ErrorCode = keyof typeof apiErrors;

function withStatus<const Status extends number, Code extends string>(
  status: Status,
  texts: Record<Code, Message>,
) {
  const errors = Object.entries<Message>(texts).map(([code, message]) => [code, { status, message }]);
  return Object.fromEntries(errors) as Record<Code, { status: Status; message: Message }>;
}
