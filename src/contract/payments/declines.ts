import { type Message, message, type Translate } from '#messages/translate.ts';

/**
 * Texts of card payment failures that the provider reported as final, so they may say that nothing was charged. In a
 * separate module, so that the card forms do not load the texts of all other errors.
 */
export const declineTexts = {
  card_declined: message(
    'Your card was declined. You have not been charged. Try another card, or call your bank.',
  ),
  authentication_required: message(
    'Your bank wants to confirm that it is you. You have not been charged. Try again or use another card.',
  ),
  payment_failed: message(
    'The payment did not go through. You have not been charged. Try again or use another card.',
  ),
} as const;

type DeclineCode = keyof typeof declineTexts;
type DeclineReason = { code: DeclineCode; problem: Message; advice: Message };

const RETRY = message('Try again in a few minutes, or use another card.');
const OTHER_CARD = message('Try another card.');
const CALL_BANK = message('Try another card, or call your bank.');
const NOT_AUTHENTICATED: DeclineReason = {
  code: 'authentication_required',
  problem: message('Your bank could not confirm that it was you.'),
  advice: message('Try again or use another card.'),
};
const WRONG_NUMBER = declined(
  message('The card number is not right.'),
  message('Check the number and try again, or use another card.'),
);
const WRONG_SECURITY_CODE = declined(
  message('The security code is not right.'),
  message('Check the code on your card and try again.'),
);
const EXPIRED = declined(message('Your card has expired.'), OTHER_CARD);
const WRONG_EXPIRY = declined(
  message('The expiry date is not right.'),
  message('Check the date on your card and try again.'),
);
const WRONG_POSTAL_CODE = declined(
  message('The postal code does not match your card.'),
  message('Check it and try again, or use another card.'),
);
const LIMIT_REACHED = declined(message('Your card has reached its limit.'), CALL_BANK);
const NOT_ACCEPTED = declined(message('Your card cannot be used here.'), OTHER_CARD);
const BANK_UNAVAILABLE: DeclineReason = {
  code: 'payment_failed',
  problem: message('Your bank could not process this card.'),
  advice: RETRY,
};

/**
 * Provider codes that a customer can act on. All others, including lost and stolen cards, read as a generic decline, so
 * that the holder of a stolen card learns nothing.
 * @see https://docs.stripe.com/declines/codes
 */
const REASONS: ReadonlyMap<string, DeclineReason> = new Map([
  ['insufficient_funds', declined(message('There is not enough money for this on your card.'), OTHER_CARD)],
  ['expired_card', EXPIRED],
  ['incorrect_cvc', WRONG_SECURITY_CODE],
  ['invalid_cvc', WRONG_SECURITY_CODE],
  ['incorrect_number', WRONG_NUMBER],
  ['invalid_number', WRONG_NUMBER],
  ['invalid_expiry_month', WRONG_EXPIRY],
  ['invalid_expiry_year', WRONG_EXPIRY],
  ['incorrect_zip', WRONG_POSTAL_CODE],
  ['card_velocity_exceeded', LIMIT_REACHED],
  ['withdrawal_count_limit_exceeded', LIMIT_REACHED],
  ['card_not_supported', NOT_ACCEPTED],
  ['currency_not_supported', NOT_ACCEPTED],
  ['processing_error', BANK_UNAVAILABLE],
  ['issuer_not_available', BANK_UNAVAILABLE],
  ['try_again_later', BANK_UNAVAILABLE],
  ['reenter_transaction', BANK_UNAVAILABLE],
  ['payment_intent_authentication_failure', NOT_AUTHENTICATED],
  ['setup_intent_authentication_failure', NOT_AUTHENTICATED],
]);

/**
 * The error code and the text for a decline: the cause, that nothing was charged, and the next step.
 * @param reason the provider's `decline_code`, or its `code` if there is none
 */
export function presentDecline(t: Translate, reason: string): { code: DeclineCode; message: string } {
  const decline = REASONS.get(reason);
  if (decline) {
    const sentences = [t(decline.problem), t('You have not been charged.'), t(decline.advice)];
    return { code: decline.code, message: sentences.join(' ') };
  }
  const code = reason === 'authentication_required' ? reason : 'card_declined';
  return { code, message: t(declineTexts[code]) };
}

/** Whether a customer reads more about a decline than its error code says. */
export function isExplained(reason: string): boolean {
  return REASONS.has(reason);
}

function declined(problem: Message, advice: Message): DeclineReason {
  return { code: 'card_declined', problem, advice };
}
