import type { ErrorBody } from '../errors.ts';
import type { Decline } from '../test-cards.ts';

/** Off-session charges of a card that insists on its holder. */
export const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** The `error` of a 402: the bank said no. */
export function declineError(decline: Decline, about: Partial<ErrorBody> = {}): ErrorBody {
  return {
    type: 'card_error',
    code: decline.code,
    ...(decline.declineCode ? { decline_code: decline.declineCode } : {}),
    ...(decline.param ? { param: decline.param } : {}),
    doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
    message: decline.message,
    ...about,
  };
}
