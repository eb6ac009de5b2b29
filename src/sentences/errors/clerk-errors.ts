import type { ErrorCode } from '#contract/errors.ts';
import { type Message, message, type Translate } from '#messages/translate.ts';
import { describeTooLate, type ReasonWordings } from './error-reasons.ts';

/** The texts of some codes, and of some reasons. */
export type Wordings = { readonly [Code in ErrorCode]?: Message } & ReasonWordings;
type AboutTicket = { who: string };

/**
 * What staff read instead of a text that speaks to the customer, by error code or reason: a clerk acts for someone else, at
 * the place to which customers are sent.
 */
export const clerkTexts: Wordings = {
  no_fare: message('There is no fare for this party on this sailing.'),
  no_receipts: message('There are no receipts for this order. Ask a manager whether receipts are issued.'),
  recipient_fixed: message('There is a receipt already, which stays as it is.'),
  bicycles_not_carried: message('This route carries no bicycles.'),
  vehicles_not_carried: message('This route carries no vehicles.'),
  party_too_large: message('That is more than can be bought at once. Sell it as several orders.'),
  return_before_outward: message('The return sails before they arrive. Choose a later one.'),
  promo_invalid: message('The promo code of this order is not valid for this trip.'),
  promo_used_up: message('The promo code of this order has been used up.'),
  sold_out: message('This sailing has no room for the party. Choose another sailing.'),
  sales_closed: message('The sale for this sailing has ended.'),
  hold_expired: message('The places are not held any more. Start again.'),
  below_smallest_charge: message('This is less than a payment card can be charged. Take the money here.'),
  payment_in_progress: message('A payment for this order is under way. Look again in a few minutes.'),
  already_paid: message('This order is already paid. Load it again.'),
  order_closed: message('This order can no longer be paid or changed. Load it again.'),
  order_blocked: message('Too many cards were declined for this order. Sell the tickets again.'),
  change_not_allowed: message('This order can no longer be changed.'),
  refund_not_allowed: message('The fare gives no refund any more. The tickets stay valid.'),
  check_in_closed: message('It is too late to cancel these tickets by the fare’s rules.'),
  insufficient_balance: message('There is not enough on this trip card. Take another payment.'),
  trip_card_frozen: message(
    'This trip card is frozen. Only its owner can unfreeze it. Take another payment.',
  ),
  trip_card_lost: message('This trip card was reported lost. Only the one that replaced it can pay.'),
  pass_expired: message('This pass has expired. Take another payment.'),

  change_disputed: message(
    'The bank is deciding about a payment of this order, so it cannot be changed now. The tickets stay valid.',
  ),
  fare_not_changeable: message('The fare allows no changes.'),
  change_too_late: (t: Translate, { until_minutes: minutes }: { until_minutes: number }) =>
    describeTooLate(t, minutes),
  email_fixed: message('The buyer can change the email address for a day after the purchase only.'),
  pass_trips_returned: message(
    'These tickets were canceled, and the pass got its trips back. Sell new tickets.',
  ),
  pass_other_sailing: message(
    'The pass does not pay for this sailing. Choose another sailing, or cancel the tickets.',
  ),
  pass_higher_price: message(
    'This sailing costs more, and the pass cannot pay the difference. Choose another sailing.',
  ),
  choice_over: message('The time to choose another sailing is over.'),
  ticket_used: message('A ticket of this trip has been used, so it cannot be moved.'),
  moved_already: message('The party already travels on another sailing.'),
  trip_checked_in: (t: Translate, { who }: AboutTicket) =>
    t('{who} is checked in already, so this trip cannot be changed.', { who }),
  ticket_checked_in: (t: Translate, { who }: AboutTicket) =>
    t('{who} is checked in already, so this ticket cannot be canceled. The others still can.', { who }),
  cancel_too_late: message('Check-in has closed, so these tickets cannot be canceled by the fare’s rules.'),
  refund_disputed: message(
    'The bank is deciding about a payment of this order, so it cannot be refunded now. The tickets stay valid.',
  ),
  no_refund_now: message('The fare gives no refund for this now.'),
  card_gone_at_refund: message(
    'The trip card that paid is no longer in use. The office can refund to another trip card.',
  ),
  card_gone_at_change: message('The trip card that paid is no longer in use, so nothing can go back to it.'),
  no_room_for_party: message('This sailing has no room for the whole party any more. Choose another one.'),
};
