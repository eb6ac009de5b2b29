import { presentDecline } from '#contract/payments/declines.ts';
import type { CapacityResource } from '#domain/fares/capacity.ts';
import { type Message, message, type Translate } from '#messages/translate.ts';
import { describeDuration } from '../fare-policy.ts';

/** What a customer can still do with tickets that cannot be changed or refunded. */
export const remedies = {
  cancel: message('You can still cancel tickets for a refund.'),
  cancel_return: message('You can still cancel the return.'),
  cancel_others: message('You can still cancel other tickets of this order.'),
  change: message('You can still change to another sailing with “Change order” on this page.'),
  travel: message('Your tickets stay valid.'),
  ask: message('Ask at the ticket booth what we can do for you.'),
} as const;
export type Remedy = keyof typeof remedies;

type HasRemedy = { remedy: Remedy };
/** `who`: the name of the traveler, or the ticket in words. */
type AboutTicket = { ticket_id: string; who: string };

/**
 * Why a call is refused, where that is more than its error code says: the name that programs use, and what a customer
 * reads instead of the text of the code. A function's second parameter is what the answer contains as `params`.
 */
export const errorReasons = {
  // invalid_input
  same_email: message('That is already your email address.'),
  assistance_by_phone: message('Assistance cannot be asked for online. Please call us.'),
  traveler_repeated: message('Each entry must be for another traveler of the order.'),
  day_to_come: message('This day is still to come.'),
  more_than_owed: (t: Translate, { owed }: { owed: string }) =>
    t('Only {owed} is owed on this invoice. Note that, and transfer the rest back.', { owed }),
  too_many_names: message('There are more names than travelers.'),
  invalid_tickets: message('Only valid tickets can be sent. Reload the page to see which are.'),

  // invalid_input, of a setting
  setting_refused: (t: Translate, { value, allowed }: { value: string; allowed: string }) =>
    t('“{value}” is not possible here. Allowed: {allowed}.', { value, allowed }),
  setting_above_maximum: message('This is more than the highest amount of a top-up.'),
  setting_outside_limits: message('Every amount must be between the lowest and the highest of a top-up.'),
  unknown_setting: (t: Translate, { path }: { path: string }) => t('There is no setting “{path}”.', { path }),

  // datev_incomplete, which staff read
  datev_settings_missing: (t: Translate, { settings }: { settings: string }) =>
    t('DATEV needs these settings first: {settings}.', { settings }),
  datev_account_refused: (t: Translate, { account }: { account: string }) =>
    t(
      '“{account}” is not an account number for DATEV. Correct the accounts and their digits in the settings.',
      {
        account,
      },
    ),
  datev_several_currencies: (t: Translate, { currencies }: { currencies: string }) =>
    t('The month has several currencies: {currencies}. Download them one by one.', { currencies }),
  datev_currency_refused: (t: Translate, { currency }: { currency: string }) =>
    t('DATEV takes amounts with two decimals, which {currency} does not have.', { currency }),

  // privacy_refused, which staff read
  nothing_stored: message('Nothing is stored about this address.'),
  erased_order_upcoming: (t: Translate, { reference }: { reference: string }) =>
    t('Order {reference} has a sailing that is not over. Cancel it first, or wait until it has arrived.', {
      reference,
    }),
  erased_order_open: (t: Translate, { reference }: { reference: string }) =>
    t(
      'Order {reference} has a payment, refund, change, choice or invoice that is not finished. Wait for it, or finish it first.',
      { reference },
    ),
  erased_card_holds_value: message(
    'A trip card of the account holds value, or a top-up is not finished. Pay the value back and correct the balance first.',
  ),

  // quote_expired, rate_limited, attempt_expired, passkey_refused, account_in_use
  price_of_another_trip: message('That price is for another trip than the places held.'),
  too_many_unpaid_places: message(
    'Your network is holding many places that are not paid yet. Please wait a minute and try again, or use another connection.',
  ),
  code_used_up: message('That code can no longer be used. Ask for a new one.'),
  other_sign_in_first: message('Sign in with your password or your email first, then use this passkey.'),
  value_on_trip_cards: message(
    'There is still money or a trip on your trip cards. Use it, or call us to have it paid back, first.',
  ),

  // card_declined, authentication_required, payment_failed; `decline`: the card provider's code
  card_refused: (t: Translate, { decline }: { decline: string }) => presentDecline(t, decline).message,

  // already_paid, payment_in_progress
  top_up_paid: message('Your earlier payment went through, and nothing else was charged.'),
  top_up_processing: message('Your bank is still confirming your earlier payment. Please don’t pay again.'),

  // change_not_allowed
  not_the_buyer: message('Only the buyer can change this order. We can email the buyer a code.'),
  no_email_address: message(
    'This order has no email address that we could send a code to. Please call us or ask at the ticket booth.',
  ),
  order_canceled: message('This order is canceled already.'),
  change_disputed: message(
    'Your bank is deciding about this payment, so the order cannot be changed now. Your tickets stay valid.',
  ),
  fare_not_changeable: (t: Translate, { remedy }: HasRemedy) =>
    `${t('Your fare allows no changes.')} ${t(remedies[remedy])}`,
  change_too_late: (t: Translate, { until_minutes, remedy }: HasRemedy & { until_minutes: number }) =>
    `${describeTooLate(t, until_minutes)} ${t(remedies[remedy])}`,
  nothing_changed: message('Nothing would change. Choose another sailing, other people or another vehicle.'),
  email_fixed: message('The email address can be changed for a day after the purchase. Please call us.'),
  vehicle_alone: message(
    'A vehicle or bicycle travels with a passenger. Cancel it too, or keep a passenger.',
  ),
  vehicle_alone_out: message(
    'A vehicle or bicycle travels with a passenger. Cancel it for the outbound trip too, or keep a passenger.',
  ),
  vehicle_alone_back: message(
    'A vehicle or bicycle travels with a passenger. Cancel it for the return too, or keep a passenger.',
  ),
  child_alone: message('Children travel with an adult. Cancel their tickets too, or keep an adult.'),
  child_alone_out: message(
    'Children travel with an adult. Cancel their tickets for the outbound trip too, or keep an adult.',
  ),
  child_alone_back: message(
    'Children travel with an adult. Cancel their tickets for the return too, or keep an adult.',
  ),
  link_ends_at_once: message(
    'A boat of this order does not run as booked, so no payment link is mailed. Take the payment in person, or choose another boat at no charge.',
  ),
  pass_trips_returned: message('You canceled this trip, and its pass got the trips back. Buy new tickets.'),
  pass_other_party: message(
    'Trips of a pass paid for this trip, so only its sailing can change. Cancel tickets to get their trips back.',
  ),
  pass_other_sailing: message(
    'Your pass does not pay for this sailing. Choose another sailing, or cancel your tickets.',
  ),
  pass_higher_price: message(
    'This sailing costs more, and your pass cannot pay the difference. Choose another sailing.',
  ),
  pass_pays_no_change: message('A pass cannot pay the difference of a change. Choose another way to pay.'),
  choice_over: message(
    'The time to choose another sailing is over. Call us or ask at the ticket booth what is possible.',
  ),
  ticket_used: message(
    'A ticket of this trip has been used, so it cannot be moved. Ask at the ticket booth.',
  ),
  moved_already: message(
    'You already travel on another sailing. You can choose a different one or get the full refund.',
  ),
  no_open_ticket: message(
    'This trip cannot have an open ticket. Choose another sailing, or get the full refund, until the time shown.',
  ),

  // check_in_closed
  ticket_checked_in: (t: Translate, { who }: AboutTicket) =>
    t(
      '{who} is checked in already, so this ticket cannot be canceled here. You can still cancel the others.',
      { who },
    ),
  trip_checked_in: (t: Translate, { who }: AboutTicket) =>
    t('{who} is checked in already, so this trip cannot be changed here. Ask at the ticket booth.', { who }),
  boat_departed: message('This boat has departed. Choose only trips that are still to come.'),
  tickets_departed: message(
    'One of these boats has departed. Choose only tickets of boats that are still to come.',
  ),
  cancel_too_late: (t: Translate, { remedy }: HasRemedy) =>
    `${t('Check-in has closed, so these tickets cannot be canceled.')} ${t(remedies[remedy])}`,

  // refund_not_allowed
  refund_disputed: message(
    'Your bank is deciding about this payment, so we cannot refund it now. Your tickets stay valid.',
  ),
  no_refund_now: (t: Translate, { remedy }: HasRemedy) =>
    `${t('Your fare gives no refund for this now.')} ${t(remedies[remedy])}`,
  card_gone_at_refund: message(
    'The trip card that paid is no longer in use. Call us, and we will refund you another way.',
  ),
  card_gone_at_change: message(
    'The trip card that paid is no longer in use. Call us, and we will change your order.',
  ),

  // refund_refused, which staff read
  unknown_order: message('There is no order with that reference.'),
  order_changed: message('The order has changed since the preview. Look at it again.'),
  payment_contested: message('The cardholder disputes the payment. The bank decides about that money.'),
  never_paid: message('Only an order that is confirmed and paid can be refunded.'),
  tickets_used: message('Tickets of this order have been used.'),
  unknown_boarding_code: (t: Translate, { code }: { code: string }) =>
    t('{code} is not the boarding code of a ticket of this order.', { code }),
  boarding_code_used: (t: Translate, { code }: { code: string }) =>
    t('The ticket {code} has been used.', { code }),
  not_refundable_amount: (t: Translate, { amount, currency }: { amount: string; currency: string }) =>
    t('{amount} is not an amount of {currency} that a card can be refunded.', { amount, currency }),
  too_much_refunded: (t: Translate, { left }: { left: string }) =>
    t('Only {left} is left of what was paid.', { left }),
  unknown_refund_card: message('There is no trip card with that number.'),
  pass_as_refund_card: message('That card is a pass, which holds no money.'),
  refund_card_currency: message('That trip card is in another currency.'),
  refund_card_gone: message(
    'The account of the trip card that paid is gone. Name another trip card for the refund.',
  ),
  nothing_to_repeat: message('No refund of this order has failed.'),
  refund_asked_already: message('Someone has asked for a refund of this order already. Look at that first.'),
  adjustment_too_large: message(
    'That is more than one person may add to a trip card in a day. Refund the order it is about instead, which another person can confirm.',
  ),
  own_refund_request: message('You asked for this refund yourself. Another manager has to confirm it.'),

  // few_places_free, which staff read
  few_free: (t: Translate, { free }: { free: number }) =>
    t('{free, plural, =0 {None is free.} one {Only # is free.} other {Only # are free.}}', { free }),
  short_lane_free: (t: Translate, { free_cm }: { free_cm: number }) =>
    t('Only {meters} m are free.', { meters: Math.floor(free_cm / 100) }),

  // places_held_back, which staff read
  held_back_for_others: (t: Translate, { resource, free, held_for }: HeldBackForOthers) =>
    `${describeFreeBesides(t, { resource, free, held_for })} ${t('If they are for this buyer, choose them under “From the places held back”.')}`,

  // sales_closed, which staff read
  no_time_to_hold: message('The boat leaves too soon to hold places until then. Choose a shorter time.'),
  no_time_to_pay: message(
    'It is too late for a payment link: the sale for this boat ends before the buyer could pay.',
  ),

  // sold_out, order_closed, too_many_shares
  no_room_for_party: message('That sailing has no room for your whole party any more. Choose another one.'),
  no_valid_tickets: message('This order has no valid tickets that you could send.'),
  no_tickets_to_mail: message('This order has no valid tickets, or no email address to mail them to.'),
  no_address_for_link: message('This order has no email address to mail the link to.'),
  all_shares_used: message(
    'That is as many times as the tickets of an order can be sent. Take some back first.',
  ),
} satisfies Record<string, Wording>;

