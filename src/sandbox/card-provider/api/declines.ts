import type { ErrorBody } from '../errors.ts';
import type { Decline } from '../test-cards.ts';

/** For off-session charges of a card that requires authentication. */
export const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** The `error` of a 402 for a decline. */
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
