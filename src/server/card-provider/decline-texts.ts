import { apiErrors, type ErrorCode } from '#contract/errors.ts';

type Failure = { code: ErrorCode; message: string };

/**
 * Codes of the card provider a customer can act on. All others, lost and stolen cards among them, read as a
 * plain decline: who holds a stolen card is told nothing.
 */
const FAILURES: Readonly<Record<string, Failure>> = {
  insufficient_funds: {
    code: 'card_declined',
    message: 'There is not enough money for this on your card. Try another card.',
  },
  expired_card: { code: 'card_declined', message: 'Your card has expired. Try another card.' },
  incorrect_cvc: {
    code: 'card_declined',
    message: 'The security code is not right. Check it and try again.',
  },
  incorrect_number: {
    code: 'card_declined',
    message: 'The card number is not right. Check it and try again.',
  },
  card_velocity_exceeded: {
    code: 'card_declined',
    message: 'Your card has reached its limit. Try another card.',
  },
  processing_error: { code: 'payment_failed', message: apiErrors.payment_failed.message },
  payment_intent_authentication_failure: {
    code: 'authentication_required',
    message: 'Your bank could not confirm that it was you. Try again or use another card.',
  },
  authentication_required: {
    code: 'authentication_required',
    message: apiErrors.authentication_required.message,
  },
};

/** The provider's failure code as a code of ours and the sentence to show. */
export function presentFailure(code: string): Failure {
  return FAILURES[code] ?? { code: 'card_declined', message: apiErrors.card_declined.message };
}