type HeldBackForOthers = { resource: CapacityResource; free: number; held_for: string };

function describeFreeBesides(t: Translate, { resource, free, held_for }: HeldBackForOthers): string {
  switch (resource) {
    case 'passenger':
      return t(
        '{free, plural, =0 {All places that are left are held back for {held_for}.} one {Only # place is left besides those held back for {held_for}.} other {Only # places are left besides those held back for {held_for}.}}',
        { free, held_for },
      );
    case 'bicycle':
      return t(
        '{free, plural, =0 {All places for bicycles that are left are held back for {held_for}.} one {Only # place for bicycles is left besides those held back for {held_for}.} other {Only # places for bicycles are left besides those held back for {held_for}.}}',
        { free, held_for },
      );
    case 'lane_cm':
    case 'tall_lane_cm':
      return t('Only {meters} m of lane are left besides those held back for {held_for}.', {
        ...{ meters: Math.floor(free / 100), held_for },
      });
  }
}

type Wording = Message | ((t: Translate, params: never) => string);
export type ErrorReason = keyof typeof errorReasons;
export type ReasonWordings = { readonly [Reason in ErrorReason]?: Wording };

type ParamsOf<Reason extends ErrorReason> = (typeof errorReasons)[Reason] extends (
  t: Translate,
  params: infer Params,
) => string
  ? { params: Params | ((t: Translate) => Params) }
  : { params?: undefined };

/** A reason with what it is about; a function writes what depends on the reader's language. */
export type GivenReason = { [Reason in ErrorReason]: { reason: Reason } & ParamsOf<Reason> }[ErrorReason];

/** A reason as the caller gets it. */
export type PresentedReason = {
  reason: ErrorReason;
  params?: Record<string, string | number>;
  message: string;
};

/** @param wordings what some readers read instead, by reason */
export function presentReason(
  t: Translate,
  { reason, params }: GivenReason,
  wordings: ReasonWordings = {},
): PresentedReason {
  const text: Wording = wordings[reason] ?? errorReasons[reason];
  if (typeof text !== 'function') return { reason, message: t(text) };
  const written = typeof params === 'function' ? params(t) : params;
  return { reason, params: { ...written }, message: text(t, written as never) };
}

export function describeTooLate(t: Translate, minutes: number): string {
  return minutes <= 0
    ? t('This trip cannot be changed any more: the boat has departed.')
    : t('This trip cannot be changed any more: it is less than {duration} before departure.', {
        duration: describeDuration(t, minutes),
      });
}
